"""Lessons: the list of them, and the one that is open."""
