"""The pit: every round of every table, collected, verified, stored, shown and audited."""
