"""A kept session taken over as far as it goes: all of it, else less, else none.

What is kept by a tab, a link or a file was perhaps written by another version of the page, or by
hand. Whatever it is, and whatever is raised while the views take it over, the page stays alive.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .coming import is_large
from .files.scenario_json import SavedSession, from_dict, parsed
from .inference.forward_pass import ForwardPassRunner
from .inference.writing import with_written_target
from .scenario.scenario import Scenario
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


def large(written: str) -> SavedSession | None:
    """A session that was written as JSON, if its passes take long; else None."""
    try:
        saved, _ = _read(parsed(written))
    except ValueError:
        return None  # whoever restores it says why
    scenarios = (saved.scenario, saved.baseline)
    return saved if any(each is not None and is_large(each) for each in scenarios) else None


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


def restore(state: AppState, written: str, check: Callable[[], None]) -> str:
    """Take over a session that was written as JSON, as much of it as reading and showing allow.

    Where the scenario itself cannot be shown, all is again as it was before.

    Args:
        state: the page's.
        written: the session.
        check: raises if what the state now is cannot be shown.

    Returns:
        What had to be left out, in words; nothing if all of it is there.

    Raises:
        ValueError: none of it could be taken over; one sentence that says why.
    """
    saved, unread = _read(parsed(written))
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


def _read(data: Any) -> tuple[SavedSession, set[str]]:
    """As much as can be read, and the names of what cannot be.

    Raises:
        ValueError: not even the scenario; one sentence on the first thing that is wrong.
    """
    try:
        return _read_strictly(data), set()
    except ValueError:
        if not isinstance(data, dict):
            raise
    bare = {name: raw for name, raw in data.items() if name not in _WORDS}
    _read_strictly(bare)
    unread = {name for name in _WORDS if name in data and not _is_read(bare, name, data[name])}
    saved = _read_strictly({name: raw for name, raw in data.items() if name not in unread})
    return saved._replace(scenario=_shown(saved)), unread


def _is_read(bare: dict[str, Any], name: str, raw: Any) -> bool:
    """Whether one part of a session can be read."""
    try:
        _read_strictly({**bare, name: raw})
    except ValueError:
        return False
    return True


def _read_strictly(data: Any) -> SavedSession:
    """All of it.

    Raises:
        ValueError: one sentence on what is wrong.
    """
    try:
        return from_dict(data)
    except ValueError:
        raise
    except Exception:
        _LOG.exception("A kept session could not be read.")
        raise ValueError("The page failed to read it.") from None


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
