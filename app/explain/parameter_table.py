"""Counts a model's parameters by kind, with formulas."""

import math
from typing import NamedTuple

from transformer_math import Config
from transformer_math.graph.paths import TENSORS, kind_of

SIZES = {
    "head": "h",
    "vocab": "V",
    "d_model": r"d_{\mathrm{model}}",
    "d_ff": r"d_{\mathrm{ff}}",
    "d_k": "d_{k}",
    "d_v": "d_{v}",
    "head_d_v": "h·d_{v}",
    "max_position": r"n_{\mathrm{positions}}",
}

GROUPS = {
    "W_e": "embeddings",
    "W_p": "learned positions",
    "W_q": "attention projections",
    "W_1": "feed-forward",
    "b_1": "feed-forward",
    "W_2": "feed-forward",
    "b_2": "feed-forward",
    "gamma": "layer norms",
    "beta": "layer norms",
    "W_out": "output",
    "b_out": "output",
    "W_t": "output",
    "b_t": "output",
}


class Line(NamedTuple):
    """One kind of parameter: its count, and its size in symbols and in numbers."""

    group: str
    symbol: str  # LaTeX; it differs for the tables of source and target
    times: int
    symbols: str  # LaTeX
    size: tuple[int, ...]

    @property
    def total(self) -> int:
        return self.times * math.prod(self.size)


def lines(config: Config) -> list[Line]:
    """Return the kinds of parameters, in the order of the forward pass."""
    found: dict[tuple[str, tuple[int, ...]], Line] = {}
    for path, shape in config.parameter_shapes().items():
        prefix, _, leaf = path.rpartition(".")
        spec = TENSORS[kind_of(prefix)][leaf]
        dims, key = spec.dims, (spec.symbol, shape)
        times = found[key].times if key in found else 0
        symbols = "·".join(SIZES.get(dim, dim) for dim in dims)
        group = GROUPS.get(leaf, "attention projections")
        found[key] = Line(group, spec.symbol, times + 1, symbols, shape)
    return list(found.values())
