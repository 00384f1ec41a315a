"""Shows a dialog that goes to a matrix or a control by its name."""
