"""A ``torch.nn.Transformer`` as it stands in a program, with what its weights do not show.

Nothing of PyTorch is imported: who hands over a module has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints import torch
from transformer_math.checkpoints.state_dict import as_array
from transformer_math.config import CHOICES, Config, DropoutRates

# What the paper has and torch.nn.Transformer has not; further tables where positions are learned.
PARTS = ("source_embedding", "target_embedding", "generator")
_TABLES = ("source_positions", "target_positions")


def is_module(thing: object) -> bool:
    """Whether a thing is a module of PyTorch's."""
    library = sys.modules.get("torch")
    return library is not None and isinstance(thing, library.nn.Module)


def from_torch_module(
    module: Any, parts: Mapping[str, Any], **settings: Any
) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters by path of a module that is or holds a Transformer.

    Heads, norm, activation, ε and dropout are the module's own.

    Args:
        module: a ``torch.nn.Transformer``, or a module with one in it and the parts beside it.
        parts: ``PARTS`` by name, each a module or its weight; what is not there is looked for under
            its name in the module. An output layer that has the embedding's own weight is tied.
        settings: of ``Config``, what the modules do not show, such as ``positions``.

    Raises:
        ValueError: a part is missing, or something does not fit; one sentence.
    """
    inner = _transformer(module)
    state = {name: as_array(tensor) for name, tensor in inner.state_dict().items()}
    tables, missing = {}, []
    for name in (*PARTS, *_TABLES):
        part = parts.get(name)
        part = getattr(module, name, None) if part is None else part
        if part is not None:
            tables[name] = part
        elif name in PARTS:
            missing.append(name)
    if missing:
        listed = " and ".join(filter(None, [", ".join(missing[:-1]), missing[-1]]))
        raise ValueError(
            "A torch.nn.Transformer has neither embeddings nor an output layer: give "
            f"{listed}, or a module that has them under these names beside it."
        )
    for name, part in tables.items():
        state |= _weights(name, part)
    _leave_out_shared(tables, state)
    found = _told_by(inner) | settings
    config = torch.config_of(state, found.pop("heads"), **found)
    return torch.from_torch(state, config)


def _transformer(module: Any) -> Any:
    """The one Transformer in a module."""
    kind = sys.modules["torch"].nn.Transformer
    inside = [each for each in module.modules() if isinstance(each, kind)]
    if len(inside) != 1:
        how_many = "no torch.nn.Transformer" if not inside else f"{len(inside)} of them"
        raise ValueError(f"{type(module).__name__} has {how_many} in it, and one is shown.")
    return inside[0]


def _weights(name: str, part: Any) -> dict[str, np.ndarray]:
    """The weight, and perhaps the bias, of an embedding or a linear layer; or a weight alone."""
    if not is_module(part):
        return {f"{name}.weight": as_array(part)}
    own = dict(part.state_dict())
    if not {"weight"} <= set(own) <= {"weight", "bias"}:
        raise ValueError(
            f"{name} is a {type(part).__name__}; one embedding or one linear layer is wanted."
        )
    return {f"{name}.{key}": as_array(tensor) for key, tensor in own.items()}


def _leave_out_shared(parts: Mapping[str, Any], state: dict[str, np.ndarray]) -> None:
    """One table for both sides, and one for the output, are told by their absence."""
    source, target, output = (_weight(parts.get(name)) for name in PARTS)
    if target is source:
        del state["target_embedding.weight"]
    if output is target and "generator.bias" not in state:
        del state["generator.weight"]


def _weight(part: Any) -> Any:
    return getattr(part, "weight", part)


def _told_by(transformer: Any) -> dict[str, Any]:
    """What a Transformer has beside its weights, by the names of ``Config``."""
    stack = transformer.encoder if len(transformer.encoder.layers) else transformer.decoder
    layer = stack.layers[0]
    return {
        "heads": transformer.nhead,
        "norm": "pre" if layer.norm_first else "post",
        "activation": _activation(layer.activation),
        "epsilon": layer.norm1.eps,
        "dropout": DropoutRates.torch(layer.dropout.p),
    }


def _activation(function: Any) -> str:
    name = str(getattr(function, "__name__", type(function).__name__)).lower()
    if name not in CHOICES["activation"]:
        raise ValueError(f"The activation is {name}; known are {', '.join(CHOICES['activation'])}.")
    return name
