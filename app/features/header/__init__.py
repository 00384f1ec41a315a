"""The controls of the session: undo, redo, comparison, lens and plane."""
