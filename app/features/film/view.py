"""Prepares the page's film for the shown numbers, and restores them afterward."""

from contextlib import suppress
from typing import Any

from ...files.catalog import first
from ...film import prepared
from ...film.opening import opening_film
from ...film.prepared import PreparedScene
from ...lessons.format import Film
from ...lessons.numbers import LiveNumbers
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.address import CellAddress
from ...model.scenario.model_names import SERVED
from ...model.scenario.scenario import Scenario
from ...session import open_lesson
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from ...view_model.focus import Followed
from ...view_model.page_location import FIRST_VIEW
from .film import FilmPlayer


class FilmView:
    """Prepares a film and applies the changes of its scenes.

    The film of the first view is prepared with the page, so that a static site can play it before
    Python runs. After a change of the numbers, it is prepared on request. The history does not
    record the changes that scenes make.
    """

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.player = FilmPlayer(label="Film")
        self._page = page or PageSession()
        self._aside = ForwardPassRunner(beside=state.runner)
        self._film: Film | None = None
        self._start: Scenario | None = None  # the scenario when the film was opened
        self._selected: CellAddress | None = None  # the selection at that time
        self._left: tuple[Followed | None, int | None] = (None, None)  # the rows at that time
        self._shown: Followed | None = None  # the word that the page follows during the film
        self._asked: int | None = None  # the asked position during the film
        self._scenes: list[PreparedScene] = []
        self._acted: Scenario | None = None  # the scenario that a scene has made
        self._swings = False
        self._is_open = self._is_acting = False
        self.player.on_do(self._on_do)
        state.watch(self._on_scenario, "scenario")
        if not cost.is_large(state.scenario):
            self._page.schedule(self._prepare_opening)
        state.watch(self._on_film, "film")
        if state.film:
            self._on_film()

    def open(self, film: Film | None, *, waits: bool = False) -> None:
        """Open a film, None for the first view's film; with ``waits``, the user starts it."""
        self._put_back()
        self._film = film
        self._prepare()
        if not self._scenes:
            self.state.film = False
            self.state.notice = "The film cannot show this model."
            return
        self._begin()
        self.player.param.update(waits=waits, opened=self.player.opened + 1)

    def _begin(self) -> None:
        state = self.state
        self._is_open, self._start, self._selected = True, state.scenario, state.selection
        self._left = state.location.followed, state.location.asked
        if (word := self._scenes[0].word) is not None:
            state.go("followed", [*word])  # so that the whole page shows the word of the film
        self._shown = state.location.followed
        self._asked = state.location.asked
        state.film, state.notice = True, ""
        if state.location.view != FIRST_VIEW:
            state.go("view", FIRST_VIEW)
        if state.oscillation.on:
            state.oscillation = state.oscillation._replace(on=False)

    def _on_film(self, _event: Any = None) -> None:
        """Open the first view's film or close the open film, after ``state.film`` was changed."""
        if self.state.film and not self._is_open:
            self._page.schedule(lambda: self.open(None, waits=True))
        elif self._is_open and not self.state.film:
            self.player.dismissed += 1
            self._leave()

    # -- preparation -----------------------------------------------------------------------------

    def _prepare_opening(self) -> None:
        if not self._is_open:
            self._film = None
            self._prepare()

    def _prepare(self) -> None:
        film, state = self._film or opening_film(), self.state
        self._scenes = []
        if film is not None and film is not self._film and _is_opening(state.scenario):
            self._scenes = [*prepared.of_opening(state.scenario.model)]
        elif film is not None:
            numbers = LiveNumbers(state.scenario, state.runner)
            self._scenes = prepared.prepare(film, numbers, self._aside)
        self.player.value = [scene.to_json(state.scenario) for scene in self._scenes]

    def _on_scenario(self, _event: Any) -> None:
        """Discard or renew the captions, which mention the former numbers."""
        if self._is_acting or not self.player.value:
            return
        self.state.filmed = None
        if self._is_open and not self.state.learning:
            self._start = self.state.scenario
            self._acted = None
            self._page.schedule(self._prepare)
        else:
            self._scenes = []
            self.player.value = []

    # -- changes of scenes -------------------------------------------------------------------------

    def _on_do(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "ask":
            self.open(None)
        elif kind == "leave":
            self._leave()
        elif not self._scenes:
            return
        else:
            if not self._is_open:  # a prepared film, which needs no request
                self._begin()
            if kind == "scene":
                self._act(self._scenes[fields["scene"]] if fields["scene"] >= 0 else None)

    def _act(self, scene: PreparedScene | None) -> None:
        """Show a scene's numbers and oscillate its cell; None restores the page's own numbers."""
        state, start = self.state, self._start
        if start is None:
            return
        to = start if scene is None else prepared.with_drawing(scene.scenario, start)
        self._is_acting = True
        # A save during the film, for example for a reload, stores the page as before the film.
        state.filmed = None if scene is None else (start, self._selected)
        try:
            if state.oscillation.on:
                state.oscillation = state.oscillation._replace(on=False)
            if state.scenario != to and open_lesson.may_load(state, to):
                state.pending.cancel()
                state.scenario = to
            self._acted = None if to == start else state.scenario
            if scene is not None and scene.swing is not None:
                state.selection = scene.swing
                state.oscillation = state.oscillation._replace(amplitude=scene.amplitude, on=True)
            elif self._swings:
                state.selection = self._selected
                state.go("asked", self._asked)
            self._swings = scene is not None and scene.swing is not None
        finally:
            self._is_acting = False

    def _leave(self) -> None:
        self._put_back()
        self.state.film = False

    def _put_back(self) -> None:
        """Restore what the film has changed; keep what the user has changed."""
        if not self._is_open:
            return
        with suppress(ValueError):
            if self._acted is None or self.state.scenario == self._acted:
                self._act(None)
            if self.state.location.followed == self._shown:
                followed, asked = self._left
                self.state.go("followed", followed and [*followed])
                self.state.go("asked", asked)
        self.state.filmed = None
        self._is_open, self._start, self._acted, self._swings = False, None, None, False
        if self._film is not None:
            self._prepare_opening()


def _is_opening(scenario: Scenario) -> bool:
    """Return whether a scenario is the initial scenario of a catalog model, except ``SERVED``."""
    if scenario.model == SERVED:
        return False
    try:
        return scenario is first(scenario.model)
    except ValueError:
        return False
