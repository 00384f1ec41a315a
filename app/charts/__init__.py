"""Draws the charts of the page as Bokeh figures."""
