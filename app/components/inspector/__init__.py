"""The selected number, and controls to change it."""
