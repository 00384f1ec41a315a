"""Contains the features of the page, one folder each: component, view, texts and styles."""
