"""Imports and exports models, vocabularies, weights, matrices as tables, and scripts."""
