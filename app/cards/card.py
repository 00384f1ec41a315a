"""Describes a link in words: the read and the written sentence, the changes, and their effect.

Anyone may send a link, and a server reads it before it admits the page. Every cost is limited: the
length of the link and of its text, the size of the model, and the number of passes. A link that is
invalid or exceeds a limit gets the general card.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np

from ..dares import words
from ..dares.attempt import Attempt
from ..dares.score import is_slow, score
from ..files import catalog
from ..lessons.catalog import catalog as lessons
from ..lessons.changes import begun
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target, written_limit
from ..model.scenario import model_names
from ..model.scenario.limits import MAX_TOKENS
from ..model.scenario.scenario import Scenario
from ..number_text import counted
from ..session import link
from ..session.session_json import SavedSession, parsed, read_parts
from ..session.title import short, sides, title_of, words_of
from ..typed_text import isolated

MAX_CODE = 2_000  # characters of a link that a server accepts; the same as `READ` in address.js
MAX_TEXT = 64_000  # maximum characters of an unpacked link; the longest have about 10,000
MAX_PASSES = 80  # maximum number of passes for a card; a phrase takes two or three
MOST_COST = 200_000_000  # multiply-adds of all these passes, about 80 ms
MOST_WORDS, MOST_LETTERS = 3, 12  # most words, or characters, named per side of a change
MOST_NUMBERS = 16  # rows with more numbers are not drawn
ROWS = "source.embedding"
_KINDS = {"delete": "dropped", "insert": "added"}
GENERAL = "Every number of the original Transformer on one page, each one editable."


class Card(NamedTuple):
    """The preview of a link."""

    title: str = ""  # both sentences; empty on the general card
    news: str = ""  # the changes and their effect; empty on the general card
    read: tuple[str, ...] = ()  # the words that the model reads
    written: tuple[str, ...] = ()  # the words that the model writes
    # The words that were written before the change; the same if nothing was changed.
    before: tuple[str, ...] = ()
    joint: str = " "  # the separator of words; empty for models whose words are characters
    # For each read word, the numbers of its row as shares of the largest; empty if a row has too
    # many to be visible.
    numbers: tuple[tuple[float, ...], ...] = ()

    @property
    def is_general(self) -> bool:
        """Whether it is the general card, which describes no link."""
        return not self.title

    @property
    def about(self) -> str:
        """One or two sentences on the link and the page."""
        return f"{self.news}. {GENERAL}" if self.news else GENERAL


class _TooMuch(Exception):
    """The link exceeds a limit on computation."""


def card_of(code: str) -> Card:
    """Return the card of a link; the general card if the link is invalid or exceeds a limit."""
    if not code or len(code) > MAX_CODE:
        return Card()
    try:
        saved, _ = read_parts(parsed(link.unpacked(code, MAX_TEXT)))
        return _card(saved)
    except Exception:  # the page must open even with an invalid link
        return Card()


def first_card() -> Card:
    """Return the card of the page in its initial state."""
    return _card(SavedSession(catalog.first(model_names.PHRASES)))


def _card(saved: SavedSession) -> Card:
    scenario = saved.scenario
    runner = _Runner()
    now, before = (_written(each, runner) for each in (scenario, _compared(saved)))
    title = title_of(now) if now else short(sides(scenario)[0])
    if not title:
        return Card()
    written = words_of(now, now.target) if now else ()
    old = words_of(before, before.target) if before else written
    joint = "" if scenario.vocabulary.unit == "character" else " "
    said = [_moved(scenario), _came(old, written, joint)]
    changed = ": ".join(filter(None, said)) or f"A Transformer of {_count(scenario)} numbers"
    news = (_dared(saved, runner) if now else "") or changed
    has_decoder = bool(scenario.settings.decoder_layers)
    return Card(
        title,
        news,
        words_of(scenario, scenario.source) if scenario.settings.encoder_layers else (),
        written if has_decoder else (),
        old if has_decoder else (),
        joint,
        _numbers(now, runner) if now else (),
    )


def _dared(saved: SavedSession, runner: ForwardPassRunner) -> str:
    """Return a sentence on the link's attempt at a dare; empty if the link has no dare."""
    lesson = lessons().lessons.get(saved.lesson.name)
    if lesson is None or not 0 <= saved.lesson.step < len(lesson.steps):
        return ""
    dare = lesson.steps[saved.lesson.step].dare
    if dare is None:
        return ""
    if is_slow(dare):
        return f"A dare: {lesson.title}"
    try:
        given = begun(lesson, saved.lesson.step, runner)
        found = score(dare, Attempt(given, saved.scenario), runner)
    except (_TooMuch, ValueError):
        return f"A dare: {lesson.title}"
    if found.value is None or not found.is_reached:
        return f"A dare: {lesson.title}; best known {words.measure(dare, dare.best)}"
    reached, best = words.measure(dare, found.value), words.measure(dare, dare.best)
    return f"A dare: {lesson.title}, done with {reached}; best known {best}"


