"""Lists of tokens as chips."""
