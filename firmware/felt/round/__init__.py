"""The deterministic round machine: events in, effects out."""
