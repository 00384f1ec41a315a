"""The views of the center."""
