"""Shows the page in a notebook, connected to the notebook's kernel."""
