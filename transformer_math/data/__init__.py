"""Training data: tokenizers, pairs of texts, and the data of two small translators."""
