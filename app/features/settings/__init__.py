"""Shows the settings of the model and of the display."""
