"""Decides whether the address of a cell still means the same cell in another scenario."""

import functools
import hashlib

from transformer_math.graph.paths import TENSORS, kind_of

from .axis_tokens import POSITION_AXES
from .matrix_address import matrix_address
from .model_names import FILE
from .scenario import Scenario
from .vocabulary import Vocabulary

# While none of these fields changes, every address keeps its meaning.
_SAME = ("model", "settings", "source", "answers", "own_vocabulary", "locked", "writes_itself")


def model_name(scenario: Scenario) -> str:
    """Return the name of the model, followed by the name of its file if it has one."""
    weights = scenario.weights if scenario.model == FILE else None
    return scenario.model if weights is None else f"{scenario.model}: {weights.name}"


def structure_digest(scenario: Scenario) -> str:
    """Return a short digest that is equal for scenarios in which all cell addresses mean the same.

    Words that the model writes itself are left out, because any edit may change them.
    """
    target = None if scenario.writes_itself else scenario.target
    shapes = sorted(scenario.config.parameter_shapes().items())
    of = model_name(scenario), shapes, scenario.source, target, _digest(scenario.vocabulary)
    return hashlib.blake2b(repr(of).encode(), digest_size=8).hexdigest()


@functools.lru_cache(maxsize=16)  # the largest vocabularies have tens of thousands of words
def _digest(vocabulary: Vocabulary) -> str:
    words = repr((vocabulary.source, vocabulary.target)).encode()
    return hashlib.blake2b(words, digest_size=8).hexdigest()


def is_same_cell(
    before: Scenario, now: Scenario, path: str, row: int | None, column: int | None
) -> bool:
    """Return whether an address, made in ``before``, means the same cell ``now``.

    The model, the tensor's sizes and, on axes of words, the words at the row and column have to be
    the same. A word that the model writes itself is identified by position. None means all
    rows or columns.
    """
    if _have_same_cells(before, now):
        return True
    if model_name(before) != model_name(now):
        return False
    stored = matrix_address(path).stored
    old, new = before.shape(stored), now.shape(stored)
    if old is None or new is None or len(old) != len(new):
        return False
    prefix, _, leaf = stored.rpartition(".")
    dims = TENSORS[kind_of(prefix)][leaf].dims
    places = [*[None] * len(dims), row, column][-len(dims) :] if len(dims) > 1 else [column]
    return all(
        _is_same_place(before, now, stored, dim, place) if _is_of_words(dim) else m == n
        for dim, place, m, n in zip(dims, places, old, new, strict=True)
    )


def _have_same_cells(before: Scenario, now: Scenario) -> bool:
    return (
        all(getattr(before, name) == getattr(now, name) for name in _SAME)
        and (now.writes_itself or before.target == now.target)
        and model_name(before) == model_name(now)
    )


def _is_of_words(dim: str) -> bool:
    return dim == "vocab" or dim in POSITION_AXES


def _is_same_place(
    before: Scenario, now: Scenario, stored: str, dim: str, place: int | None
) -> bool:
    """Return whether an axis of words has the same word at an index in both scenarios."""
    if place is None:
        return True
    axes = before.axis_tokens, now.axis_tokens
    words = [axis.read_along(stored, dim) or () for axis in axes]
    if any(not 0 <= place < len(each) for each in words):
        return False
    is_written = dim in POSITION_AXES and axes[1].side(stored, dim) == "target"
    if is_written and before.writes_itself and now.writes_itself:
        return True
    return words[0][place] == words[1][place]
