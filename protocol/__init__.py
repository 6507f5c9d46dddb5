"""The protocols: UCCI and UCI for our engine (`loop`), a client for any engine (`client`)."""
