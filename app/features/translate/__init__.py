"""Shows the text and its translation, above the settings."""
