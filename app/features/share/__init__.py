"""The session as a link or a file."""
