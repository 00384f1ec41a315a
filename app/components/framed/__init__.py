"""The whole page in a frame, as one component."""
