"""`python -m chuhe`: the `chuhe` command."""

import sys

from play.cli import main

if __name__ == "__main__":
    sys.exit(main())
