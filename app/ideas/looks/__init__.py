"""Who may look at whom, row by row."""
