"""The dealer's touch terminal: any PC or tablet with a browser at the table's serial line."""
