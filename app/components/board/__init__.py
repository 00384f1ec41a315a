"""The component that draws every matrix of the page."""
