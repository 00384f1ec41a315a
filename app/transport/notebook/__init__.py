"""A page in a notebook, live through its kernel."""
