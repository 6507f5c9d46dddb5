"""Files of the user: reading, safe writing, locks, directories, texts of unknown encoding."""
