"""Weights in files: safetensors, PyTorch's and Marian's names, SentencePiece."""
