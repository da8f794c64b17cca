"""Critical memory: FRAM vault, configuration and flash archive."""
