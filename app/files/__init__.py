"""Import and export: models from files, vocabularies, matrices as tables, weights, scripts."""
