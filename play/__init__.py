"""What a person uses: the terminal game, the referee, analysis, and the `chuhe` command."""
