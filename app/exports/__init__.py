"""The files that the page and Python programs export of a scenario."""
