"""Shows experiments on a model, with their lists, tables and bars."""
