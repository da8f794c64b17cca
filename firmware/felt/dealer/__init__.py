"""The dealer's side: screen, commands, pages to read."""
