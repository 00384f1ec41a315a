"""Everything with JavaScript: the Python, JavaScript and CSS of each component in a folder."""
