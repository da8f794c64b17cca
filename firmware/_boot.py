"""First code on the board."""
