"""The subcommands of `chuhe`, one file each: arguments, one call into a room, output."""
