"""Empty, and needed: the interpreter looks for boot.py, and one on the file system is not taken."""
