"""OBK books, and what is done to books of any format. Loaded only when used."""
