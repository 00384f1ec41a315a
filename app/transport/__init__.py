"""Carries the page to browsers: through Panel's server, a worker or a notebook."""
