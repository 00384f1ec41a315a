"""Lessons as they are written: Markdown with front matter and fences."""
