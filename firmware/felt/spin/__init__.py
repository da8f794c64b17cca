"""Bonus Spin: random generator, its health tests and the weighted wheel."""
