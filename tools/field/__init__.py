"""What a technician runs at a real table."""
