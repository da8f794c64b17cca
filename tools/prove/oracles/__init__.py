"""One file a game: `settle` and `void` read its rules again, `make` makes its rounds."""
