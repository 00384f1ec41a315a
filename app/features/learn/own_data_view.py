"""Shows the choice of training data at the top of the Train room, including the user's own."""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ...components.upload import Later
from ...files import catalog
from ...files.kinds import no_data
from ...learning import TrainingPlan, TrainingSession, texts
from ...learning.draft import ENCODINGS, Draft, data_of, too_many
from ...model.scenario import model_names
from ...model.scenario.lock import ALL
from ...model.scenario.scenario import Scenario
from ...model.scenario.training_data import DataName, TrainingData
from ...session.offer import UNDO, Offer
from ...session.state import AppState
from ...transport.runtime.background import JobQueue
from ...transport.runtime.concurrency import BackgroundTasks
from ...transport.runtime.derived import Derived
from ...transport.runtime.limits import upload_bytes
from ...transport.runtime.page_session import PageSession
from .train_on import TrainOn

MAX_BYTES = 8 << 20  # the most bytes that are read from all files together
SHOWN = 100  # the number of table rows shown
FEW = 20  # with fewer rows, only one is held out
MAX_UNDO = 50
DATA = [
    ["phrases", "Phrases: English to French"],
    ["dates", "Dates: 1676-11-30 written out"],
    ["next-word", "English phrases: the next word"],
    ["blanks", "French phrases: fill in the blank"],
]
OWN = {
    "own": "Your own pairs",
    "own-next-word": "Your own texts: the next word",
    "own-blanks": "Your own texts: fill in the blank",
}
NOTHING = ["", "nothing yet"]
# The task for the user's own data, by the kind of the model.
_LEARNED: dict[str, DataName] = {
    "decoder-only": "own-next-word",
    "encoder-only": "own-blanks",
    "encoder-decoder": "own",
}


class Prepared(NamedTuple):
    """A draft with its counts and checks."""

    draft: Draft
    shown: dict[str, Any]  # the draft as data for the dialog
    # The untrained model that learns the draft; None if the draft cannot be learned.
    scenario: Scenario | None = None
    problem: str = ""  # the reason why the draft cannot be learned; empty if it can be
    most_words: int = 0  # the number of most frequent words that can be learned; 0 if all can


class TrainOnView:
    """Shows the training data of the page's model, and trains a new model on the user's data."""

    def __init__(
        self, state: AppState, session: TrainingSession, page: PageSession | None = None
    ) -> None:
        self.state = state
        self.session = session
        self._page = page or PageSession()
        self._tasks = BackgroundTasks()
        self._is_open = False
        self._description: Derived[str] = Derived(self._page, self._fill_if_open)
        self._found = prepared(Draft.empty(), state.scenario)
        self._before: list[Draft] = []  # earlier drafts, for undo
        self.component = TrainOn(
            work=JobQueue(self._page),
            hold=state.pending.hold,
            limit=min(MAX_BYTES, upload_bytes()),
            disabled=state.address.lock == ALL,
            on_open=self._on_files,
            on_change=self._on_change,
            on_ask=self._on_ask,
            on_train=self._on_train,
        )
        self._show_draft(self._found)
        self.component.param.watch(self._on_value, "value")
        state.watch(self._fill_if_open, "scenario")

    def show(self, is_open: bool) -> None:
        self._is_open = is_open
        self._fill_if_open()

    # -- the choice ----------------------------------------------------------------------------

    def _fill_if_open(self, _event: object = None) -> None:
        if not self._is_open:
            return
        data = self.state.scenario.data
        name = "" if data is None else data.name
        own = [[name, OWN[name]]] if name in OWN else []
        self.component.update_changed(
            value=name,
            options=[*DATA, *own, *([] if name else [NOTHING])],
            note="" if data is None else self._described(data),
            own="your own pairs…" if self._suitable == "own" else "your own texts…",
        )

    def _described(self, data: TrainingData) -> str:
        """Return a note on the data; own data may be large and is counted in a thread."""
        found = self._description.want(
            data, lambda _check: texts.pairs_summary(data.pairs()), subject=data
        )
        return found.value or found.note

    @property
    def _suitable(self) -> DataName:
        """Return the task that the page's model could learn from the user's own data."""
        return _LEARNED[self.state.scenario.config.kind]

    def _on_value(self, event: Any) -> None:
        data, before = self.state.scenario.data, self.state.scenario
        name = "" if data is None else data.name
        if event.new != name and event.new in model_names.TRAINED:
            self.state.change(catalog.chosen(event.new, before))
            self._offer_the_model_before(before)

    def _offer_the_model_before(self, before: Scenario) -> None:
        """Notify the user that the new data replaced the model, and offer to restore the model."""
        state, now = self.state, self.state.scenario
        if now.model != before.model:
            sizes = f"{now.config.parameter_count():,} parameters"
            state.offer = Offer(f"Another model is on the page now, of {sizes}.", UNDO)

    # -- the user's own data -------------------------------------------------------------------

    def opening(self, files: dict[str, bytes]) -> Later:
        """Read files, for example dropped ones, and open the dialog with their rows.

        Files without pairs are read as texts.
        """
        limit = self.component.limit // max(1, len(files))
        begun = {name: _beginning(content, limit) for name, content in files.items()}

        def show(found: Prepared) -> dict[str, Any]:
            if begun != files:
                self.state.notice = f"Only the first {limit >> 20} MB of a file were read."
            self.component.wanted = True
            return self._take(found)

        return Later(lambda: self._prepared(lambda _draft: self._of_files(begun)), show)

    def _of_files(self, files: dict[str, bytes]) -> Draft:
        try:
            return Draft.empty().with_files(files)
        except ValueError as error:
            texts_of = self._suitable if self._suitable != "own" else "own-next-word"
            try:
                return Draft.empty(texts_of).with_files(files)
            except ValueError:
                raise error from None

    def _on_ask(self) -> Later:
        """Fill the dialog with its draft, else with the page's own data, else with no rows."""
        self.component.wanted = False
        data, draft = self.state.scenario.data, self._found.draft
        if not draft.given.rows:
            is_own = data is not None and data.is_own and data.text
            draft = Draft.of(data) if data and is_own else Draft.empty(self._suitable)
        return Later(lambda: prepared(draft, self.state.scenario), self._show_draft)

    def _on_files(self, files: dict[str, bytes], row: int | None) -> Later:
        now, is_pasted = self.state.scenario, not any(files)

        def read() -> Prepared | str:
            other = "" if is_pasted else no_data(files, now)
            return other or self._prepared(lambda draft: draft.with_files(files, row))

        def take(found: Prepared | str) -> dict[str, Any]:
            return {"elsewhere": found} if isinstance(found, str) else self._take(found)

        return Later(read, take)

    def _on_change(self, message: dict[str, Any]) -> Later:
        match message.get("name"):
            case "undo":
                return Later(self._undone, self._show_draft)
            case "frequent":
                most = self._found.most_words or None
                return self._later(lambda draft: dataclasses.replace(draft, most_words=most))
        return self._later(partial(_changed, message))

    def _later(self, change: Callable[[Draft], Draft]) -> Later:
        return Later(lambda: self._prepared(change), self._take)

    def _prepared(self, change: Callable[[Draft], Draft]) -> Prepared:
        return prepared(change(self._found.draft), self.state.scenario)

    def _undone(self) -> Prepared:
        before = self._before.pop() if self._before else self._found.draft
        return prepared(before, self.state.scenario)

    def _take(self, found: Prepared) -> dict[str, Any]:
        if found.draft != self._found.draft:
            self._before = [*self._before[-MAX_UNDO:], self._found.draft]
        return self._show_draft(found)

    def _show_draft(self, found: Prepared) -> dict[str, Any]:
        self._found = found
        self.component.draft = {**found.shown, "can_undo": bool(self._before)}
        return {}

    def _on_train(self) -> Later:
        return Later(lambda: self._prepared(lambda draft: draft), self._train)

    def _train(self, found: Prepared) -> dict[str, Any]:
        """Show the model that learns the draft, and train it; a ValueError explains a refusal."""
        if found.scenario is None:
            raise ValueError(found.problem or "There is nothing to learn yet: paste or type rows.")
        before = self.state.scenario
        self.state.change(dataclasses.replace(found.scenario, view=before.view))
        self._offer_the_model_before(before)
        self.state.pending.when_settled(lambda: self._tasks.start(self.session.play(as_shown=True)))
        self._found, self._before = Prepared(Draft.empty(), {}), []
        return {}


