"""What `bench` and `play` share: command lines, progress, time controls, plots."""
