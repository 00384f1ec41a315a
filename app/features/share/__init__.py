"""Shares the session as a link or a file."""
