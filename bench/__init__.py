"""Matches between engines (`matches`), measuring them (`measuring`), learning from games (`learning`)."""
