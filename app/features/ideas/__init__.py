"""Shows the pictures of the ideas, one at a time."""
