"""The protocols: UCCI and UCI for our engine (`protocol.loop`), a client for any engine (`protocol.client`)."""
