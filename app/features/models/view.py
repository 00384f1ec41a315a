"""Shows the header's switch between models."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ...components.upload import Later
from ...files import catalog
from ...files.kinds import Kind, kind_of, with_words
from ...files.open_model import opened_or_heads
from ...model.scenario import model_names
from ...model.scenario.scenario import Scenario
from ...model.scenario.task_words import moment_words
from ...session.state import AppState
from ...transport.runtime.background import JobQueue
from ...transport.runtime.limits import upload_bytes
from ...transport.runtime.page_session import PageSession
from .models import Models

OTHER_MODEL = (
    "The comparison has ended, because another model was opened. Compare from here begins a "
    "new one."
)


# Opens files that are not models.
OnFiles = Callable[[dict[str, bytes]], Later]


class ModelsView:
    """Switches models; each model keeps its state, and the user can undo a switch.

    Files that are chosen in the dialog or dropped on the page are opened according to their
    content; ``others`` has the functions that open other kinds of files than models.
    """

    def __init__(
        self,
        state: AppState,
        page: PageSession | None = None,
        others: Mapping[str, OnFiles] | None = None,
    ) -> None:
        self.state = state
        self._others: Mapping[str, OnFiles] = {"vocabulary": self._open_words, **(others or {})}
        self._left: dict[str, Scenario] = {}
        self.models = Models(
            models=_entries(state.scenario, self._left),
            value=state.scenario.model,
            shown=state.scenario.model,
            sizing_mode=None,
            limit=upload_bytes(),
            on_open=self._open_files,
            work=JobQueue(page or PageSession()),
            hold=state.pending.hold,
            on_afresh=state.snapshots.start_afresh,
            when_settled=state.pending.when_settled,
        )
        self.models.param.watch(self._on_value, "value")
        state.watch_calmly(self._fill, "scenario")
        state.watch(self._on_fresh_start, "fresh_starts")

    def _fill(self, _event: Any) -> None:
        scenario = self.state.scenario
        self._left[scenario.model] = scenario
        entries = _entries(scenario, self._left)
        self.models.update_changed(models=entries, value=scenario.model, shown=scenario.model)
        # Drop a baseline of another model: its matrices differ, and the model may take much memory.
        baseline = self.state.baseline
        if baseline is not None and baseline.model != scenario.model:
            self.state.baseline = None
            self.state.notice = OTHER_MODEL
            if scenario.view.compares:
                self.state.change(scenario.with_view("plane", "value"))

    def _on_value(self, event: Any) -> None:
        name, now = event.new, self.state.asked
        if name == now.model:
            return
        self._left[now.model] = now
        left = self._left.get(name)
        new = catalog.chosen(name, now) if left is None else left
        self._take(dataclasses.replace(new, view=now.view))

    def _open_files(self, files: dict[str, bytes], heads: int | None) -> Later:
        def opening(kind: Kind) -> Later:
            other = self._others.get(kind)
            return self._open(files, heads) if other is None else other(files)

        return Later(partial(kind_of, files, self.state.scenario), opening)

    def _open_words(self, files: dict[str, bytes]) -> Later:
        def take(found: Scenario) -> None:
            self._take_opened(found)
            start, end = found.vocabulary.start, found.vocabulary.end
            ends = f" A text starts with “{start}” and ends with “{end}”." if start and end else ""
            self.state.notice = f"The words of {next(iter(files))} were added.{ends}"

        return Later(partial(with_words, files, self.state.scenario), take)

    def _open(self, files: dict[str, bytes], heads: int | None) -> Later:
        return Later(partial(opened_or_heads, files, self.state.scenario, heads), self._take_opened)

    def _take_opened(self, found: Scenario | list[int]) -> list[int] | None:
        if isinstance(found, list):
            return found
        self._take(found.with_view_settings(self.state.scenario.view))
        if found.weights is not None and found.weights.about:
            self.state.notice = found.weights.about
        return None

    def _on_fresh_start(self, event: Any) -> None:
        """Discard the kept states of the other models."""
        self._left.clear()
        self._fill(event)

    def _take(self, scenario: Scenario) -> None:
        self.state.oscillation = self.state.oscillation._replace(on=False)
        self.state.change(scenario)


def _entries(now: Scenario, left: dict[str, Scenario]) -> list[dict[str, Any]]:
    """Return the models to choose from, including the user's own and an opened model."""
    found = [entry._asdict() for entry in catalog.entries()]
    if moment := moment_words(now):
        for entry in found:
            if entry["name"] == now.model:
                entry["about"] = f"At {moment} of its training."
    own = left.get(model_names.OWN, now if now.model == model_names.OWN else None)
    if own is not None:
        is_pairs = own.data is None or own.data.name == "own"
        what = "pairs" if is_pairs else "texts"
        about = f"For {what} of your own: {own.config.parameter_count():,} parameters."
        found.append({"name": model_names.OWN, "label": f"Your {what}", "about": about})
    file = left.get(model_names.FILE, now if now.model == model_names.FILE else None)
    if file is not None and file.weights is not None:
        about = f"Opened from a file: {file.config.parameter_count():,} parameters."
        about = f"{about} {file.weights.about}".strip()
        found.append({"name": model_names.FILE, "label": file.weights.name, "about": about})
    return found
