"""The terminal: what a person plays in, at a prompt or through a pipe."""
