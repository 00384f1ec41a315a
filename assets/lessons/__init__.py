"""The lessons that come with the page."""
