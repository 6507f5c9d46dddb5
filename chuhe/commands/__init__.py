"""The thin subcommands of `chuhe`; each module has a `main(arguments) -> exit code`."""
