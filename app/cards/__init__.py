"""Previews of links to the page: title, sentence and picture."""
