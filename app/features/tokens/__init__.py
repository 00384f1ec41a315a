"""Shows lists of tokens as chips."""
