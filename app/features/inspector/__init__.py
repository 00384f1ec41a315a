"""The selected number, and the controls that change it."""
