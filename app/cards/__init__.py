"""Creates previews of links to the page: title, sentence and picture."""
