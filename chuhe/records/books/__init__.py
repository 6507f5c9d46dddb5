"""Opening books: looking a position up, and making, converting and editing books. OBK is loaded only when used."""
