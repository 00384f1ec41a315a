"""Many processes behind nginx: a page for a school on one machine."""
