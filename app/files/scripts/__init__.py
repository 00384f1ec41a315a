"""Generates scripts, in NumPy or PyTorch, that reproduce the page's numbers."""
