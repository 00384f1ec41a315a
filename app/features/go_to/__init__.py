"""A dialog that leads to a matrix by its name."""
