"""The page of Tinkerformer."""
