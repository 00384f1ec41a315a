"""The overrides and hooks of a pass, as its caller gives them.

An override replaces a parameter or a computed tensor, or single cells of the tensor. A hook
replaces the value with the result of a function of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checks import described, has_nan, naming
from transformer_math.graph import paths
from transformer_math.graph.nearest import no_such_path
from transformer_math.ops.override import Hook, Override
from transformer_math.ops.tensor import Index, as_index, split_head

Cells: TypeAlias = Mapping[Index, ArrayLike] | Mapping[int, ArrayLike]
Overrides: TypeAlias = Mapping[str, ArrayLike | Cells]
Hooks: TypeAlias = Mapping[str, Hook]


def by_stored_path(overrides: Overrides | None, hooks: Hooks | None = None) -> dict[str, Override]:
    """Return stored path -> override, which includes the overrides of single heads.

    Raises:
        ValueError: a path selects a head of a tensor without heads, an index is invalid, a value is
            not a number or an array of numbers, or a hook is not a function.
    """
    found: dict[str, Override] = {}
    if overrides:
        with naming("overrides"):
            for path, what in overrides.items():
                _add(found, path, what)
    for path, hook in (hooks or {}).items():
        with naming("hooks"):
            stored, head = _split(path)
        if not callable(hook):
            raise ValueError(
                f"hooks: that of {path} is a function of its value, not {described(hook)}."
            )
        found.setdefault(stored, Override(stored)).hooks.append((head, hook))
    return found


def _add(found: dict[str, Override], path: str, what: ArrayLike | Cells) -> None:
    """Add the override of one path to those of its stored tensor."""
    stored, head = _split(path)
    override = found.setdefault(stored, Override(stored))
    if isinstance(what, Mapping):
        for index, number in what.items():
            override.cells[cell_of(path, as_index(path, index))] = _number(path, number)
    elif head is None:
        override.whole = _numbers(path, what)
    else:
        override.heads[head] = _numbers(path, what)


def check_all_used(found: Mapping[str, Override], known: Iterable[str] = ()) -> None:
    """Check that a pass has used every override.

    Args:
        found: stored path -> override.
        known: the paths of the pass, to suggest a similar path.

    Raises:
        NoSuchPath: the pass has no tensor of that path.
    """
    for path, override in found.items():
        if not override.used:
            with naming("hooks" if override.hooks else "overrides"):
                raise no_such_path(path, [*known])


def cell_of(path: str, index: Index) -> Index:
    """Return the index in the stored tensor of a cell that a path addresses.

    The index of a cell of one head may begin with that head, as in the result of ``silenced``.
    """
    stored, head = split_head(path)
    if head is None or (index[:1] == (head,) and len(index) == _axes(stored)):
        return index
    return (head, *index)


def _axes(stored: str) -> int | None:
    """Return the number of axes of a tensor; None if its path is unknown."""
    prefix, _, leaf = stored.rpartition(".")
    spec = paths.TENSORS.get(paths.kind_of(prefix), {}).get(leaf)
    return None if spec is None else len(spec.dims)


def _split(path: str) -> tuple[str, int | None]:
    """Return the stored path and the head, None for all heads.

    Raises:
        ValueError: the path selects a head of a tensor without heads.
    """
    if not isinstance(path, str):
        raise no_such_path(path, [])
    stored, head = split_head(path)
    if head is not None:
        prefix, _, leaf = stored.rpartition(".")
        spec = paths.TENSORS.get(paths.kind_of(prefix), {}).get(leaf)
        if spec is not None and "head" not in spec.dims:
            raise ValueError(
                f"{stored} belongs to all heads together, so that no single head of it can be set."
            )
    return stored, head


def _number(path: str, what: Any) -> ArrayLike:
    """Return a number, or an array with a number for each frame; a float unchanged, to be fast."""
    return what if type(what) is float and what == what else _numbers(path, what)


def _numbers(path: str, what: Any) -> np.ndarray:
    try:
        array = np.asarray(what)
    except ValueError:  # rows of unequal length
        array = np.asarray(None)
    if array.dtype.kind not in "biuf" or has_nan(array):
        raise ValueError(
            f"{path} is set to a number or an array of numbers, not to {described(what)}."
        )
    return array
