"""Weights that were loaded or trained, as opposed to drawn from a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from transformer_math import Config, initialization

from .edits import TOKEN_AXIS
from .vocabulary import side_of

MOST_NAMED = 8  # maximum number of other contents of a file that the sentence names


class Weights:
    """Every parameter of a model, read-only and compared by value.

    Rows and columns of tokens are looked up by the token, so that tokens can be typed, moved and
    removed; a token without a row in these weights gets a row drawn from the seed.
    """

    __slots__ = (
        "_digest",
        "_rows",
        "arrays",
        "name",
        "other",
        "source_vocabulary",
        "target_vocabulary",
    )

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        source_vocabulary: Sequence[str],
        target_vocabulary: Sequence[str],
        name: str = "",
        other: tuple[str, ...] = (),
    ) -> None:
        kept = {path: np.array(array) for path, array in arrays.items()}
        for array in kept.values():
            array.flags.writeable = False
        self.arrays = MappingProxyType(kept)  # path -> array
        self.source_vocabulary = tuple(source_vocabulary)
        self.target_vocabulary = tuple(target_vocabulary)
        self.name = name  # for the user, for instance the file's name
        self.other = other  # other contents of the weights' file, such as ``epoch 12``
        self._rows = {
            side: {token: i for i, token in enumerate(tokens)}
            for side, tokens in (
                ("source", self.source_vocabulary),
                ("target", self.target_vocabulary),
            )
        }
        self._digest = _digest(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"Weights({self.name!r}, {len(self.arrays)} arrays, {self._digest.hex()[:8]})"

    def __deepcopy__(self, memo: object) -> Weights:
        return self  # immutable

    @property
    def about(self) -> str:
        """A sentence on the unused contents of the file; empty if there are none."""
        if not self.other:
            return ""
        more = len(self.other) - MOST_NAMED
        named = ", ".join(self.other[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"Beside the weights, {self.name} holds {named}; that is not used."

    def mismatches(self, config: Config) -> list[str]:
        """Return the reasons why these weights do not fit a configuration, each as a clause.

        The number of tokens is not checked, because rows are looked up by token.
        """
        shapes = config.parameter_shapes()
        found = []
        for path, shape in shapes.items():
            array = self.arrays.get(path)
            if array is None:
                found.append(f"{path} {shape} is missing")
            elif _without_tokens(path, array.shape) != _without_tokens(path, shape):
                found.append(f"{path} has the shape {array.shape} instead of {shape}")
        return found + [f"{path} has no place" for path in self.arrays if path not in shapes]

    def parameters(
        self,
        config: Config,
        seed: int,
        source_vocabulary: tuple[str, ...],
        target_vocabulary: tuple[str, ...],
    ) -> dict[str, np.ndarray]:
        """Return the parameters for these vocabularies; ``ValueError`` if there are mismatches."""
        if wrong := self.mismatches(config):
            raise ValueError(f"{wrong[0]}.")
        if self._has_rows_of(source_vocabulary, target_vocabulary):
            return dict(self.arrays)
        drawn = initialization.parameters(config, seed, source_vocabulary, target_vocabulary)
        found = {}
        for path, array in self.arrays.items():
            axis = TOKEN_AXIS.get(path.rpartition(".")[2])
            if axis is None:
                found[path] = array
                continue
            side = side_of(path, bool(config.decoder_layers))
            theirs = source_vocabulary if side == "source" else target_vocabulary
            at = self._rows[side]
            known = [i for i, token in enumerate(theirs) if token in at]
            value = np.moveaxis(drawn[path], axis, 0).copy()
            value[known] = np.moveaxis(array, axis, 0)[[at[theirs[i]] for i in known]]
            found[path] = np.moveaxis(value, 0, axis)
        return found

    def _has_rows_of(self, source: Sequence[str], target: Sequence[str]) -> bool:
        return (self.source_vocabulary, self.target_vocabulary) == (source, target)


def _without_tokens(path: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    axis = TOKEN_AXIS.get(path.rpartition(".")[2])
    return shape if axis is None else (*shape[:axis], -1, *shape[axis + 1 :])


def _digest(weights: Weights) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    tokens = (weights.source_vocabulary, weights.target_vocabulary)
    digest.update(repr(tokens).encode())
    for path in sorted(weights.arrays):
        array = weights.arrays[path]
        digest.update(f"\0{path}\0{array.dtype.str}\0{array.shape}\0".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()
