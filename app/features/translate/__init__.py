"""The text and its translation, above the settings."""
