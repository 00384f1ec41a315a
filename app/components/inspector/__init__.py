"""The selected number and the means to change it."""
