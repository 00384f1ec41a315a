"""The player, timeline and pairs of the Learn view."""
