"""The interpreters and the emulated board that tests and tools run the firmware in."""
