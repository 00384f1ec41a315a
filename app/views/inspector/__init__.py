"""The right panel: the selected number."""
