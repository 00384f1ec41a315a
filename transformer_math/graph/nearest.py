"""Suggests similar paths in the error message for an unknown path."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from transformer_math.checks import NoSuchPath, described
from transformer_math.ops.tensor import split_head

MOST = 4  # maximum number of suggested paths


def no_such_path(path: object, known: Sequence[str]) -> NoSuchPath:
    """Return the error for a path that a pass does not have, with similar paths."""
    if isinstance(path, str):
        inside = [each for each in known if each.startswith(f"{_without_head(path)}.")]
        leaf = path.rpartition(".")[2]
        same = [each for each in known if each.rpartition(".")[2] == leaf]
        if inside:
            hint = f"It is a part of the model: name a tensor of it, such as {_some(inside)}."
        elif same:
            hint = f"Paths that end so: {_some(same)}."
        else:
            near = get_close_matches(path, known, MOST, 0.8)
            hint = f"Near to it: {_some(near)}." if near else "list(trace) has all of them."
    else:
        hint = "A path is a text, such as output.logits."
    return NoSuchPath(f"There is no tensor {_shown(path)} among the paths of this pass. {hint}")


def _shown(path: object) -> str:
    return path[:80] if isinstance(path, str) else described(path)


def _some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:MOST])


def _without_head(path: str) -> str:
    """Return ``encoder.0.self_attn`` for ``encoder.0.self_attn.head.1``."""
    return split_head(f"{path}.")[0].rstrip(".")
