"""Rules as data and settlement, one file a game; nothing here does I/O."""
