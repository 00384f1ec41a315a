"""Draws pictures that each explain one idea; each picture has its own folder."""
