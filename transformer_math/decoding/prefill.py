"""What all ways of decoding start with: the source read, the first tokens taken, limits checked."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.decoding.kv_cache import Decoder
from transformer_math.model import Transformer, checked_ids


def begin(
    model: Transformer,
    source_ids: ArrayLike | None,
    start: int,
    end: int,
    limit: int,
    prefix: ArrayLike | None,
    never: Collection[int] = (),
    *,
    one: bool = False,
) -> tuple[Decoder, np.ndarray]:
    """A decoder that took ``start`` and the prefix, and its first logits (rows, vocabulary).

    Raises:
        ValueError: ids, start, end or the limit do not fit the model, or there are several rows
            where ``one`` is asked for.
    """
    config = model.config
    decoder = Decoder(model, source_ids, never)
    for name, token in (("start", start), ("end", end)):
        if not is_whole(token) or not 0 <= token < config.target_vocabulary:
            last = config.target_vocabulary - 1
            raise ValueError(f"{name} is a token from 0 to {last}, not {token!r}.")
    if not is_whole(limit) or limit < 1:
        raise ValueError(f"limit is a whole number from 1, not {limit!r}.")
    given = np.empty((1, 0), np.intp)
    if prefix is not None and np.size(prefix):
        given = np.atleast_2d(checked_ids("prefix", prefix, config.target_vocabulary))
    rows = decoder.rows or len(given)
    if len(given) not in (1, rows):
        raise ValueError(f"The prefix has {len(given)} rows, and the source has {rows}.")
    if one and rows > 1:
        raise ValueError(f"This way of decoding takes one source at a time, not {rows}.")
    # The last token is written and not read any more, so it needs no position.
    positions = given.shape[1] + limit
    if config.positions == "learned" and positions > config.max_positions:
        raise ValueError(
            f"A limit of {limit} tokens needs {positions} positions, "
            f"and the model has learned {config.max_positions}."
        )
    first = np.empty((rows, 1 + given.shape[1]), np.intp)
    first[:, 0] = start
    first[:, 1:] = given
    return decoder, decoder.step(first)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
