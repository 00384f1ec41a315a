"""Layer norm of a row, step by step."""
