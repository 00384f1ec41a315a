"""Declares the base class of pictures that explain an idea: a heading, a sentence, and a figure."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from html import escape
from typing import Any, ClassVar, NamedTuple

from ... import theme
from ...components.component import Message, Placed
from ...components.layout import HTML, Column
from ...explain.units import in_units
from ...learning import TrainingSession
from ...model.scenario.scenario import Scenario
from ...model.scenario.settings import Settings
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from ..catalog import IDEAS
from ..settings import FOLLOWS, IdeaSettings
from ..written_change import written_change
from .last_drag import Before, LastDrag
from .symbols import html_with_symbols


class Around(NamedTuple):
    """The parts of the page that a picture can use."""

    state: AppState
    results: Results
    page: PageSession  # the session of the page, for work in the background
    training: TrainingSession


class IdeaPicture:
    """One picture; it is created when it is first opened, and computes only while it is open.

    A subclass sets ``name``, its key in ``IDEAS``. Its ``parts`` creates the components once. Its
    ``draw`` updates them when the picture opens and, while it is open, after each change of an
    attribute of the state in ``watched``. ``draw`` passes the sentence about the picture to
    ``say``, or to ``tell``, which also describes the drags that ``move`` recorded.
    """

    name: ClassVar[str]
    watched: ClassVar[tuple[str, ...]] = ("scenario", "ideas")
    # Whether the picture shows one row of the written words, kept equal to the header's row.
    has_written_row: ClassVar[bool] = False
    # Whether the sentence describes drags. Its space is reserved, because the figure is below it.
    tells: ClassVar[bool] = False

    def __init__(self, around: Around) -> None:
        self.state, self.results, self.page, self.training = around
        self.is_open = False
        self.dark = False
        self._drag = LastDrag()
        # The sentence; a subclass places it among its parts.
        self.said = HTML(visible=False, stylesheets=[theme.PROSE, SAID], margin=ROOM)
        self._heading = HTML(stylesheets=[theme.PROSE, HEADING], margin=ROOM)
        self._entitle()
        self.column = Column(self._heading, *self.parts(), visible=False)
        if self.has_written_row:
            self.state.watch(self._follow_header, "location")
        self.state.watch_calmly(self._on_change, [*self.watched, "dragging"])

    def _entitle(self) -> None:
        idea = IDEAS[self.name]
        shows, tries = (
            html_with_symbols(in_units(self.state.scenario, text))
            for text in (idea.shows, idea.tries)
        )
        text = f"<h2>{escape(idea.label)}</h2><p>{shows} <span>{tries}</span></p>"
        self._heading.update_changed(object=text)

    def parts(self) -> Sequence[Placed]:
        """Create the components of the picture, from top to bottom."""
        raise NotImplementedError

    def draw(self) -> None:
        """Update the picture from the state."""
        raise NotImplementedError

    def say(self, sentence: str, plain: str = "") -> None:
        """Show the sentence about the picture, computed from the shown numbers.

        Space is kept for ``plain``, the sentence that this one replaces during a drag, so that
        nothing below it moves under the pointer.
        """
        signed, kept = (
            html_with_symbols(in_units(self.state.scenario, _MINUS.sub("−", each)))
            for each in (sentence, plain)
        )
        kind = "idea-said tells" if self.tells else "idea-said"
        text = f'<p class="{kind}" role="status">{signed}</p>' if sentence else ""
        if plain:
            text = f'<div class="told">{text}<p class="room" aria-hidden="true">{kept}</p></div>'
        self.said.update_changed(object=text, visible=bool(text))

    # -- the choices ---------------------------------------------------------------------------

    @property
    def settings(self) -> Any:
        """The choices of the picture, in `IdeaSettings`."""
        return getattr(self.state.ideas, self.name)

    def choose(self, settings: Settings) -> None:
        """Replace the choices of the picture."""
        if settings != self.settings:
            self.state.ideas = self.state.ideas.replace(**{self.name: settings})

    # -- from the browser ----------------------------------------------------------------------

    def hear(self, message: Message) -> None:
        """Handle a message of the figure."""
        if message["type"] == "release":
            self.release()
        else:
            self.on_message(message)

    def release(self) -> None:
        """End a drag."""
        self.state.release()

    def on_message(self, message: Message) -> None:
        """Handle a message other than the end of a drag."""
        raise NotImplementedError

    # -- the last drag -------------------------------------------------------------------------

    def move(
        self, scenario: Scenario, of: Hashable, message: Message, seen: Callable[[], Any]
    ) -> None:
        """Change the scenario during a drag of the item ``of``, as in `AppState.change`.

        The message has ``press`` and ``held``. ``seen`` returns the data that ``tell`` will need.
        """
        state, press = self.state, message["press"]
        self._go_on(of, press, self._all_shown(scenario, state.ideas), seen)
        state.change(scenario, of, press, held=message["held"])

    def move_choice(self, name: str, value: Any, press: int, seen: Callable[[], Any]) -> None:
        """Change a choice of the picture while something in it is dragged; see ``move``."""
        ideas = self.state.ideas.changed(name, value)
        self._go_on(name, press, self._all_shown(self.state.scenario, ideas), seen)
        self.state.ideas = ideas

    def _go_on(self, of: Hashable, press: int, asked: object, seen: Callable[[], Any]) -> None:
        state = self.state
        now = self._all_shown(state.scenario, state.ideas)
        self._drag.go_on((of, press), now, asked, lambda: Before(state.scenario, seen()))

    def tell(self, plain: str, did: Callable[[Any], str]) -> bool:
        """Describe the last drag with ``did``, or show ``plain`` if anything changed after it.

        Return whether a drag was described. ``did`` gets the data shown before the drag.
        """
        state = self.state
        now = self._all_shown(state.scenario, state.ideas)
        before = self._drag.before(now, is_pending=not state.pending.is_settled)
        if before is None:
            self.say(plain)
            return False
        words = ""
        if before.scenario.edits != state.scenario.edits:
            words = written_change(before.scenario, state.scenario, state.runner, held=state.held)
        self.say(" ".join(filter(None, [did(before.seen), words])), plain)
        return True

    def _all_shown(self, scenario: Scenario, ideas: IdeaSettings) -> object:
        """Return everything that a drag or another choice changes in the picture."""
        text = scenario.source if scenario.writes_itself else (scenario.source, scenario.target)
        chosen = getattr(ideas, self.name, None), self.state.attention_focus
        of_model = scenario.model, scenario.settings, scenario.weights, scenario.training
        return scenario.edits, of_model, text, chosen

    def begin(self) -> None:
        """Choose the initial contents when the picture opens; by default those of the last time."""

    def show(self, is_open: bool) -> None:
        if is_open and not self.is_open:
            self.begin()
        self.is_open = is_open
        if is_open:
            self._entitle()
            self.draw()
        self.column.visible = is_open

    def set_dark(self, dark: bool) -> None:
        """Set the light or dark theme for the charts; components get it from the page."""
        if dark != self.dark:
            self.dark = dark
            if self.is_open:
                self.draw()

    def _on_change(self, *_: Any) -> None:
        if self.is_open:
            self.draw()

    # -- the row of the written words ----------------------------------------------------------

    @property
    def row_in_header(self) -> tuple[str, int] | None:
        """The stack and position of the row in the header; None if none is chosen."""
        location, scenario = self.state.location, self.state.scenario
        if location.asked is None:
            followed: tuple[str, int] | None = location.followed
            return followed
        return "decoder" if scenario.settings.decoder_layers else "encoder", location.asked

    def agree(self, row: int) -> None:
        """Make the header show the same row as the picture."""
        self.state.go("asked", row)

    def _follow_header(self, event: Any) -> None:
        """Reset the row of this picture when another row is chosen in the header."""
        if event.new.asked == event.old.asked:
            return
        choices = self.settings
        if choices.row not in (FOLLOWS, event.new.asked) and not getattr(choices, "scores", ""):
            self.choose(choices.changed("row", FOLLOWS))


def rounded(point: Iterable[float]) -> list[float]:
    """Round coordinates to a few digits; a plane is only a few hundred pixels wide."""
    return [float(f"{x:.5g}") for x in point]


_MINUS = re.compile(r"(?:(?<=[\s(=])|(?<=\de))-(?=\d)")

ROOM = [0, 0, 8, 0]  # px around each line above the figure
# The heading is compact, so that the whole picture below it is visible.
HEADING = """
h2 { margin: 0 0 5px; font-size: var(--idea-title, 21px); line-height: 1.25; }
p { display: var(--idea-around, block); margin: 0; max-width: 110ch; }
p span { color: var(--muted); }
"""
SAID = """
sub, sup { font-size: 0.74em; line-height: 0; }
p { display: var(--idea-around, block); margin: 0; max-width: 110ch; font-weight: 600; }
@media (min-width: 600px) { .tells { min-height: 3lh; } }
.told { display: grid; }
.told p { grid-area: 1 / 1; }
.room { visibility: hidden; }
"""
# The controls of a picture wrap into as many lines as needed.
CONTROLS = """
.form-row { display: var(--idea-around, flex); }
.form-row, .form-row > section, .form-row > section > .rows { flex-wrap: wrap; }
.form-row .name { max-width: none; }
.form-row .field { flex: 0 1 auto; }
.form-row .field, .form-row .line, .form-row .choice, .form-row select {
  min-width: 0;
  max-width: 100%;
}
/* What a "?" says lies over the picture, so that no control moves. */
.form-row { position: relative; }
.form-row .help {
  position: absolute;
  z-index: 5;
  top: calc(100% + 2px);
  left: 0;
  width: max-content;
  max-width: min(100%, 60ch);
  margin: 0;
  padding: 8px 12px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
  box-shadow: var(--shadow);
  color: var(--ink);
  white-space: normal;
}
"""
