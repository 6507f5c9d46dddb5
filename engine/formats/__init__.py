"""Reading and writing games as files. Loaded only by the tools."""
