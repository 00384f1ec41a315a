"""Random numbers that depend only on a seed and a name, not on what else is drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """Return an independent generator for each seed and name, for instance a parameter's path."""
    digest = hashlib.blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest, "little")))
