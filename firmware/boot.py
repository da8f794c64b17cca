"""Empty, and needed: with it the interpreter does not look for one on the file system."""
