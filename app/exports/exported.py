"""Exports files: one matrix, the whole model, or a script that computes the pass."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..board.stages.sheet import axes_of_part
from ..explain import labels
from ..files import csv, model_file, npy
from ..files.scripts import numpy_script, torch_script
from ..files.scripts.pass_snapshot import PassSnapshot
from ..model.matrices.values import ScenarioTrace, matrix_values

BYTES = "application/octet-stream"
OF_A_MATRIX = ("csv", "npy")


class Exported(NamedTuple):
    """A file: its name, type and content."""

    name: str
    mime: str
    data: bytes


def check_export(trace: Trace, kind: str, path: str) -> None:
    """Check that a kind of file exists, and that the pass has the matrix for it.

    Raises:
        ValueError: the kind or the matrix does not exist; the message is one sentence.
    """
    if kind not in KINDS:
        raise ValueError(f"The kind of a file is one of {', '.join(KINDS)}.")
    if kind in OF_A_MATRIX and path not in trace:
        raise ValueError("Select a number first: its matrix can then be saved.")


def exported(shown: ScenarioTrace, kind: str, path: str) -> Exported:
    """Export a file.

    Args:
        shown: the scenario and its pass.
        kind: one of ``KINDS``.
        path: the matrix, if the kind is one of ``OF_A_MATRIX``.

    Raises:
        ValueError: see ``check_export``; or the matrix has no gradient.
    """
    check_export(shown.trace, kind, path)
    return KINDS[kind](shown, path)


def _csv(shown: ScenarioTrace, path: str) -> Exported:
    scenario, trace = shown
    values, _ = matrix_values(scenario, trace, path)
    shape = values.shape[0], values.shape[1]
    rows, columns = axes_of_part(scenario.axis_tokens, trace[path], (0, 0), shape)
    corner, name = labels.plain(trace[path].symbol), path
    if shows_gradients(shown):
        values = _gradient(shown, path).reshape(values.shape)
        corner, name = f"∂loss/∂{corner}", f"{path}.gradient"
    data = csv.table(values, rows["labels"], columns["labels"], corner)
    return Exported(f"{name}.csv", "text/csv", data)


def _npy(shown: ScenarioTrace, path: str) -> Exported:
    if shows_gradients(shown):
        return Exported(f"{path}.gradient.npy", BYTES, npy.array(_gradient(shown, path)))
    return Exported(f"{path}.npy", BYTES, npy.array(shown.trace[path].value))


def shows_gradients(shown: ScenarioTrace) -> bool:
    """Return whether the page shows gradients instead of values."""
    return bool(shown.scenario.view.plane == "gradient")


def _gradient(shown: ScenarioTrace, path: str) -> np.ndarray:
    found = shown.trace[path].grad
    if found is None:
        raise ValueError("This matrix has no gradient: show the values to save those.")
    return found


def _safetensors(shown: ScenarioTrace, _path: str) -> Exported:
    data = model_file.save(shown.scenario, shown.trace)
    return Exported("tinkerformer.safetensors", BYTES, data)


def _numpy(shown: ScenarioTrace, _path: str) -> Exported:
    return _script("numpy", numpy_script.script(PassSnapshot.of_scenario(*shown)))


def _torch(shown: ScenarioTrace, _path: str) -> Exported:
    return _script("torch", torch_script.script(PassSnapshot.of_scenario(*shown)))


def _script(library: str, text: str) -> Exported:
    return Exported(f"tinkerformer_{library}.py", "text/x-python", text.encode())


KINDS: dict[str, Callable[[ScenarioTrace, str], Exported]] = {
    "csv": _csv,
    "npy": _npy,
    "safetensors": _safetensors,
    "numpy": _numpy,
    "torch": _torch,
}
