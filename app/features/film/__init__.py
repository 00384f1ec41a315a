"""The player of films."""
