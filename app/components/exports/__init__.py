"""The export of files."""
