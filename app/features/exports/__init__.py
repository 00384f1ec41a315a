"""Exports files."""
