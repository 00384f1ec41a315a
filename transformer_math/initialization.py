"""Initial parameters: Glorot-uniform weights, embeddings with standard deviation d_model^(−1/2).

Multiplied by √d_model (Section 3.4), embeddings then have a standard deviation of 1, similar to the
positional encoding that is added. Biases and β start at 0, γ at 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from transformer_math import seeding
from transformer_math.checks import naming
from transformer_math.config import Config


def parameters(
    config: Config,
    seed: int,
    source_tokens: Sequence[str] | None = None,
    target_tokens: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """Return path -> initial value, which depends only on the seed and the path.

    With tokens given, their rows of the embedding tables and their columns of the output weights
    depend only on the seed and the token.

    Raises:
        ValueError: the number of tokens is not the size of the vocabulary.
    """
    with naming("source_tokens"):
        source = _checked_tokens(source_tokens, config.source_vocabulary)
    with naming("target_tokens"):
        target = _checked_tokens(target_tokens, config.target_vocabulary)
    values = {}
    for path, shape in config.parameter_shapes().items():
        leaf = path.rpartition(".")[2]
        if leaf == "W_e":
            tokens = source if path.startswith("source") else target
            value = _embedding(seed, shape, tokens)
        elif leaf == "W_out":
            tokens = target if config.decoder_layers else source
            value = _output(seed, path, shape, tokens)
        elif leaf == "gamma":
            value = np.ones(shape)
        elif leaf == "beta" or leaf.startswith("b_"):
            value = np.zeros(shape)
        elif leaf == "W_p":
            value = seeding.generator(seed, path).normal(0, shape[1] ** -0.5, shape)
        else:
            value = _glorot(seed, path, shape)
        values[path] = value.astype(config.dtype)
        values[path].flags.writeable = False
    return values


def _glorot(seed: int, path: str, shape: tuple[int, ...]) -> np.ndarray:
    """Draw from ±√(6 / (fan_in + fan_out)), uniformly; all heads count as one matrix (d, h·k)."""
    if len(shape) == 3:
        heads, fan_in, width = shape
        fan_out = heads * width
    else:
        fan_in, fan_out = shape
    limit = math.sqrt(6 / (fan_in + fan_out))
    return seeding.generator(seed, path).uniform(-limit, limit, shape)


def _embedding(seed: int, shape: tuple[int, ...], tokens: Sequence[str] | None) -> np.ndarray:
    """Draw rows with standard deviation d^(−1/2), from one generator, or one for each token."""
    size, d = shape
    if tokens is None:
        return seeding.generator(seed, "token").normal(0, d**-0.5, shape)
    rows = [seeding.generator(seed, f"token {t}").normal(0, d**-0.5, d) for t in tokens]
    return np.array(rows).reshape(size, d)


def _output(
    seed: int, path: str, shape: tuple[int, ...], tokens: Sequence[str] | None
) -> np.ndarray:
    """Draw columns uniformly from ±√(3 / d), which does not depend on the vocabulary's size."""
    d, size = shape
    limit = math.sqrt(3 / d)
    if tokens is None:
        return seeding.generator(seed, path).uniform(-limit, limit, (size, d)).T
    columns = [seeding.generator(seed, f"{path} {t}").uniform(-limit, limit, d) for t in tokens]
    return np.array(columns).reshape(size, d).T


def _checked_tokens(tokens: Sequence[str] | None, size: int) -> Sequence[str] | None:
    """Return the tokens, if there are as many as the vocabulary has."""
    if tokens is not None and len(tokens) != size:
        raise ValueError(f"{len(tokens)} tokens are named, and the vocabulary has {size}.")
    return tokens
