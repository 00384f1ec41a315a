"""One view for each region of the page. Views do not know of one another."""
