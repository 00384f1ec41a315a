"""The header's file exports, and opening a model file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import theme
from ..components.exports.exports import Exports, File
from ..components.upload import Later
from ..explain import labels
from ..files import csv, model_file, npy
from ..files.open_model import opened_or_heads
from ..files.scripts import numpy_script, torch_script
from ..files.scripts.pass_snapshot import PassSnapshot
from ..matrices.address import whole_of
from ..matrices.gradients import matrix_gradient
from ..matrices.values import ScenarioTrace, matrix_values
from ..runtime.background import JobQueue
from ..runtime.limits import upload_bytes
from ..runtime.page_session import PageSession
from ..scenario.scenario import Scenario
from ..session.state import AppState
from ..stages.sheet import stretch

BYTES = "application/octet-stream"
MOST_CELLS = 1 << 22  # the most whose values are requested at once; a picture has far fewer

NO_MATRIX = "These are not the matrices of a page."


class ExportsView:
    """Creates files from the page's state, and scenarios from files."""

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.exports = Exports(
            work=JobQueue(page or PageSession()),
            hold=state.pending.hold,
            sizing_mode=None,
            palettes={
                name: theme.FONTS | theme.COLORS["light"] | theme.of_palette(name, "light")
                for name in theme.PALETTES
            },
            limit=upload_bytes(),
            on_make=self._make,
            on_open=self._open,
            on_values=lambda paths: Later(partial(_values, state.shown, paths)),
            on_seed=self._take_seed,
        )
        state.watch_calmly(self._fill, ["scenario", "selection"])
        self._fill()

    def _fill(self, *_: Any) -> None:
        selection, trace = self.state.selection, self.state.trace
        matrix = {}
        if selection is not None and selection.path in trace:
            path = selection.path
            matrix = {"path": path, "tex": trace[path].symbol, "where": labels.place_words(path)}
        scenario = self.state.scenario
        loaded = scenario.weights
        model = {
            # A trained model without its weights would be useless.
            "loaded": loaded is not None and not scenario.locked.why,
            "name": loaded.name if loaded else f"seed {scenario.settings.seed}",
        }
        if (matrix, model) != (self.exports.matrix, self.exports.model):
            self.exports.param.update(matrix=matrix, model=model)

    def _make(self, kind: str, path: str) -> Later:
        makers: dict[str, Callable[[ScenarioTrace, str], File]] = {
            "csv": _csv,
            "npy": _npy,
            "safetensors": _safetensors,
            "numpy": _script,
            "torch": _script,
        }
        if kind not in makers:
            raise ValueError("There is no file of that kind.")
        if kind in ("csv", "npy") and path not in self.state.trace:
            raise ValueError("Select a number first: its matrix can then be saved.")
        of = path if kind in ("csv", "npy") else kind
        return Later(partial(makers[kind], self.state.shown, of))

    def _open(self, files: dict[str, bytes], heads: int | None) -> Later:
        return Later(partial(opened_or_heads, files, self.state.scenario, heads), self._take)

    def _take(self, found: Scenario | list[int]) -> list[int] | None:
        # An ordinary change, so undo brings back what the file replaced, including edits.
        if isinstance(found, list):
            return found
        self.state.change(found.with_view_settings(self.state.scenario.view))
        return None

    def _take_seed(self) -> None:
        self.state.change(self.state.scenario.with_weights(None))


def _csv(shown: ScenarioTrace, path: str) -> File:
    scenario, trace = shown
    values, _ = matrix_values(scenario, trace, path)
    shape = values.shape[0], values.shape[1]
    rows, columns = stretch(scenario.axis_tokens, trace[path], (0, 0), shape)
    corner, name = labels.plain(trace[path].symbol), path
    if _shows_gradients(shown):
        values = _gradient(shown, path).reshape(values.shape)
        corner, name = f"∂loss/∂{corner}", f"{path}.gradient"
    data = csv.table(values, rows, columns, corner)
    return File(f"{name}.csv", "text/csv", data)


def _npy(shown: ScenarioTrace, path: str) -> File:
    if _shows_gradients(shown):
        return File(f"{path}.gradient.npy", BYTES, npy.array(_gradient(shown, path)))
    return File(f"{path}.npy", BYTES, npy.array(shown.trace[path].value))


def _shows_gradients(shown: ScenarioTrace) -> bool:
    return bool(shown.scenario.view.plane == "gradient")


def _gradient(shown: ScenarioTrace, path: str) -> np.ndarray:
    found = shown.trace[path].grad
    if found is None:
        raise ValueError("This matrix has no gradient: show the values to save those.")
    return found


def _safetensors(shown: ScenarioTrace, _kind: str) -> File:
    data = model_file.save(shown.scenario, shown.trace)
    return File("tinkerformer.safetensors", BYTES, data)


def _script(shown: ScenarioTrace, kind: str) -> File:
    snapshot = PassSnapshot.of_scenario(shown.scenario, shown.trace)
    text = (numpy_script if kind == "numpy" else torch_script).script(snapshot)
    return File(f"tinkerformer_{kind}.py", "text/x-python", text.encode())


def _values(shown: ScenarioTrace, paths: list[str]) -> dict[str, tuple[bytes | None, ...]]:
    scenario, trace = shown
    found: dict[str, tuple[bytes | None, ...]] = {}
    cells = 0
    for path in dict.fromkeys(paths):
        if whole_of(path) in trace:  # other parts: as on the board
            try:
                values, marks = matrix_values(scenario, trace, path)
            except (KeyError, IndexError):
                raise ValueError(NO_MATRIX) from None
            cells += values.size
            if cells > MOST_CELLS:
                raise ValueError("These are more numbers than a picture holds.")
            flags = None if marks is None else np.ascontiguousarray(marks, np.uint8).tobytes()
            second = None
            if _shows_gradients(shown):
                gradients = matrix_gradient(trace, path)
                second = np.ascontiguousarray(gradients, "<f4").tobytes()
            found[path] = (np.ascontiguousarray(values, "<f4").tobytes(), flags, second)
    return found
