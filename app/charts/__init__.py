"""Bokeh figures."""
