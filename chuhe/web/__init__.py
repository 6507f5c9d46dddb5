"""`chuhe serve`: the game in a browser. The server holds every game; the page displays it and sends requests."""
