"""Python in a worker of the browser, with a port for each page that is open (all JavaScript)."""
