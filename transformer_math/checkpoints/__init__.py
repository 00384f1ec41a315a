"""Models in files: safetensors, PyTorch, Hugging Face's folders, vocabularies and SentencePiece.

``read_files`` opens any of them. ``GivenFiles`` has the content, ``layouts`` has the array names of
each family, and ``read_state`` converts arrays to the config and the parameters of a model.
"""
