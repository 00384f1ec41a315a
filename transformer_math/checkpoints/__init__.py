"""Models in files: safetensors, PyTorch, Hugging Face's folders, vocabularies and SentencePiece.

``read_files`` opens any of them. ``GivenFiles`` has the content, ``layouts`` has what each family
calls its arrays, and ``read_state`` turns arrays into the config and the parameters of a model.
"""
