"""The badge for what the board shows in place of values, with its largest cells."""
