"""Random numbers that depend on a seed and a name alone, whatever else is drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each seed and name, for instance a parameter's path."""
    digest = hashlib.blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest, "little")))
