"""The controls of the Learn view."""
