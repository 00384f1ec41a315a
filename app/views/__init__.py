"""One view per region of the page; views do not import each other."""
