"""Writes reference values: one ``.npz`` of plain arrays, no pickle, settings as JSON.

Readers need only NumPy, and the same run writes the same bytes: no time, no machine.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def save(name: str, settings: dict[str, object], arrays: dict[str, np.ndarray]) -> None:
    """Write ``name.npz`` beside this file and print its size."""
    path = HERE / f"{name}.npz"
    settings_json = np.array(json.dumps(settings, sort_keys=True))
    np.savez_compressed(path, allow_pickle=False, config=settings_json, **arrays)
    print(f"{path.name}: {len(arrays)} arrays, {path.stat().st_size / 1024:.0f} kB")
