"""The center of the page: the board with all matrices of the forward pass."""
