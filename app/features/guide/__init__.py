"""A short introduction to the page, with things to try."""
