"""Shows the tokens that a model generates, step by step."""
