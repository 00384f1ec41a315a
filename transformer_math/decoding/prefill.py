"""The first step of all ways of decoding, which reads the source, the start and the prefix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.decoding.kv_cache import Decoder
from transformer_math.decoding.settings import Decoding
from transformer_math.model import Transformer, checked_ids


def prefill(
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    *,
    one: bool = False,
) -> tuple[Decoder, np.ndarray]:
    """Return a decoder after ``start`` and the prefix, and its logits (rows, vocabulary).

    Args:
        model: the model.
        source_ids: (n,) or (rows, n); None for a decoder-only model.
        decoding: the settings of decoding.
        one: whether only a single row is allowed.

    Raises:
        ValueError: ids or settings do not fit the model, or there are several rows with ``one``.
    """
    config = model.config
    decoder = Decoder(model, source_ids, decoding.forbidden_tokens, decoding.normalize_forbidden)
    for name, token in (("start", decoding.start), ("end", decoding.end)):
        if token >= config.target_vocabulary:
            last = config.target_vocabulary - 1
            raise ValueError(f"{name} is a token from 0 to {last}, not {token!r}.")
    prefix = np.empty((1, 0), np.intp)
    if np.size(decoding.prefix):
        prefix = np.atleast_2d(checked_ids("prefix", decoding.prefix, config.target_vocabulary))
    rows = decoder.rows or len(prefix)
    if len(prefix) not in (1, rows):
        raise ValueError(f"The prefix has {len(prefix)} rows, and the source has {rows}.")
    if one and rows > 1:
        raise ValueError(f"This way of decoding takes one source at a time, not {rows}.")
    # The last token is written but not read, so it needs no position.
    positions = prefix.shape[1] + decoding.max_length
    if config.positions == "learned" and positions > config.max_positions:
        raise ValueError(
            f"A length of {decoding.max_length} tokens needs {positions} positions, "
            f"and the model has learned {config.max_positions}."
        )
    first = np.empty((rows, 1 + prefix.shape[1]), np.intp)
    first[:, 0] = decoding.start
    first[:, 1:] = prefix
    decoder.before_step = decoding.before_step
    return decoder, decoder.step(first)
