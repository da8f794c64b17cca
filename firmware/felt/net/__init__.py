"""The table's way to the pit: finished rounds out; confirmations and the time of day in."""
