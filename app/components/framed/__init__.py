"""The whole page in an iframe, as one component."""
