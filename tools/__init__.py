"""What people run on a PC, one room for each kind of work."""
