"""Draws attention and masks: which position may attend to which, row by row."""
