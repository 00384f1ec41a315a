"""Shows the selected number, and the controls for changing it."""
