"""The badge for the plane that the board shows instead of values, with its largest cells."""
