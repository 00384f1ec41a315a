"""Files of models: safetensors, weights of PyTorch and Marian, and SentencePiece."""
