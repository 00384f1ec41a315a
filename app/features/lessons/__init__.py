"""Shows the list of lessons, and the open lesson."""
