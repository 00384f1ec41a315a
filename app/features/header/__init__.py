"""Shows the controls of the session: undo, redo, the comparison and the display."""
