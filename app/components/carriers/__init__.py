"""Transports between components and a browser; views, stages and controls import none of them."""
