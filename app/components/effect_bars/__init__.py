"""Which word matters: a list of bars, the answer without one thing after another."""
