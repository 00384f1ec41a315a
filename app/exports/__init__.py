"""Exports a scenario to files, for the page and for Python programs."""