def _beginning(content: bytes, limit: int) -> bytes:
    """Return a file, or only the first complete lines of a file that exceeds a limit."""
    return content if len(content) <= limit else content[: content.rfind(b"\n", 0, limit) + 1]


def _changed(message: dict[str, Any], draft: Draft) -> Draft:
    """Return the draft after a message that changes it; a ValueError explains a refusal."""
    match message:
        case {"type": "edit", "row": row, "column": column, "text": text}:
            return draft.with_cell(row, column, text)
        case {"type": "remove", "row": row}:
            return draft.without(row)
        case {"name": "encoding", "value": name}:
            return draft.with_encoding(name)
        case {"name": "learned", "value": name} if name in OWN:
            return draft.with_learned(name)
        case {"name": "unit", "value": "word" | "character" as unit}:
            return dataclasses.replace(draft, unit=unit)
        case {"name": "swap"}:
            return draft.swapped()
        case {"name": "clear"}:
            return Draft.empty(draft.learned)
    raise ValueError("There is no such choice.")


def prepared(draft: Draft, now: Scenario) -> Prepared:
    """Count and check a draft, and create its model, with the view settings of ``now``."""
    own = draft.checked()
    scenario = None
    problem, most = too_many(own)
    if not own.rows and own.report.skipped:
        problem = own.report.reasons()
    if not problem and own.rows:
        try:
            scenario = catalog.of_pairs(data_of(draft.learned, own))
            scenario = dataclasses.replace(scenario, view=now.view)
            problem, most = too_many(own, TrainingPlan.of(scenario))
        except ValueError as error:
            problem = str(error)
    scenario = None if problem else scenario
    report, rows = own.report, draft.given.rows
    reported = report.sentences() if rows or report.skipped else []
    if draft.unit is None and report.count:
        reported.insert(1, texts.tokens_by(report.unit))
    if scenario is not None and scenario.data is not None and report.count < FEW:
        reported.append(texts.unseen(scenario.data.pairs()))
    several = f"these {report.count:,} {report.name}s"
    what = several if report.count > 1 else f"this {report.name}"
    shown = {
        "learned": draft.learned,
        "unit": report.unit,
        "columns": draft.names,
        "rows": [list(row.texts) for row in rows[:SHOWN]],
        "places": draft.places(SHOWN),
        "faults": {str(at): fault for at, fault in draft.faults(SHOWN).items()},
        "count": len(rows),
        "report": [said for said in reported if said != problem],
        "problem": problem,
        "frequent": f"Keep the {most:,} most frequent {report.unit}s" if most else "",
        "train": f"Train on {what}" if report.count else "Train",
        "about": "" if scenario is None else texts.new_model(scenario),
        "encoding": (draft.encoding or ENCODINGS[0][0]) if draft.given.is_guess else "",
        "encodings": [list(each) for each in ENCODINGS],
    }
    return Prepared(draft, shown, scenario, problem, most)
