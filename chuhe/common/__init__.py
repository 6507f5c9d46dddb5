"""What several rooms share: command lines, progress, time controls, plots, extras."""
