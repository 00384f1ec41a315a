"""Decoding one token after another, with the keys and values of earlier ones kept.

The decoder sees only what is to the left (Section 3.1), so a new token changes no earlier row.
It is enough to compute the newest position, as long as the keys and values of the earlier ones
are still there. The layers do not know of it: they are run in a scope that keeps them.

Without the causal mask a new token does change the earlier rows, so that each step has to compute
all positions again; only what the source gave is kept.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.attention import Masking
from transformer_math.graph.scope import ForwardPass, Untraced
from transformer_math.model import EncoderOutput, Transformer, checked_ids
from transformer_math.ops import Op, log_softmax


class KeyValueCache:
    """What earlier steps computed and later ones need.

    Attributes:
        ids: (rows, n), every token so far, those of the present step included.
        known: how many positions earlier steps computed and a new token leaves as they are.
        cross: path -> (rows, h, m, ·), keys and values of the source, which stay as they are.
    """

    def __init__(self) -> None:
        self.ids = np.empty((0, 0), np.intp)
        self.known = 0
        self.cross: dict[str, np.ndarray] = {}
        self._grown: dict[str, np.ndarray] = {}

    def extended(self, path: str, new: np.ndarray) -> np.ndarray:
        """Keys or values (rows, h, known, ·) with new ones behind: a view of room that doubles."""
        n = self.known + new.shape[-2]
        room = self._grown.get(path)
        if room is None or n > room.shape[-2]:
            larger = np.empty((*new.shape[:-2], max(2 * n, 8), new.shape[-1]), new.dtype)
            if room is not None:
                larger[..., : self.known, :] = room[..., : self.known, :]
            room = self._grown[path] = larger
        room[..., self.known : n, :] = new
        return room[..., :n, :]

    def take(self, rows: np.ndarray) -> None:
        """Row i becomes what row ``rows[i]`` was."""
        self.ids = self.ids[rows]
        for kept in (self.cross, self._grown):
            for path, array in kept.items():
                kept[path] = array[rows]


class IncrementalScope(Untraced):
    """A scope that is given all positions and computes the newest alone."""

    __slots__ = ("cache",)

    def __init__(self, forward_pass: ForwardPass, cache: KeyValueCache, prefix: str = "") -> None:
        super().__init__(forward_pass, prefix)
        self.cache = cache

    def __call__(self, name: str, op: Op, *inputs: np.ndarray) -> np.ndarray:
        cache = self.cache
        if name == "positions":  # its op counts tokens, and has to count all of them
            return op.forward(cache.ids, *inputs[1:])[..., cache.known :, :]
        if name not in ("k", "v"):
            return op.forward(*inputs)
        path = self.prefix + name
        if not self.prefix.endswith("cross_attn."):
            return cache.extended(path, op.forward(*inputs))
        if path not in cache.cross:
            cache.cross[path] = op.forward(*inputs)
        return cache.cross[path]

    def input(self, name: str, value: np.ndarray) -> np.ndarray:
        known = self.cache.known
        return value[..., known:, :] if name == "mask" else value[..., known:]

    def sub(self, name: str) -> IncrementalScope:
        return IncrementalScope(self.forward_pass, self.cache, f"{self.prefix}{name}.")


class Decoder:
    """A model that is given its target token by token.

    ``Decoder(model, source).step(start)`` gives the logits after the start token, a further
    ``step`` those after the next token, and so on. They are what ``model.logits`` gives in its
    last row for all the tokens so far.
    """

    def __init__(
        self,
        model: Transformer,
        source_ids: ArrayLike | None,
        forbidden_tokens: Collection[int] = (),
        normalize_forbidden: bool = True,
    ) -> None:
        """Reads the source, (n,) or (rows, n); a decoder-only model has none.

        Forbidden tokens have the logit −∞: padding in many models, since they were never trained
        to write it. Without ``normalize_forbidden`` the others then have the log-probability that
        they had before as their logit.

        Raises:
            ValueError: the model has no decoder, or the ids are missing or out of the vocabulary.
        """
        config = model.config
        if config.kind == "encoder-only":
            raise ValueError("An encoder-only model has no decoder that could write a target.")
        self.model = model
        self._normalize = normalize_forbidden
        self._forbidden = _tokens(forbidden_tokens, config.target_vocabulary)
        self.rows: int | None = None  # known after the first step of a decoder-only model
        self._pass = ForwardPass(model.parameters, {}, examples=1)
        self._cache = KeyValueCache()
        self._encoded: EncoderOutput | None = None
        if config.encoder_layers:
            source = np.atleast_2d(checked_ids("source_ids", source_ids, config.source_vocabulary))
            self._encoded = model.encode(Untraced(self._pass), source)
            self.rows = len(source)

    @property
    def ids(self) -> np.ndarray:
        """Every token so far, (rows, n)."""
        return self._cache.ids

    def step(self, ids: ArrayLike) -> np.ndarray:
        """Takes the newest token of each row, or several: (rows,) or (rows, k) ids.

        Returns:
            The logits for the token after them, (rows, vocabulary).

        Raises:
            ValueError: ids are not one for each row or not in the vocabulary, learned positions
                are at their end, or the logits are not finite.
        """
        new = checked_ids("ids", ids, self.model.config.target_vocabulary)
        new = new.reshape(len(new), -1)
        if self.rows is not None and len(new) != self.rows:
            raise ValueError(f"There are ids for {len(new)} rows, and {self.rows} are decoded.")
        cache = self._cache
        before = cache.ids
        cache.ids = np.concatenate([before, new], axis=1) if before.size else new
        try:
            scope = IncrementalScope(self._pass, cache)
            logits: np.ndarray = self.model.decode(scope, cache.ids, self._encoded)[:, -1]
            if not np.isfinite(logits.max(-1)).all():
                raise ValueError("The model's logits are not finite, so no token can be chosen.")
        except ValueError:
            cache.ids = before
            raise
        if self._forbidden:
            if not self._normalize:
                logits = log_softmax(logits.astype(np.float64, copy=False))
            logits[:, self._forbidden] = -np.inf
            if not (logits.max(-1) > -np.inf).all():
                raise ValueError("All tokens that are not forbidden have the logit −∞.")
        self.rows = len(new)
        cache.known = cache.ids.shape[1] if self.model.config.causal_mask else 0
        return logits

    def reorder(self, rows: ArrayLike) -> None:
        """Row i goes on from where row ``rows[i]`` is; rows may be left out or come twice.

        Raises:
            ValueError: there are no such rows, or none is left.
        """
        picked = np.asarray(rows)
        if self.rows is None or not self.ids.size:
            raise ValueError("Rows are put in order after the first step.")
        if picked.ndim != 1 or not picked.size or picked.dtype.kind not in "iu":
            raise ValueError("The rows are a list of whole numbers, at least one.")
        if picked.min() < 0 or picked.max() >= self.rows:
            raise ValueError(f"The rows lie from 0 to {self.rows - 1}.")
        self._cache.take(picked)
        if self._encoded is not None:
            # The memory itself was read in the first step; its mask is read in every one.
            mask = self._encoded.mask
            mask = Masking(mask.op, *(array[picked] for array in mask.masks))
            self._encoded = self._encoded._replace(mask=mask)
        self.rows = len(picked)


def _tokens(forbidden: Collection[int], vocabulary: int) -> list[int]:
    """The tokens that may not be written, each once.

    Raises:
        ValueError: one is not in the vocabulary, or all of it is forbidden.
    """
    tokens = np.asarray(list(forbidden))
    if not tokens.size:
        return []
    found: list[int] = np.unique(checked_ids("forbidden_tokens", tokens, vocabulary)).tolist()
    if len(found) == vocabulary:
        raise ValueError("Every token is forbidden, so that none could be written.")
    return found
