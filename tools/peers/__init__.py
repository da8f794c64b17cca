"""What sits at the other end of the wires: shoe and terminal."""
