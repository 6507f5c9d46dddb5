"""Engine matches (`matches`), measurements (`measuring`), and tuning and training on games (`learning`)."""
