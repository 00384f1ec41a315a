"""The session of one user: its state and undo history, with functions to save and restore them."""
