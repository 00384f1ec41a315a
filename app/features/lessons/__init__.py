"""The list of lessons, and the open lesson."""
