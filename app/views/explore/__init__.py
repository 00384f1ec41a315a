"""The center: all matrices of the pass, on the board."""
