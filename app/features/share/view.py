"""Shows the header's Share button: the session as a link or a file, and the embedding code."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ...board import stages
from ...board.stages.sheet import Viewport
from ...components.form.fields import choice
from ...components.upload import Later
from ...film.opening import opening_film
from ...learning import TrainingRun, TrainingSession
from ...lessons.catalog import catalog as lessons
from ...manifest import StageEntry
from ...session import link as permalink
from ...session.address import DARE, FILM, LESSON, EmbedSettings
from ...session.file_name import file_name
from ...session.opening import SessionOpener
from ...session.restore import Found, Prepared, Reading, in_part, prepare, read, restore
from ...session.state import AppState
from ...transport.runtime.concurrency import BackgroundTasks
from ...transport.runtime.page_session import PageSession
from ...view_model.page_location import FIRST_VIEW, MATRIX, VIEWS
from .share import Embedding, Share, Shared

PAUSED = "The training is paused at step {} while this dialog is open."


class ShareView:
    """Saves the current session as a link or a file, and opens saved sessions.

    `line` is the button in the header; `share` is the button in the menu, if the header has no
    room. ``check`` raises an error if the current state cannot be shown. ``training`` pauses while
    the dialog is open, so that link, file and page show the same step.
    """

    def __init__(
        self,
        state: AppState,
        check: Callable[[], None],
        page: PageSession | None = None,
        training: TrainingSession | None = None,
    ) -> None:
        self.state = state
        self._training = training
        self._tasks = BackgroundTasks()
        self._is_open = False
        self._paused: TrainingRun | None = None  # the run to resume when the dialog closes
        self._check = check
        self._opener = SessionOpener(state, page or PageSession())
        self._found: Found | None = None  # the session read from the file being opened
        self._embed = EmbedSettings()
        self._views: list[list[str]] = []
        self._view = FIRST_VIEW
        self.line, self.share = (
            Share(
                on_ask=self._ask,
                on_close=self._on_close,
                on_embed=self._embedding,
                on_choose=self._choose,
                on_prepare=self._prepare,
                place=place,
            )
            for place in ("line", "menu")
        )
        for share in (self.line, self.share):
            share.param.watch(self._on_open, "value")

    def _ask(self, take: Callable[[Shared], None]) -> None:
        """Share the session; a training run in progress is paused first."""
        self._is_open = True
        if self._training is not None and self._training.is_busy:
            self._tasks.start(self._pause(self._training, take))
        else:
            take(self._shared())

    async def _pause(self, training: TrainingSession, take: Callable[[Shared], None]) -> None:
        self._paused = await training.pause()

        def share() -> None:
            if not self._is_open:
                self._resume()
                return
            shared, step = self._shared(), self.state.scenario.steps_taken
            said = "" if self._paused is None else PAUSED.format(step)
            take(shared._replace(about=f"{said} {shared.about}".strip()))

        await training.on_page(share)

    def _on_close(self) -> None:
        self._is_open = False
        self._resume()

    def _resume(self) -> None:
        """Resume the paused run, unless another run has replaced it."""
        run, self._paused = self._paused, None
        if run is not None and self._training is not None and run is self._training.current:
            self._training.controller.resume()

    def _shared(self) -> Shared:
        saved = self.state.snapshots.take()
        return Shared(*permalink.shared(saved), file_name(saved.scenario))

    def _embedding(self, stage: str) -> Embedding:
        """Return the embedding of the open lesson or dare, the open view, or the visible stage."""
        state = self.state
        lesson = self._open_lesson()
        self._views = [*lesson, *([name, label] for name, label in VIEWS.items())]
        if opening_film() is not None:
            self._views.append([FILM, "the film that plays by itself"])
        view = state.location.open_drawer or state.location.view
        alone = {entry["id"]: entry["title"] for entry in self._stages()}
        self._views += [[name, f"one stage: {title}"] for name, title in alone.items()]
        if view == "formulas" and stage in alone:
            view = stage
        if state.selection is not None:
            path = state.selection.path
            self._views.append([f"{MATRIX}{path}", f"the matrix of the selected number: {path}"])
        self._view = lesson[0][0] if lesson else view
        return self._written()

    def _open_lesson(self) -> list[list[str]]:
        """Return the name and the label of the open lesson step or dare; empty if none is open."""
        progress = self.state.lesson
        lesson = lessons().lessons.get(progress.name)
        if lesson is None:
            return []
        if progress.step == lesson.dare_step:
            return [[f"{DARE}{lesson.name}", f"the open dare: {lesson.title}"]]
        step = f", step {progress.step + 1}" if progress.step else ""
        return [[f"{LESSON}{lesson.name}", f"the open lesson: {lesson.title}{step}"]]

    def _stages(self) -> list[StageEntry]:
        """Return the stages of the current model that can be shown alone."""
        scenario, trace = self.state.scenario, self.state.trace
        return stages.manifest(scenario, trace, 0, Viewport(self.state.layer_choice))["stages"]

    def _choose(self, name: str, raw: Any) -> Embedding:
        """Change an option of the embedding; a ValueError means that the choice does not exist."""
        if name != "view":
            self._embed = self._embed.changed(name, raw)
        elif raw in [view for view, _ in self._views]:
            self._view = raw
        else:
            raise ValueError("There is no such view to embed.")
        return self._written()

    def _written(self) -> Embedding:
        view = choice("view", "what is shown", self._view, self._views)
        fields = [view, *map(dict, self._embed.fields(self._embed.names()))]
        query = self._embed.query(self._view, self.state.lesson.step)
        return Embedding(fields, query, self._embed.height == "auto")

    def _prepare(self, written: str, go_on: Callable[[], None]) -> None:
        """Read a file's session in advance, except for a locked page, which refuses every file."""

        def opens(found: Found) -> None:
            self._found = found
            go_on()

        if self.state.address.lock:
            go_on()
        else:
            self._opener.open(written, opens)

    def opening(self, files: dict[str, bytes]) -> Later:
        """Open the file of a session, for example a file that was dropped on the page."""
        (content,) = files.values()

        def compute() -> tuple[Reading, Prepared | None]:
            found = self._read(content.decode("utf-8-sig", "replace"))
            return found, prepare(found.saved, lambda: None) if found.is_large else None

        def show(made: tuple[Reading, Prepared | None]) -> None:
            found, prepared = made
            snapshots = self.state.snapshots
            with nullcontext() if prepared is None else snapshots.with_passes(*prepared):
                self._restore(found)

        self._refuse_if_locked()
        return Later(compute, show)

    def _read(self, written: str) -> Reading:
        try:
            return read(written)
        except ValueError as error:
            raise ValueError(f"This file could not be opened. {error}") from None

    def _refuse_if_locked(self) -> None:
        if self.state.address.lock:
            raise ValueError("This page is locked: no other can be opened in it.")

    def _on_open(self, event: Any) -> None:
        if not event.new:
            return
        self._refuse_if_locked()
        found, self._found = self._found, None
        # A text set by a program was not read in advance.
        self._restore(self._read(event.new) if found is None else found)

    def _restore(self, found: Found) -> None:
        try:
            missing = in_part("This file", restore(self.state, found, self._check))
        except ValueError as error:
            raise ValueError(f"This file could not be opened. {error}") from None
        if missing:
            self.state.notice = missing
