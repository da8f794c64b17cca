"""What says how fast and how large the firmware is."""