def _compared(saved: SavedSession) -> Scenario | None:
    """Return the scenario before the change: the pinned scenario, or the scenario without edits."""
    scenario, pinned = saved.scenario, saved.baseline
    if pinned is not None:
        return pinned if pinned.source == scenario.source else None
    changed = scenario.edits or scenario.silences
    return scenario.without_edits() if changed else None


class _Runner(ForwardPassRunner):
    """A runner with a limited number of passes."""

    def __init__(self) -> None:
        super().__init__()
        self.passes = 0
        self.before_pass = self._count

    def _count(self) -> None:
        self.passes += 1
        if self.passes > MAX_PASSES:
            raise _TooMuch


def _written(scenario: Scenario | None, runner: ForwardPassRunner) -> Scenario | None:
    """Return the scenario with the words that its model writes; None if that costs too much."""
    try:
        is_known = scenario is not None and _is_known(scenario)
        return with_written_target(scenario, runner) if scenario and is_known else None
    except (_TooMuch, ValueError):  # the numbers may be too large to write anything
        return None


def _numbers(scenario: Scenario, runner: ForwardPassRunner) -> tuple[tuple[float, ...], ...]:
    """Return the row of each read word; empty if rows are too long to be visible."""
    is_small = scenario.config.d_model <= MOST_NUMBERS
    if not is_small or not scenario.settings.encoder_layers or _is_to_be_trained(scenario):
        return ()
    if scenario.config.parameter_count() * MAX_TOKENS > MOST_COST:
        return ()
    try:
        rows = runner.trace(scenario)[ROWS].value
    except _TooMuch:
        return ()
    largest = float(np.abs(rows).max())
    if not 0 < largest < np.inf or len(rows) != len(words_of(scenario, scenario.source)):
        return ()
    return tuple(tuple(round(float(x) / largest, 3) for x in row) for row in rows)


def _is_known(scenario: Scenario) -> bool:
    """Return whether the scenario's words are typed, or can be computed within the limits."""
    if not scenario.writes_itself:
        return True
    if _is_to_be_trained(scenario):
        return False
    longest = len(scenario.source) + written_limit(scenario)
    return scenario.config.parameter_count() * longest * MAX_PASSES <= MOST_COST


def _is_to_be_trained(scenario: Scenario) -> bool:
    """Return whether the link has the steps of a training run without the resulting weights."""
    return bool(scenario.steps_taken) and scenario.weights is None


def _count(scenario: Scenario) -> str:
    return f"{scenario.config.parameter_count():,}"


def _moved(scenario: Scenario) -> str:
    """Return the numbers of changes of each kind in words; empty if there are no changes."""
    parameters = scenario.config.parameter_shapes()
    of_model = sum(edit.path in parameters for edit in scenario.edits)
    computed, silenced = len(scenario.edits) - of_model, len(scenario.silences)
    said = []
    if of_model:
        said.append(f"{of_model:,} of {_count(scenario)} numbers moved")
    if computed:
        said.append(f"{counted(computed, 'computed number')} set")
    if silenced:
        said.append(f"{counted(silenced, 'part')} silenced")
    if _is_to_be_trained(scenario):
        said.append(f"trained here for {scenario.steps_taken:,} steps")
    found = ", ".join(said)
    return found[:1].upper() + found[1:]


def _came(before: tuple[str, ...], now: tuple[str, ...], joint: str) -> str:
    """Return the words that changed, with their replacements; empty if there are none."""
    if before == now or not before:
        return ""
    found = []
    for kind, i, j, k, m in changes(before, now):
        old, new = _some(before[i:j], joint), _some(now[k:m], joint)
        if kind != "equal":
            found.append(f"{old} → {new}" if old and new else f"{old or new} {_KINDS[kind]}")
    return ", ".join(found[:2]) + (" …" if len(found) > 2 else "")


def changes(
    before: tuple[str, ...], now: tuple[str, ...]
) -> Sequence[tuple[str, int, int, int, int]]:
    """Return the edit operations (opcodes) between two sentences."""
    return SequenceMatcher(None, before, now, autojunk=False).get_opcodes()


def _some(words: tuple[str, ...], joint: str) -> str:
    most = MOST_WORDS if joint else MOST_LETTERS
    some = joint.join(isolated(short(word)) for word in words[:most])
    return some + (" …" if len(words) > most else "")
