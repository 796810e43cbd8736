"""``python -m qipan``: the same program as the console script ``qipan``."""

import sys

from qipan.cli import main

if __name__ == "__main__":
    sys.exit(main())
