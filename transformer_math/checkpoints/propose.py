"""Proposes the parameters of an unknown model's arrays; the user must check the proposal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.assignment import Assignment, Source, assign
from transformer_math.checkpoints.buffers import is_weight
from transformer_math.checkpoints.guess import NORM_PARTS, guess_around, words_of
from transformer_math.checkpoints.state import layout_of, with_guesses

_NUMBER = re.compile(r"(?<=[._a-z])\d{1,4}(?=\.)")
_AROUND = {"embed", "embedding", "embeddings", "emb", "pos", "positional"}
_CROSS = {"cross", "memory", "mem", "src", "encdec", "multihead", "enc", "encoder", "inter"}
_ATTENTION = {"attn", "attention", "sa", "mha", "self", "msa", "ca"} | _CROSS
_NETWORK = {"ff", "ffn", "ffwd", "mlp", "feed", "feedforward", "fc", "pwff", "positionwise"}
_ROLES = {
    "qkv": {"qkv", "wqkv", "in"},
    "kv": {"kv", "wkv"},
    "q": {"q", "query", "queries", "wq", "qw"},
    "k": {"k", "key", "keys", "wk", "kw"},
    "v": {"v", "value", "values", "wv", "vw"},
    "o": {"o", "out", "output", "wo", "proj", "projection", "dense", "ow"},
}
_SUBLAYERS = ("self_attn", "cross_attn", "feed_forward")
_USUAL = {
    "norm": "post",
    "activation": "relu",
    "positions": "sinusoidal",
    "embedding_scale": True,
}


def proposal(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Return a mapping of names as ``custom_layout`` reads it.

    ``settings`` has the settings that no shape shows, with null for ``heads``. ``arrays`` has name
    -> path, or null without a proposal; a known family has its own mapping.

    Raises:
        ValueError: the arrays cannot be those of a Transformer.
    """
    try:
        layout = layout_of(arrays)
    except ValueError:
        settings, paths = _USUAL, _of_words(arrays)
    else:
        found = with_guesses(layout, assign(layout, arrays), arrays)
        settings, paths = (
            _USUAL | {**layout.assumed, **layout.settings},
            _of_assignment(found, arrays),
        )
    if any("W_p" in path for path in paths.values() if path):  # the table shows their kind
        settings = {name: value for name, value in settings.items() if name != "positions"}
    return {"settings": {"heads": None, **settings}, "arrays": paths}


def _of_assignment(found: Assignment, names: Iterable[str]) -> dict[str, str | None]:
    """Return name -> path of the arrays of a layout."""
    paths: dict[str, list[tuple[str, Source]]] = {}
    both = [(path, each) for path, sources in found.sources.items() for each in sources]
    for path, source in both + found.spare:
        paths.setdefault(source.name, []).append((path, source))
    for path, sources in found.added.items():
        for source in sources:
            paths.setdefault(source.name, []).append((f"+ {path}[{source.row}]", source))
    proposed: dict[str, str | None] = {}
    for name in names:
        these = paths.get(name, [])
        if these and these[0][1].head is not None:
            name = _by_heads(name)
        proposed[name] = _joined(these)
    return proposed


def _by_heads(name: str) -> str:
    """Return the name with a pattern in place of its last number, which is that of a head."""
    *_, last = re.finditer(r"(?<=\.)\d+(?=\.)", name)
    return f"{name[: last.start()]}{{h}}{name[last.end() :]}"


def _joined(paths: list[tuple[str, Source]]) -> str | None:
    """Return the paths of one array, in the form of a mapping."""
    if not paths:
        return None
    first, source = paths[0]
    if source.parts > 1:
        letters = "".join(path[-1] for path, _ in sorted(paths, key=lambda each: each[1].part))
        return f"{first[:-1]}{letters}"
    rows = f"[{source.first_row}:]" if source.first_row else ""
    return ", ".join(f"{path}{rows}" for path, _ in paths)


def _of_words(arrays: Mapping[str, np.ndarray]) -> dict[str, str | None]:
    """Return name -> path by words in the names, by shapes, and by the order of the file."""
    floats = {name: array for name, array in arrays.items() if is_weight(array)}
    layers: dict[tuple[str, int], list[str]] = {}
    rest = []
    for name in floats:
        place = _layer(name)
        if place is None:
            rest.append(name)
        else:
            layers.setdefault(place, []).append(name)
    proposed: dict[str, str | None] = dict.fromkeys(arrays)
    for (stack, n), names in layers.items():
        for name, leaf in _sublayers(names, floats).items():
            proposed[name] = f"{stack}.{n}.{leaf}"
    sides = {"encoder": "source", "decoder": "target"}
    there = [side for stack, side in sides.items() if any(stack == s for s, _ in layers)]
    for path, name in guess_around(rest, floats, _width(floats), there or ["target"]):
        both = proposed[name]
        proposed[name] = f"{both}, {path}" if both else path
    return proposed


