"""Reads the stored reference values of ``tests/data``, whose README explains their origin."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

DATA = Path(__file__).parents[1] / "data"


class Stored(NamedTuple):
    """The settings of one file, and its arrays by name."""

    config: dict[str, Any]
    arrays: dict[str, np.ndarray]

    def under(self, prefix: str) -> dict[str, np.ndarray]:
        """Return the arrays whose names begin with ``prefix/``, without this prefix."""
        start = f"{prefix}/"
        return {
            name.removeprefix(start): array
            for name, array in self.arrays.items()
            if name.startswith(start)
        }

    def files(self) -> dict[str, bytes]:
        """Return the stored files of a case, by name."""
        return {name: array.tobytes() for name, array in self.under("file").items()}


def load(name: str) -> Stored:
    """Read one ``.npz`` of ``tests/data``."""
    with np.load(DATA / f"{name}.npz", allow_pickle=False) as file:
        arrays = {key: file[key] for key in file.files}
    return Stored(json.loads(str(arrays.pop("config"))), arrays)


def load_json(name: str) -> Any:
    """Read one ``.json`` of ``tests/data``."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
