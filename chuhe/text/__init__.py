"""What a person reads: messages and the languages they are said in, columns, numbers, the names of points."""
