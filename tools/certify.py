"""The certification program where a laboratory looks for it; its code is tools/prove/certify.py.

.venv/bin/python tools/certify.py FILE [--on cpython|micropython|emulator]
"""

import sys

from tools import stopped
from tools.prove.certify import main

if __name__ == "__main__":
    sys.exit(stopped.run(main))
