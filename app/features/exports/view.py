"""Exports files, and opens model files, from the header."""

from functools import partial
from typing import Any

import numpy as np

from ... import theme
from ...components.upload import Later
from ...explain import labels
from ...exports.exported import check_export, exported, shows_gradients
from ...files.open_model import opened_or_heads
from ...model.matrices.address import whole_of
from ...model.matrices.gradients import matrix_gradient
from ...model.matrices.values import ScenarioTrace, matrix_values
from ...model.scenario.scenario import Scenario
from ...session.state import AppState
from ...transport.runtime.background import JobQueue
from ...transport.runtime.limits import upload_bytes
from ...transport.runtime.page_session import PageSession
from .exports import NO_MATRIX, Exports, File

MOST_CELLS = 1 << 22  # the most cells of one request; a picture has far fewer


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
            # A model that is locked to its weights cannot use the weights of the seed.
            "loaded": loaded is not None and not scenario.locked.why,
            "name": loaded.name if loaded else f"seed {scenario.settings.seed}",
        }
        self.exports.update_changed(matrix=matrix, model=model)

    def _make(self, kind: str, path: str) -> Later:
        check_export(self.state.trace, kind, path)
        return Later(partial(_file, self.state.shown, kind, path))

    def _open(self, files: dict[str, bytes], heads: int | None) -> Later:
        return Later(partial(opened_or_heads, files, self.state.scenario, heads), self._take)

    def _take(self, found: Scenario | list[int]) -> list[int] | None:
        # An ordinary change, so undo restores the replaced scenario, including its edits.
        if isinstance(found, list):
            return found
        self.state.change(found.with_view_settings(self.state.scenario.view))
        return None

    def _take_seed(self) -> None:
        self.state.change(self.state.scenario.with_weights(None))


def _file(shown: ScenarioTrace, kind: str, path: str) -> File:
    return File(*exported(shown, kind, path))


def _values(shown: ScenarioTrace, paths: list[str]) -> dict[str, tuple[bytes | None, ...]]:
    scenario, trace = shown
    found: dict[str, tuple[bytes | None, ...]] = {}
    cells = 0
    for path in dict.fromkeys(paths):
        if whole_of(path) in trace:  # otherwise the browser draws the board's values
            try:
                values, marks = matrix_values(scenario, trace, path)
            except (KeyError, IndexError):
                raise ValueError(NO_MATRIX) from None
            cells += values.size
            if cells > MOST_CELLS:
                raise ValueError("These are more numbers than a picture holds.")
            flags = None if marks is None else np.ascontiguousarray(marks, np.uint8).tobytes()
            second = None
            if shows_gradients(shown):
                gradients = matrix_gradient(trace, path)
                second = np.ascontiguousarray(gradients, "<f4").tobytes()
            found[path] = (np.ascontiguousarray(values, "<f4").tobytes(), flags, second)
    return found