def _width(arrays: Mapping[str, np.ndarray]) -> int:
    """Return d_model, the most frequent size of an axis."""
    sizes = Counter(size for array in arrays.values() for size in array.shape if size > 1)
    if not sizes:
        raise ValueError("These arrays have no shapes of a model.")
    return int(sizes.most_common(1)[0][0])


def _layer(name: str) -> tuple[str, int] | None:
    """Return the stack and the number of an array's layer; None outside of layers."""
    number = _NUMBER.search(name)
    if number is None:
        return None
    words = words_of(name[: number.start()])
    if set(words) & _AROUND:
        return None
    is_encoder = any(word.startswith("enc") for word in words)
    return "encoder" if is_encoder else "decoder", int(number[0])


def _sublayers(names: list[str], arrays: Mapping[str, np.ndarray]) -> dict[str, str]:
    """Return name -> sublayer and parameter for one layer's arrays, in the order of the file."""
    found: dict[str, str] = {}
    attentions = _attentions(name for name in names if arrays[name].ndim > 1)
    matrices = {name: _kind(name, attentions) for name in names if arrays[name].ndim > 1}
    if "self_attn" not in matrices.values():
        matrices = {n: kind.replace("cross", "self") for n, kind in matrices.items()}
    if "cross_attn" not in matrices.values() and len(attentions) == 2:  # in the paper's order
        matrices |= {n: "cross_attn" for n in matrices if _module(n) == attentions[1]}
    there = [kind for kind in _SUBLAYERS if kind in matrices.values()]
    for kind in there:
        of_kind = [name for name, each in matrices.items() if each == kind]
        roles = ["1", "2"] if kind == "feed_forward" else _roles(of_kind)
        for name, role in zip(of_kind, roles, strict=False):
            bias = f"{name.removesuffix('weight')}bias"
            found |= {name: f"{kind}.W_{role}"} if role else {}
            found |= {bias: f"{kind}.b_{role}"} if role and bias in names else {}
    modules = {name.rpartition(".")[0] for name in matrices}
    norms = [n for n in names if n not in found and n.rpartition(".")[0] not in modules]
    stems = list(dict.fromkeys(name.rpartition(".")[0] for name in norms))
    kinds = dict(zip(stems, _norm_kinds(stems, there, attentions), strict=False))
    for name in norms:
        stem, _, last = name.rpartition(".")
        if stem in kinds:
            leaf = NORM_PARTS.get(last, "gamma")
            found[name] = f"{kinds[stem]}.{leaf}"
    return found


def _attentions(matrices: Iterable[str]) -> list[str]:
    """Return the modules with queries, keys and values, under any names."""
    roles: dict[str, set[str]] = {}
    for name in matrices:
        roles.setdefault(_module(name), set()).add(_role(name))
    return [module for module, its in roles.items() if {"q", "k", "v"} <= its]


def _module(name: str) -> str:
    """Return the module of a matrix: ``blocks.0.att`` of ``blocks.0.att.wq.weight``."""
    return name.removesuffix(".weight").rpartition(".")[0]


def _kind(name: str, attentions: Collection[str]) -> str:
    """Return the sublayer of an array by its module and the words after the number of its layer."""
    words = _words_inside(name)
    is_attention = bool(words & _ATTENTION) or any("att" in word for word in words)
    if not is_attention and _module(name) not in attentions:
        return "feed_forward"
    return "cross_attn" if words & _CROSS and "self" not in words else "self_attn"


def _words_inside(name: str) -> set[str]:
    """Return the words of a name after the number of its layer."""
    number = _NUMBER.search(name)
    return set(words_of(name[number.end() :] if number else name))


def _roles(names: list[str]) -> list[str]:
    """Return the role of each matrix of an attention, by its last words or by the usual order."""
    roles = list(map(_role, names))
    if len(set(roles)) == len(roles) and all(roles):
        return roles
    return {2: ["qkv", "o"], 4: list("qkvo")}.get(len(names), [""] * len(names))


def _role(name: str) -> str:
    """Return the role of an attention's matrix by its last words; empty if they show no role."""
    words = set(words_of(name.removesuffix(".weight"))[-2:])
    return next((role for role, known in _ROLES.items() if words & known), "")


def _norm_kinds(stems: list[str], there: list[str], attentions: list[str]) -> list[str]:
    """Return the sublayer of each norm, by its words or else by its order among the norms."""
    told = _ATTENTION | _NETWORK
    named = [_kind(each, attentions) if _words_inside(each) & told else "" for each in stems]
    rest = iter(kind for kind in there if kind not in named)
    return [name or next(rest, "feed_forward") for name in named]
