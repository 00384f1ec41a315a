"""What the board shows in place of values, and where that is largest."""
