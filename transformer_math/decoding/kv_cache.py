"""Incremental decoding with a cache of keys and values.

The decoder attends only to earlier positions (Section 3.1), so a new token changes no earlier row.
Each step computes the new position alone and reads the earlier keys and values from a cache. The
layers are unchanged: they run in a scope that keeps the cache.

Without the causal mask a new token changes the earlier rows, so each step computes all positions
again, and only the keys and values of the source are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.attention import Masking
from transformer_math.graph.scope import ForwardPass, Untraced
from transformer_math.model import EncoderOutput, Transformer, checked_ids
from transformer_math.ops import Op, log_softmax


class KeyValueCache:
    """The keys and values of earlier steps.

    Attributes:
        ids: (rows, n), all tokens so far, those of the present step included.
        known: the number of positions whose keys and values are cached.
        cross: path -> (rows, h, m, ·), keys and values of cross-attention.
    """

    def __init__(self) -> None:
        self.ids = np.empty((0, 0), np.intp)
        self.known = 0
        self.cross: dict[str, np.ndarray] = {}
        self._buffers: dict[str, np.ndarray] = {}  # path -> (rows, h, capacity, ·)

    def append(self, path: str, new: np.ndarray) -> np.ndarray:
        """Append keys or values (rows, h, ·, ·) and return a view of all of them."""
        n = self.known + new.shape[-2]
        buffer = self._buffers.get(path)
        if buffer is None or n > buffer.shape[-2]:
            larger = np.empty((*new.shape[:-2], max(2 * n, 8), new.shape[-1]), new.dtype)
            if buffer is not None:
                larger[..., : self.known, :] = buffer[..., : self.known, :]
            buffer = self._buffers[path] = larger
        buffer[..., self.known : n, :] = new
        return buffer[..., :n, :]

    def take(self, rows: np.ndarray) -> None:
        """Replace row i by row ``rows[i]``, for each i."""
        self.ids = self.ids[rows]
        for arrays in (self.cross, self._buffers):
            for path, array in arrays.items():
                arrays[path] = array[rows]


class IncrementalScope(Untraced):
    """A scope that computes only the new positions, and reads other positions from a cache."""

    __slots__ = ("cache",)

    def __init__(self, forward_pass: ForwardPass, cache: KeyValueCache, prefix: str = "") -> None:
        super().__init__(forward_pass, prefix)
        self.cache = cache

    def __call__(self, name: str, op: Op, *inputs: np.ndarray) -> np.ndarray:
        cache = self.cache
        if name == "positions":  # the op needs all ids, to count the positions
            return op.forward(cache.ids, *inputs[1:])[..., cache.known :, :]
        if name not in ("k", "v"):
            return op.forward(*inputs)
        path = self.prefix + name
        if not self.prefix.endswith("cross_attn."):
            return cache.append(path, op.forward(*inputs))
        if path not in cache.cross:
            cache.cross[path] = op.forward(*inputs)
        return cache.cross[path]

    def input(self, name: str, value: np.ndarray) -> np.ndarray:
        known = self.cache.known
        return value[..., known:, :] if name == "mask" else value[..., known:]

    def sub(self, name: str) -> IncrementalScope:
        return IncrementalScope(self.forward_pass, self.cache, f"{self.prefix}{name}.")


class Decoder:
    """A model that reads its target token by token.

    ``Decoder(model, source).step(start)`` gives the logits after the start token, the next
    ``step`` those after the next token, and so on. They equal the last row of ``model.logits`` for
    all tokens so far.

    Attributes:
        model: the model.
        rows: the number of targets; in a decoder-only model None before the first step.
        before_step: called before each step; it raises an exception to end the decoding.
    """

    def __init__(
        self,
        model: Transformer,
        source_ids: ArrayLike | None,
        forbidden_tokens: Collection[int] = (),
        normalize_forbidden: bool = True,
    ) -> None:
        """Encode the source.

        Args:
            model: the model.
            source_ids: (n,) or (rows, n); None for a decoder-only model.
            forbidden_tokens: tokens whose logits are set to −∞, such as padding, which many models
                were never trained to write.
            normalize_forbidden: if False, `step` returns, instead of logits, the log-probabilities
                of the other tokens, computed before any token is forbidden.

        Raises:
            ValueError: the model has no decoder, or ids are missing, not in the vocabulary, or
                given to a decoder-only model.
        """
        config = model.config
        if config.kind == "encoder-only":
            raise ValueError("An encoder-only model has no decoder that could write a target.")
        self.model = model
        self.before_step: Callable[[], None] | None = None
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
        elif source_ids is not None:
            raise ValueError(
                "This model is decoder-only and reads no source: give None for it, and what it "
                "goes on from as Decoding(…, prefix=ids)."
            )

    @property
    def ids(self) -> np.ndarray:
        """All tokens so far, (rows, n)."""
        return self._cache.ids

    def step(self, ids: ArrayLike) -> np.ndarray:
        """Read the next token of each row, or several: ids (rows,) or (rows, k).

        Returns:
            The logits for the token after them, (rows, vocabulary).

        Raises:
            ValueError: ids are not in the vocabulary or do not fit the rows, there are too few
                learned positions, or the logits are not finite.
        """
        if self.before_step is not None:
            self.before_step()
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
        """Replace row i by row ``rows[i]``, for each i; rows may be omitted or repeated.

        Raises:
            ValueError: there are no such rows, or the list is empty.
        """
        picked = np.asarray(rows)
        if self.rows is None or not self.ids.size:
            raise ValueError("Call step before reorder: there are no rows yet.")
        if picked.ndim != 1 or not picked.size or picked.dtype.kind not in "iu":
            raise ValueError("The rows are a list of whole numbers, at least one.")
        if picked.min() < 0 or picked.max() >= self.rows:
            raise ValueError(f"The rows lie from 0 to {self.rows - 1}.")
        self._cache.take(picked)
        if self._encoded is not None:
            # After the first step, which has read the memory, only the mask is needed.
            mask = self._encoded.mask
            mask = Masking(mask.op, *(array[picked] for array in mask.masks))
            self._encoded = self._encoded._replace(mask=mask)
        self.rows = len(picked)


def _tokens(forbidden: Collection[int], vocabulary: int) -> list[int]:
    """Return the forbidden tokens, checked, sorted and without duplicates.

    Raises:
        ValueError: a token is not in the vocabulary, or all tokens are forbidden.
    """
    tokens = np.asarray(list(forbidden))
    if not tokens.size:
        return []
    found: list[int] = np.unique(checked_ids("forbidden_tokens", tokens, vocabulary)).tolist()
    if len(found) == vocabulary:
        raise ValueError("Every token is forbidden, so that none could be written.")
    return found
