"""Reads a model from any kind of files; the kind follows from their content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints import own_file, refused, told
from transformer_math.checkpoints.given_files import Files, GivenFiles
from transformer_math.checkpoints.layouts import layouts
from transformer_math.checkpoints.layouts.layout import Layout
from transformer_math.checkpoints.names import Names, custom_layout
from transformer_math.checkpoints.state import ReadState, layout_of, read_state


def read_files(
    files: Files | GivenFiles,
    heads: int | None = None,
    names: Names | None = None,
    *,
    family: str | None = None,
    **settings: Any,
) -> ReadState:
    """Return the model in a file, a folder, or content by name.

    Args:
        files: a file of Tinkerformer or PyTorch or in safetensors format; a folder of Hugging
            Face, perhaps with weights in parts; or name -> content.
        heads: the number of heads, if no file contains it.
        names: array -> path, for models of unknown families; see ``custom_layout``.
        family: the required ``model_type`` in ``config.json``.
        settings: settings of ``Config``, which replace those of the files.

    Raises:
        Wanted: no file contains the number of heads; the error has the possible numbers.
        NoSuchFile: there is no such path.
        ValueError: a file is damaged or of an unsupported kind, or arrays do not fit; the message
            is one sentence.
    """
    given = files if isinstance(files, GivenFiles) else GivenFiles(files)
    config_json = given.config()
    if family is not None:
        _check_family(config_json, family)
    weights = given.weights()
    names = given.mapping() if names is None else names
    if names is None and own_file.is_own(weights.arrays, weights.metadata):
        given_heads = {} if heads is None else {"heads": heads}
        return own_file.read(weights.arrays, weights.metadata, {**settings, **given_heads})
    beside = {**told.of_metadata(weights.metadata), **told.of_values(weights.values)}
    if names is None:
        refused.check(config_json, weights.arrays)
        layout = _layout(config_json, weights.arrays)
    else:
        layout, own = custom_layout(names)
        beside |= own
    found = read_state(
        weights.arrays, layout, config_json=config_json, told=beside, heads=heads, **settings
    )
    for path, array in found.parameters.items():
        bad = array.size - np.count_nonzero(np.isfinite(array))
        if bad:
            raise ValueError(f"{path} has {bad:,} values that are NaN or infinite.")
    return found


def _check_family(config_json: Mapping[str, Any] | None, family: str) -> None:
    """Check that a ``config.json`` is of one kind of model.

    Raises:
        ValueError: the file is missing, or its model type is not ``family``.
    """
    if config_json is None:
        raise ValueError("config.json is missing.")
    kind = config_json.get("model_type")
    if kind != family:
        raise ValueError(f"The config is of the model type {kind!r:.40}; read is {family!r}.")


def _layout(config_json: Mapping[str, Any] | None, arrays: Mapping[str, np.ndarray]) -> Layout:
    """Return the family by the type of the config, or by the names.

    Raises:
        ValueError: no family fits.
    """
    kind = (config_json or {}).get("model_type")
    if kind is None:
        return layout_of(arrays)
    for layout in layouts():
        if kind in layout.types:
            return layout
    known = ", ".join(sorted(name for layout in layouts() for name in layout.types))
    raise ValueError(
        f"This is a model of the type {kind!r:.40}, which is none of {known}: "
        "“tinkerformer names FILE” proposes a mapping for names=."
    )
