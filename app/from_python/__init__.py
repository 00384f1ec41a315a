"""The page as a Python object: in a notebook, or in a Panel app."""
