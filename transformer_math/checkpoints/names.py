"""Mappings of names that users write: a layout for one model, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from transformer_math.checkpoints.layouts.layout import Layout
from transformer_math.checkpoints.safetensors import CheckpointError

Names = str | PathLike[str] | bytes | Mapping[str, Any]


def custom_layout(names: Names) -> tuple[Layout, dict[str, Any]]:
    """Return the layout of a mapping, and the settings in it that are not null.

    Args:
        names: array -> path, or null for an array that is left out; or an object with this mapping
            as ``arrays``, and with ``settings``; or one of these as JSON or in a file.

    Raises:
        CheckpointError: ``names`` has another form.
        OSError: the file cannot be read.
    """
    if isinstance(names, str | PathLike):
        names = Path(names).read_bytes()
    if isinstance(names, bytes):
        try:
            names = json.loads(names.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            raise CheckpointError("The mapping of names is not JSON.") from None
    if not isinstance(names, Mapping):
        raise CheckpointError("The mapping of names is not a JSON object.")
    arrays = names.get("arrays", names)
    settings = names.get("settings", {}) if "arrays" in names else {}
    if not isinstance(arrays, Mapping) or not isinstance(settings, Mapping):
        raise CheckpointError("In the mapping of names, arrays and settings must be JSON objects.")
    for name, path in arrays.items():
        if not isinstance(name, str) or not isinstance(path, str | None):
            raise CheckpointError(f"The mapping has neither a path nor null for {name!s:.80}.")
    layout = Layout(
        name="a model by the given names",
        mark="",
        arrays={name: path for name, path in arrays.items() if path},
        left_out=tuple(name for name, path in arrays.items() if not path),
        is_mapping=True,
    )
    return layout, {name: value for name, value in settings.items() if value is not None}
