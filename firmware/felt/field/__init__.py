"""Field devices: bet sensors, lamps, FRAM, wheel display."""
