"""A kept session taken over as far as it goes: all of it, else less, else none.

What is kept by a tab, a link or a file was perhaps written by another version of the page, or by
hand. Whatever it is, and whatever is raised while the views take it over, the page stays alive.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..scenario.scenario import Scenario
from .session_json import SavedSession, parsed, read_parts
from .state import AppState

_LOG = logging.getLogger(__name__)

# What a session can do without, in words; and what to leave out first, second, and so on.
_WORDS = {
    "baseline": "the pinned baseline",
    "selection": "the selected number",
    "attention": "the chosen attention",
    "place": "the open view",
    "layers": "the chosen layers",
    "decode": "the settings of decoding",
    "lesson": "the open lesson",
    "before": "the page before the lesson",
    "moments": "the state of the optimizer",
}
_LEFT_OUT: tuple[tuple[str, ...], ...] = (
    (),
    ("before",),
    ("lesson", "before"),
    ("place", "layers", "decode", "lesson", "before"),
    ("baseline",),
    ("selection", "attention"),
    ("baseline", "selection", "attention"),
    tuple(_WORDS),
)


class Reading(NamedTuple):
    """A session that was written, as much of it as could be read.

    Attributes:
        saved: what was read.
        unread: the names of the parts that could not be.
    """

    saved: SavedSession
    unread: frozenset[str] = frozenset()

    @property
    def is_large(self) -> bool:
        """Whether its passes take longer than a page may keep all others waiting."""
        scenarios = (self.saved.scenario, self.saved.baseline)
        return any(each is not None and cost.is_large(each) for each in scenarios)


# A session that was read, or the sentence that says why it could not be.
Found = Reading | ValueError


class Prepared(NamedTuple):
    """What was computed of a session.

    Attributes:
        runner: with the pass of what is shown.
        pinned: with the pass of what is pinned.
        written: each scenario as it was read, and with the target that its model writes.
    """

    runner: ForwardPassRunner
    pinned: ForwardPassRunner
    written: tuple[tuple[Scenario, Scenario], ...]


def read(written: str) -> Reading:
    """A session that was written as JSON, each part of it read once.

    Raises:
        ValueError: not even its scenario can be read; one sentence on what is wrong.
    """
    try:
        saved, problems = read_parts(parsed(written))
    except ValueError:
        raise
    except Exception:
        _LOG.exception("A kept session could not be read.")
        raise ValueError("The page failed to read it.") from None
    for name, problem in problems.items():
        if not isinstance(problem, ValueError):
            _LOG.error("%s of a kept session could not be read.", name, exc_info=problem)
    if problems:
        saved = saved._replace(scenario=_shown(saved))
    return Reading(saved, frozenset(problems))


def prepare(saved: SavedSession, go_on: Callable[[], None]) -> Prepared:
    """The passes of a session, for ``AppState.adopt``; nothing of the page is read or changed.

    Args:
        saved: the session.
        go_on: is called between them, and raises if they are no longer wanted.
    """
    runner = ForwardPassRunner()
    pinned = ForwardPassRunner(beside=runner)
    runner.before_pass = pinned.before_pass = go_on
    shown = with_written_target(saved.scenario, runner)
    runner.trace(shown)
    if saved.baseline is None:
        return Prepared(runner, pinned, ((saved.scenario, shown),))
    baseline = with_written_target(saved.baseline, pinned)
    pinned.trace(baseline)
    return Prepared(runner, pinned, ((saved.scenario, shown), (saved.baseline, baseline)))


def restore(state: AppState, found: Found, check: Callable[[], None]) -> str:
    """Take over a session that was read, as much of it as can be shown.

    Where the scenario itself cannot be shown, all is again as it was before.

    Args:
        state: the page's.
        found: the session, or why there is none, which is raised.
        check: raises if what the state now is cannot be shown.

    Returns:
        What had to be left out, in words; nothing if all of it is there.

    Raises:
        ValueError: none of it could be taken over; one sentence that says why.
    """
    if isinstance(found, ValueError):
        raise found
    saved, unread = found
    before = state.saved
    for candidate in _less_and_less(saved):
        if _is_taken(state, candidate, check):
            # A view may have let go of a selection that is no cell.
            candidate = candidate._replace(selection=state.saved.selection)
            return " and ".join(
                words
                for name, words in _WORDS.items()
                if name in unread or getattr(candidate, name) != getattr(saved, name)
            )
    # Views that took over what failed are to show again what was there before.
    _is_taken(state, before, check)
    raise ValueError("It was read, but the page failed to show it.")


def in_part(what: str, left_out: str) -> str:
    """The sentence that says so, if something had to be left out; ``what`` was opened."""
    return f"{what} could be opened only in part, without {left_out}." if left_out else ""


def _less_and_less(saved: SavedSession) -> Iterator[SavedSession]:
    """The session, and what is left of it if this and that is left out; each of them once.

    The scenario stays the same object where it can, so that its pass is computed once.
    """
    tried: list[SavedSession] = []
    for names in _LEFT_OUT:
        without = {name: saved._field_defaults[name] for name in names}
        candidate = saved._replace(**without)
        if saved.baseline is not None:
            candidate = candidate._replace(scenario=_shown(candidate))
        if candidate not in tried:
            tried.append(candidate)
            yield candidate


def _shown(saved: SavedSession) -> Scenario:
    """The scenario as it is to be shown: where the baseline is lost, there is no change to show."""
    scenario = saved.scenario
    if saved.baseline is None and scenario.view.compares:
        return scenario.with_view("plane", "value")
    return scenario


def _is_taken(state: AppState, saved: SavedSession, check: Callable[[], None]) -> bool:
    """Try one; if it fails, the state is what it was, though views may have heard of the other."""
    before, history = state.saved, state.history
    state.history = history.copy()
    try:
        state.restore(saved)
        check()
    except Exception:
        _LOG.exception("A kept session could not be taken over; less of it is tried.")
        state.put_back(before)
        state.history = history
        return False
    return True
