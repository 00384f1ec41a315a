"""Builds the page as static files for any file host; its Python runs in the browser."""
