"""The button that opens a panel of the page."""
