"""The view of the ideas: one picture at a time."""
