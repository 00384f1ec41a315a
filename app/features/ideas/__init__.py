"""The view of the ideas, which shows one picture at a time."""
