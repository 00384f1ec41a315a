"""Runs experiments on trained models: silencing, patching and pulling."""
