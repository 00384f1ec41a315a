"""Restores a saved session as completely as possible, and otherwise leaves the page unchanged.

Another version of the page may have saved the session, or a user may have written it by hand.
Whatever it contains, and whatever a view raises during the restore, the page must keep working.
"""

import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.scenario import Scenario
from .session_json import SavedSession, parsed, read_parts
from .state import AppState

_LOG = logging.getLogger(__name__)

# Optional parts of a session and their names for users; `_LEFT_OUT` orders their omission.
_WORDS = {
    "baseline": "the pinned baseline",
    "selection": "the selected number",
    "attention": "the chosen attention",
    "place": "the open view",
    "layers": "the chosen layers",
    "decode": "the settings of decoding",
    "ideas": "the choices of the pictures of ideas",
    "lesson": "the open lesson",
    "before": "the page before the lesson",
    "moments": "the state of the optimizer",
    "curves": "the curves of its training",
    "checksum": "the checksum of its training",
}
_LEFT_OUT: tuple[tuple[str, ...], ...] = (
    (),
    ("before",),
    ("lesson", "before"),
    ("place", "layers", "decode", "ideas", "lesson", "before"),
    ("baseline",),
    ("selection", "attention"),
    ("baseline", "selection", "attention"),
    tuple(_WORDS),
)


class Reading(NamedTuple):
    """A saved session, parsed as far as possible."""

    saved: SavedSession
    unread: frozenset[str] = frozenset()  # the parts that could not be parsed

    @property
    def is_large(self) -> bool:
        """Whether its passes take longer than a page may block the event loop."""
        scenarios = (self.saved.scenario, self.saved.baseline)
        return any(each is not None and cost.is_large(each) for each in scenarios)


# A parsed session, or the error that ended parsing.
Found = Reading | ValueError


class Prepared(NamedTuple):
    """The computed passes of a session."""

    runner: ForwardPassRunner  # has the pass of the scenario
    pinned: ForwardPassRunner  # has the pass of the baseline
    written: tuple[tuple[Scenario, Scenario], ...]  # each as parsed, and with its generated target


def read(written: str) -> Reading:
    """Parse a session from JSON, each part once; ``ValueError`` if its scenario is invalid."""
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
    """Compute the passes of a session for ``Snapshots.with_passes``, without touching the page.

    ``go_on`` is called between the passes, and raises once the result is no longer needed.
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
    """Restore as much of a parsed session as can be shown, and return the names of omitted parts.

    If ``check`` raises an exception even for the scenario alone, revert the state and raise
    ``ValueError`` with one sentence. If ``found`` is an error, raise it.
    """
    if isinstance(found, ValueError):
        raise found
    history, change = state.history, state.pending.changes[-1:]
    with state.snapshots.keeping_passes():
        state.history = history.copy()
        # A pending change becomes an undo step.
        asked = state.settle()
        try:
            return _restored(state, found, check, asked)
        except ValueError:
            state.history = history
            for last in change:  # the pending change is requested again
                state.change(last.scenario, last.of, last.press)
            raise


def _restored(
    state: AppState, found: Reading, check: Callable[[], None], replaced: Scenario
) -> str:
    """Do the work of `restore` once nothing is pending."""
    saved, unread = found
    before = state.snapshots.take()
    for candidate in _less_and_less(saved):
        if _is_taken(state, candidate, check, replaced):
            # A view may have cleared a selection that is not a valid cell.
            candidate = candidate._replace(selection=state.snapshots.take().selection)
            return " and ".join(
                words
                for name, words in _WORDS.items()
                if name in unread or getattr(candidate, name) != getattr(saved, name)
            )
    # Views that had switched to the failed session show the previous one again.
    state.snapshots.give_back()
    _is_taken(state, before, check, replaced)
    raise ValueError("It was read, but the page failed to show it.")


def in_part(what: str, left_out: str) -> str:
    """Return a sentence that names the parts left out of ``what``; empty without such parts."""
    return f"{what} could be opened only in part, without {left_out}." if left_out else ""


def _less_and_less(saved: SavedSession) -> Iterator[SavedSession]:
    """Yield the session and then versions without some parts, each version once.

    The scenario stays the same object where possible, so that its pass is computed once.
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
    """Return the scenario to show; without a baseline, it shows values instead of changes."""
    scenario = saved.scenario
    if saved.baseline is None and scenario.view.compares:
        return scenario.with_view("plane", "value")
    return scenario


def _is_taken(
    state: AppState, saved: SavedSession, check: Callable[[], None], replaced: Scenario
) -> bool:
    """Try to restore a session; on failure revert the state, even if views were notified."""
    before, history = state.snapshots.take(), state.history
    state.history = history.copy()
    try:
        state.snapshots.restore(saved, replaced)
        check()
    except Exception:
        _LOG.exception("A kept session could not be taken over; less of it is tried.")
        state.snapshots.revert(before)
        state.history = history
        return False
    return True
