"""`chuhe serve`: the game in a browser. The server owns every game; the page shows it and asks."""
