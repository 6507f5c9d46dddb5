"""`python -m chuhe`: the `chuhe` command."""

import sys

from chuhe.cli import main

if __name__ == "__main__":
    sys.exit(main())
