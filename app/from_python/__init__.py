"""Offers the page as a Python object, for notebooks and Panel apps."""
