"""What is learned: tokenizers, pairs, and the dates of the date translator."""
