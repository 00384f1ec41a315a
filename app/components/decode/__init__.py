"""What a model writes, step by step."""
