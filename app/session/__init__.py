"""The session of one user: its state and undo history, and how they are saved and restored."""
