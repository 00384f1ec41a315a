"""Parses lesson files: Markdown with front matter and fenced directives."""
