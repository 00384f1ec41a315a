"""Guesses the parameters of arrays by their shapes and by words in their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from transformer_math.checkpoints.assignment import Assignment, Source

SIDES = {
    "source": {"src", "source", "enc", "encoder", "input", "in"},
    "target": {"tgt", "trg", "target", "dec", "decoder", "output", "out"},
}
_TABLE = {"emb", "embed", "embedding", "embeddings", "embedder", "tok", "token", "tokens", "word"}
_TABLE |= {"words", "lut", "wte", "vocab", "shared"}
_POSITION = {"pe", "wpe"}  # and any word that begins with pos
_OUTPUT = {"generator", "head", "fc", "proj", "projection", "linear", "logits", "lm", "unembed"}
_OUTPUT |= {"out", "output", "decoder", "predictor", "prediction", "classifier", "final"}

NORM_PARTS = {
    **dict.fromkeys(("weight", "gamma", "a_2", "scale"), "gamma"),
    **dict.fromkeys(("bias", "beta", "b_2", "shift"), "beta"),
}


def words_of(name: str) -> list[str]:
    """Return a name's words in lower case: ``src_tokEmb.weight`` gives src, tok, emb, weight."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]


def around(found: Assignment, arrays: Mapping[str, np.ndarray], width: int) -> Assignment:
    """Find embeddings, positions, output and a last norm among the arrays without a path.

    Args:
        found: the arrays of the layers.
        arrays: all arrays of the state.
        width: d_model.
    """
    stacks = [
        stack for stack in ("encoder", "decoder") if f"{stack}.0.self_attn.gamma" in found.sources
    ]
    sides = ["source" if stack == "encoder" else "target" for stack in stacks]
    guesses = {
        path: name
        for path, name in guess_around(found.rest, arrays, width, sides)
        if path not in found.sources
    }
    sources = found.sources | {path: [Source(name)] for path, name in guesses.items()}
    rest = [name for name in found.rest if name not in guesses.values()]
    return found._replace(sources=sources, rest=rest)


def guess_around(
    names: list[str], arrays: Mapping[str, np.ndarray], width: int, sides: list[str]
) -> list[tuple[str, str]]:
    """Return path and name of each array outside of the layers; leave out ambiguous arrays.

    Args:
        names: the arrays to look at.
        arrays: all arrays of the state.
        width: d_model.
        sides: ``source`` if there is an encoder, and ``target`` if there is a decoder.
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kind = _kind(name, arrays, width)
        if kind:
            kinds.setdefault(kind, []).append(name)
    found = _by_side("W_e", kinds.get("table", []), sides)
    found += _by_side("W_p", kinds.get("positions", []), sides)
    for kind, path in (("output", "output.W_out"), ("output bias", "output.b_out")):
        if len(kinds.get(kind, [])) == 1:
            found.append((path, kinds[kind][0]))
    for kind, leaf in (("gamma", "gamma"), ("beta", "beta")):
        for name in kinds.get(kind, []):
            words = set(words_of(name))
            named = [side for side in sides if words & SIDES[side]] if len(sides) > 1 else sides
            if len(named) != 1:
                continue
            if words & (_TABLE | {"input"}) or _is_of_positions(words):
                found.append((f"{named[0]}.{leaf}", name))
            else:
                stack = "encoder" if named == ["source"] else "decoder"
                found.append((f"{stack}.final.{leaf}", name))
    return found


def _kind(name: str, arrays: Mapping[str, np.ndarray], width: int) -> str | None:
    """Return the kind of an array: table, positions, output, its bias, or γ or β of a norm."""
    array, words = arrays[name], words_of(name)
    stem, _, last = name.rpartition(".")
    if array.dtype.kind != "f" or array.ndim == 0:
        return None
    if array.ndim == 1:
        weight = arrays.get(f"{stem}.weight")
        if last == "bias" and weight is not None and weight.ndim == 2:
            return "output bias" if weight.shape == (len(array), width) else None
        if len(array) == width and {"norm", "ln", "layernorm"} & set(words):
            return NORM_PARTS.get(last)
        return None
    if array.shape[-1] != width or array.size != max(array.shape[:-1]) * width:
        return None
    if _is_of_positions(words):
        return "positions"
    if array.ndim != 2:
        return None
    if f"{stem}.bias" in arrays:
        return "output"
    is_output = bool(set(words) & _OUTPUT) and not set(words) & _TABLE
    return "output" if is_output else "table"


def _is_of_positions(words: Iterable[str]) -> bool:
    return any(word in _POSITION or word.startswith("pos") for word in words)


def _by_side(leaf: str, names: list[str], sides: list[str]) -> list[tuple[str, str]]:
    """Return the tables of each side; a single table belongs to both sides."""
    if len(names) == 1:
        return [(f"{side}.{leaf}", names[0]) for side in sides]
    of_side: dict[str, list[str]] = {}
    for name in names:
        words = set(words_of(name))
        named = [side for side in sides if words & SIDES[side]]
        of_side.setdefault(named[0] if len(named) == 1 else "", []).append(name)
    rest = of_side.pop("", [])
    open_sides = [side for side in sides if side not in of_side]
    if len(rest) == 1 and len(open_sides) == 1:
        of_side[open_sides[0]] = rest
    return [(f"{side}.{leaf}", these[0]) for side, these in of_side.items() if len(these) == 1]
