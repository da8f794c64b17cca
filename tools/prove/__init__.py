"""What shows that the table is right: vectors, oracle, power cuts, soak, statistics."""
