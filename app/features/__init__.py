"""The features of the page: each has its component, view, texts and styles in one folder."""
