"""`python -m digitduel` is the command `digitduel`."""

import sys

from digitduel.cli import main

if __name__ == "__main__":
    sys.exit(main())
