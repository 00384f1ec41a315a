"""Conversion of a ``torch.nn.Transformer`` object, with the settings that its weights do not show.

PyTorch is not imported here, because a program that has the object has imported PyTorch.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.arrays import as_array
from transformer_math.checkpoints.state import ReadState, read_state
from transformer_math.config import CHOICES, DropoutRates

# The parts of a model that torch.nn.Transformer lacks: embeddings and an output layer.
PARTS = ("source_embedding", "target_embedding", "generator")


def is_module(thing: object) -> bool:
    """Return whether an object is a PyTorch module."""
    library = sys.modules.get("torch")
    return library is not None and isinstance(thing, library.nn.Module)


def from_torch_module(module: Any, parts: Mapping[str, Any], **settings: Any) -> ReadState:
    """Return the model of a PyTorch module.

    Heads, norm, activation, ε and dropout are read from the module.

    Args:
        module: a ``torch.nn.Transformer``, or a module that contains one.
        parts: name in ``PARTS`` -> module or weight; missing parts are searched for in the module.
            An output layer with the weight of the embedding is tied.
        settings: settings of ``Config`` that the module does not show, such as ``positions``.

    Raises:
        ValueError: a part is missing, or something does not fit.
    """
    inner = _transformer(module)
    state = dict(module.state_dict())
    if parts or inner is module:
        missing = [name for name in PARTS if parts.get(name) is None]
        if missing:
            listed = " and ".join(filter(None, [", ".join(missing[:-1]), missing[-1]]))
            raise ValueError(
                "A torch.nn.Transformer has neither embeddings nor an output layer: give "
                f"{listed}, or a module that has them beside it."
            )
        state = dict(inner.state_dict())
        for name, part in parts.items():
            state |= _weights(name, part)
    return read_state(state, **{**_settings_of(inner), **settings})


def _transformer(module: Any) -> Any:
    """Return the only Transformer in a module."""
    kind = sys.modules["torch"].nn.Transformer
    inside = [each for each in module.modules() if isinstance(each, kind)]
    if len(inside) != 1:
        how_many = "no torch.nn.Transformer" if not inside else f"{len(inside)} of them"
        raise ValueError(f"{type(module).__name__} has {how_many} in it, and one is shown.")
    return inside[0]


def _weights(name: str, part: Any) -> dict[str, np.ndarray]:
    """Return the weight, and the bias if there is one, of an embedding, linear layer or weight."""
    if not is_module(part):
        return {f"{name}.weight": as_array(part)}
    own = dict(part.state_dict())
    if not {"weight"} <= set(own) <= {"weight", "bias"}:
        raise ValueError(
            f"{name} is a {type(part).__name__}; one embedding or one linear layer is wanted."
        )
    return {f"{name}.{key}": as_array(tensor) for key, tensor in own.items()}


def _settings_of(transformer: Any) -> dict[str, Any]:
    """Return the settings of ``Config`` that a Transformer has as attributes."""
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
    """Return the name of an activation in ``Config``."""
    name = str(getattr(function, "__name__", type(function).__name__)).lower()
    if name not in CHOICES["activation"]:
        raise ValueError(f"The activation is {name}; known are {', '.join(CHOICES['activation'])}.")
    return name
