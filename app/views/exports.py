"""The header: what can be taken away as a file, and a model brought back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app import labels, theme
from app.cells import drawn
from app.controls import Exports, File
from app.export import csv, npy, numpy_script, torch_script, weights
from app.export.recipe import Recipe
from app.stages.sheet import Sheet
from app.state import AppState
from transformer_math import checkpoint

BYTES = "application/octet-stream"


class ExportsView:
    """Makes files of what the visitor sees, and scenarios of files."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.exports = Exports(
            palettes={
                name: {**theme.FONTS, **theme.COLORS["light"], **heatmap["light"]}
                for name, heatmap in theme.HEATMAPS.items()
            },
            limit=checkpoint.MAX_BYTES,
            on_make=self._make,
            on_open=self._open,
            on_values=self._values,
            on_seed=self._take_seed,
        )
        state.param.watch(self._fill, ["scenario", "selection"])
        self._fill()

    def _fill(self, *events: Any) -> None:
        selection, trace = self.state.selection, self.state.trace
        matrix = {}
        if selection is not None and selection.path in trace:
            words = labels.place_words(selection.path)
            symbol = labels.plain(trace[selection.path].symbol)
            matrix = {"path": selection.path, "name": ", ".join(filter(None, [symbol, words]))}
        loaded = self.state.scenario.weights
        model = {
            "loaded": loaded is not None,
            "name": loaded.name if loaded else f"seed {self.state.scenario.settings.seed}",
        }
        if (matrix, model) != (self.exports.matrix, self.exports.model):
            self.exports.param.update(matrix=matrix, model=model)

    def _make(self, kind: str, path: str) -> File:
        makers: dict[str, Callable[[str], File]] = {
            "csv": self._csv,
            "npy": self._npy,
            "safetensors": self._safetensors,
            "numpy": self._script,
            "torch": self._script,
        }
        if kind in ("csv", "npy") and path not in self.state.trace:
            raise ValueError("Select a number first: its matrix can then be saved.")
        return makers[kind](path if kind in ("csv", "npy") else kind)

    def _csv(self, path: str) -> File:
        scenario, trace = self.state.scenario, self.state.trace
        sheet = Sheet(scenario, trace)
        sheet.show(path)
        entry = sheet.matrices[0]
        values, _ = drawn(scenario, trace, path)
        corner = labels.plain(trace[path].symbol)
        data = csv.table(values, entry["row_labels"], entry["col_labels"], corner)
        return File(f"{path}.csv", "text/csv", data)

    def _npy(self, path: str) -> File:
        return File(f"{path}.npy", BYTES, npy.array(self.state.trace[path].value))

    def _safetensors(self, kind: str) -> File:
        data = weights.save(self.state.scenario, self.state.trace)
        return File("tinkerformer.safetensors", BYTES, data)

    def _script(self, kind: str) -> File:
        recipe = Recipe.of_scenario(self.state.scenario, self.state.trace)
        text = (numpy_script if kind == "numpy" else torch_script).script(recipe)
        return File(f"tinkerformer_{kind}.py", "text/x-python", text.encode())

    def _values(self, paths: list[str]) -> dict[str, tuple[bytes, bytes | None]]:
        scenario, trace = self.state.scenario, self.state.trace
        found = {}
        for path in paths:
            if path in trace:
                values, marks = drawn(scenario, trace, path)
                flags = None if marks is None else np.ascontiguousarray(marks, np.uint8).tobytes()
                found[path] = (np.ascontiguousarray(values, "<f4").tobytes(), flags)
        return found

    def _open(self, name: str, data: bytes) -> None:
        # A change like any other: what a file replaces, edits included, can be come back to.
        self.state.change(weights.load(data, self.state.scenario, name))

    def _take_seed(self) -> None:
        self.state.change(self.state.scenario.with_weights(None))
