"""`python -m shipcli` is the command itself."""

import sys

from shipcli.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
