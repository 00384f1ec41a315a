"""Pulls an answer by all numbers, by a few, or by only one."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from transformer_math.experiments import Pulled, Wish

from ...board.messages import PullMessage
from ...experiments.free_numbers import EVERYTHING, choices, free_numbers
from ...experiments.number_rows import rows_of_moved
from ...experiments.pulling import PulledScenario, pulling
from ...explain import apart
from ...explain.labels import axis_labels
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.inference.writing import likeliest, with_written_target
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.attention import scopes
from ...model.scenario.limits import MAX_EDITS
from ...model.scenario.scenario import Scenario
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.derived import Derived
from ...transport.runtime.page_session import PageSession
from ...typed_text import quoted
from .asked import Share, Written, written
from .pull import Pull
from .singles import Singles

NOTHING_SMALL = (
    "This model has no part that is small enough for its numbers to be moved one by one."
)
LEAST, MOST = 0.01, 0.99  # the range of probabilities that can be requested
CERTAIN = 0.5  # makes a word likelier than all others together

TO_COME = "At the end the moved numbers are listed here."
LARGEST_FIRST = "The largest move first."

ONE, ANY = "one", "any"
# The limits on the count of moved numbers, by name: a label and a limit, None for any count.
COUNTS: dict[str, tuple[str, int | None]] = {
    ONE: ("one number", 1),
    "three": ("three numbers", 3),
    "ten": ("ten numbers", 10),
    ANY: ("any numbers", None),
}


def _nearer(
    steps: Iterator[PulledScenario], wished: Sequence[float], shown: Sequence[float | None]
) -> Iterator[PulledScenario]:
    """Yield only the steps from the shown values toward the wished values, and the last step.

    A missing shown value (None) is taken from the first step. After the first step that fulfills
    the request, only the last step follows. Each pull starts from the original numbers, and a drag
    is a series of pulls: the page must neither jump back to the start nor overshoot the pointer.
    """
    now: Sequence[float] = ()
    is_granted = False
    for found in steps:
        reached = found.pulled.reached
        now = now or tuple(a if b is None else b for a, b in zip(reached, shown, strict=True))
        is_on_way = now != reached and all(
            min(a, b) <= x <= max(a, b) for a, x, b in zip(now, reached, wished, strict=True)
        )
        is_news = not is_granted and (is_on_way or found.pulled.granted)
        if found.pulled.ended or is_news:
            now, is_granted = reached, is_granted or found.pulled.granted
            yield found


def _written(
    steps: Iterator[PulledScenario], runner: ForwardPassRunner
) -> Iterator[PulledScenario]:
    """Yield the same steps, each with the target that the model writes with the step's numbers."""
    for found in steps:
        scenario = found.scenario
        with suppress(ValueError):  # the numbers may be too large to decode
            scenario = with_written_target(scenario, runner)
        yield found._replace(scenario=scenario)


class PullView:
    """Makes the model write a word, or pulls a word's bar or an attention link to a value.

    If the user requests a word by one number, all numbers that can do it alone are searched and
    listed. Otherwise numbers change until each share has the requested value. Each share that is
    pulled before the result is kept adds a request. Keeping the result turns the changes into
    edits, as one undo step; otherwise all numbers return to their values. The kinds of pull are in
    one class, because they have the panel, the undo step and the moved numbers in common.
    """

    def __init__(
        self, state: AppState, results: Results | None = None, page: PageSession | None = None
    ) -> None:
        self.state = state
        page = page or PageSession()
        self.line = Pull(visible=False, value=EVERYTHING, count=ANY)
        self.line.on_press(self._on_press)
        self.line.on_take(self._on_take)
        self.line.param.watch(self._on_choice, ["value", "count"])
        self._steps: Derived[PulledScenario] = Derived(page, self._show_step)
        self._start: Scenario = state.scenario  # the scenario being pulled
        self._singles = Singles(state, results or Results(), page, self._show, self._fail)
        self._shows = False  # whether the pull itself is changing the page
        self._wish: Written | None = None  # a word that should be written
        self._wishes: dict[Share, float] = {}  # shares to be pulled
        self._seen: Scenario | None = None  # the scenario last shown by the pull
        self._pulled: Pulled | None = None  # the step that the page shows
        self._reached: dict[Share, float] = {}  # the value of each share in that step
        self._awaits_step = False  # whether a pull has not yet shown a step
        self._begins_again = False  # whether a new value was requested in the meantime
        state.watch(self._on_tried, "before_experiment")
        state.watch(self._on_scenario, "scenario")
        state.watch(self._on_selection, "selection")

    # -- from the user ---------------------------------------------------------------------------

    def make_written(self, row: int, word: str) -> None:
        """Request that a word be written at a position, at first by one number."""
        state = self.state
        if not self._is_next(row, word) or not state.experiment.may_begin():
            return
        base = self._clear()
        self._wish = written(base, row, word)
        if self._writes_already(base, row, word):
            self._end()
            state.notice = f"It writes {quoted(word)} there already."
            return
        self._set_count(ONE, True)
        state.go("drawer", "")  # an open drawer would cover the picture with the numbers
        self._begin()

    def _is_next(self, row: int, word: str) -> bool:
        """Return whether a browser sent a known word and a position that is not negative.

        A position after the end of the text is refused later, with a sentence.
        """
        return row >= 0 and word in self._base.output_vocabulary

    def _writes_already(self, base: Scenario, row: int, word: str) -> bool:
        """Return whether a word is already written; for a large model only if its pass is known."""
        still, runner = base.with_training(False), self.state.runner
        if not runner.has_pass_of(still):
            if cost.is_large(still):
                return False  # the search will report it
            runner = runner.aside()
        best = likeliest(still, runner)
        return row < len(best) and best[row] == word

    def pull_word(self, row: int, word: str, value: float) -> None:
        """Pull a word's probability, as the next word of a position, to a value."""
        if self._is_next(row, word):
            column = self._base.output_vocabulary.index(word)
            self._pull(Share(PROBABILITIES, (row, column), quoted(word)), value)

    def pull_link(self, message: PullMessage) -> None:
        """Pull the attention weight of a query and a key to a value."""
        scope, head, pair = message["scope"], message["head"], (message["query"], message["key"])
        base, path = self._base, f"{scope}.weights"
        shape = base.shape(path) if scope in scopes(self.state.trace) else None
        cell = (head, *pair)
        if shape is None or not all(0 <= at < n for at, n in zip(cell, shape, strict=True)):
            return
        query, key = (
            axis_labels(base.axis_tokens, path, axis, n)[at]
            for axis, n, at in zip(self.state.trace[path].dims, shape, cell, strict=True)
            if axis != "head"
        )
        said = f"“{query or '∅'}” to “{key or '∅'}” in head {head + 1}"
        self._pull(Share(f"{scope}.head.{head}.weights", pair, said), message["value"])

    @property
    def _base(self) -> Scenario:
        base: Scenario = self.state.before_experiment or self.state.scenario
        return base

    def _pull(self, share: Share, value: float) -> None:
        if not self.state.experiment.may_begin():
            return
        if self._wish is not None:
            self._clear()
        if not self._wishes:
            self._set_count(ANY, False)
        is_known = share in self._wishes
        self._wishes[share] = min(max(value, LEAST), MOST)
        if is_known and self._awaits_step:
            self._begins_again = True  # restarting at each move of a drag would prevent any step
            self._show({"shown": self._shown(self._unfinished)})
        else:
            self._begin()

    def _set_count(self, name: str, by_one: bool) -> None:
        """Offer the counts that apply to the request, and choose one."""
        names = [name for name in COUNTS if by_one or name != ONE]
        with self._showing():
            self.line.param.update(counts=[[n, COUNTS[n][0]] for n in names], count=name)

    def _on_choice(self, *_: Any) -> None:
        if (self._wishes or self._wish) and not self._shows:
            self._forget_step()  # the step used other numbers
            self._begin()

    def _forget_step(self) -> None:
        self._awaits_step = False
        self._pulled = None
        self._reached.clear()

    @property
    def _unfinished(self) -> Pulled | None:
        """Return the shown step, marked as unfinished, while the next one is pending."""
        return self._pulled and self._pulled._replace(granted=False, ended=False, ending="")

    def _on_press(self, name: str) -> None:
        if name == "stop":
            self._singles.stop()
            return
        if name == "keep":
            self.state.experiment.keep()
        elif name == "back":
            self.state.experiment.revert()
        self._end()  # even if nothing has changed yet

    def _on_take(self, row: int) -> None:
        if self._singles.base is not None and self.state.experiment.may_begin():
            self._singles.take(row)

    def _on_selection(self, *_: Any) -> None:
        if self.line.visible:
            self._offer()

    def _on_tried(self, event: Any) -> None:
        """End the pull after it was kept or reverted, here or by another action."""
        if event.new is None and not self._shows and self._singles.base is None:
            self._end()

    def _on_scenario(self, event: Any) -> None:
        """End the pull when anything else changes the page, even if no number has changed."""
        if self._shows:
            return
        if self._singles.base is not None:
            if not self._singles.holds_for(event.new):
                self._end()
        elif (self._wishes or self._wish) and event.new is not self._seen:
            self._end()

    def _clear(self) -> Scenario:
        """Discard the current attempt, and return the scenario without it."""
        self._forget()
        if self.state.experiment.is_running:
            self._revert()
        scenario: Scenario = self.state.scenario
        return scenario

    def _forget(self) -> None:
        self._steps.drop()
        self._singles.end()
        self._wishes.clear()
        self._wish = None
        self._forget_step()

    @contextmanager
    def _showing(self) -> Iterator[None]:
        shows, self._shows = self._shows, True
        try:
            yield
        finally:
            self._shows = shows

    def _revert(self) -> None:
        with self._showing():
            self.state.experiment.revert()

    def _end(self) -> None:
        self._forget()
        self.line.param.update(visible=False, rows=[], taken=-1)

    # -- the pull --------------------------------------------------------------------------------

    @property
    def _is_by_one(self) -> bool:
        return self._wish is not None and self.line.count == ONE

    @property
    def _asked(self) -> dict[Share, float]:
        """Return the pulled shares with their requested values; a requested word is one share."""
        if self._wish is None:
            return self._wishes
        token = self._base.output_vocabulary.index(self._wish.word)
        return {Share(PROBABILITIES, (self._wish.row, token), quoted(self._wish.word)): CERTAIN}

    def _offer(self) -> None:
        """Offer the groups of numbers that may change, given the model and the selected cell."""
        selected = self.state.selection
        near = [] if selected is None else [(selected.path, selected.row)]
        near += [(of.path, of.cell[0]) for of in self._asked]
        # A single number is one edit, however many are tried.
        options = choices(self._base, near, MAX_EDITS if not self._is_by_one else math.inf)
        names = [name for name, _ in options]
        value = self.line.value if self.line.value in names else next(iter(names), "")
        with self._showing():
            self.line.param.update(options=[[*option] for option in options], value=value)

    def _begin(self) -> None:
        base = self._singles.base or self._base
        if self.state.experiment.is_running and self._is_by_one:
            self._revert()
        self._offer()
        if not self.line.value:
            self._end()
            self.state.notice = NOTHING_SMALL
            return
        free = free_numbers(base, self.line.value)
        self._steps.drop()
        self._seen = self.state.scenario
        self.line.visible = True
        if self._is_by_one and self._wish is not None:
            self._singles.begin(base, self._wish, free)
            return
        self._singles.end()
        wishes = [Wish(of.path, of.cell, value) for of, value in self._asked.items()]
        runner = ForwardPassRunner(beside=self.state.runner)  # not shared with other threads
        steps = pulling(runner, base, wishes, free, COUNTS[self.line.count][1])
        shown = [self._reached.get(of) for of in self._asked]
        steps = _nearer(steps, [wish.value for wish in wishes], shown)
        self._show({"shown": self._shown(self._unfinished), "rows": [], "taken": -1})
        self._start = base
        self._awaits_step, self._begins_again = True, False
        self._steps.stream(object(), _written(steps, runner), "slow")

    def _show(self, properties: dict[str, Any]) -> None:
        self.line.param.update(**properties)

    def _show_step(self) -> None:
        result, step = self._steps.result, self._steps.result.value
        if result.status == "failed" or step is None:
            self._fail(result.note)
            return
        self._seen = step.scenario
        with self._showing():
            self.state.experiment.show(step.scenario, self._start)
        self._pulled = step.pulled
        self._reached = dict(zip(self._asked, step.pulled.reached, strict=True))
        self._awaits_step = False
        if self._begins_again:
            self._begin()
            return
        rows = []
        if self._is_done(step.pulled):
            rows = rows_of_moved(step.scenario, self.state.trace, step.start, step.pulled.arrays)
        self._show({"shown": self._shown(step.pulled), "rows": rows})

    def _on_page(self, pulled: Pulled) -> Iterator[float]:
        """Yield the values of the pulled shares on the page; each step rewrites the sentence there.

        Requests added after the step are not included.
        """
        for of, reached in zip(self._asked, pulled.reached, strict=False):
            value = self.state.trace[of.path].value
            yield float(value[of.cell]) if of.cell[0] < len(value) else reached

    def _fail(self, why: str) -> None:
        """Undo a pull that cannot start, and show the reason."""
        self.state.experiment.revert()
        self._end()
        self.state.notice = why

    def _is_done(self, pulled: Pulled | None) -> bool:
        """Return whether a step fulfills the request, or is the last step."""
        is_found = pulled is not None and pulled.granted and self.line.count == ANY
        return is_found or (pulled is not None and pulled.ended)

    def _shown(self, pulled: Pulled | None) -> dict[str, Any]:
        is_done, does, values = self._is_done(pulled), "Pulling", [*self._asked.values()]
        if is_done and pulled is not None and pulled.granted:
            does, values = "Pulled", [*self._on_page(pulled)]  # slightly more than requested
        asked = [f"{of.said} to {p:.2f}" for of, p in zip(self._asked, values, strict=False)]
        wish = f"{does} {' and '.join(asked)}" if self._wish is None else self._wish.said
        shown = {"wish": wish, "cost": "", "tone": "busy", "presses": ["keep", "back"]}
        shown["order"] = LARGEST_FIRST if is_done else TO_COME
        if pulled is None:
            return shown
        reached = [apart.share(p) for p in self._on_page(pulled)]
        now = " and ".join(reached)
        told = _told_of_moves(pulled)
        if pulled.granted and is_done:
            both = " The two compete: training is thousands of pulls at once."
            return {**shown, "cost": f"{told}{both if len(asked) > 1 else ''}", "tone": "granted"}
        if pulled.ended:
            why = {
                "independent": "These numbers do not change it at all.",
                "contradiction": f"Together they are more than 1, which is impossible: now {now}.",
            }.get(pulled.ending, f"Not found in {pulled.way + 1} attempts; the nearest is {now}.")
            others = "" if self.line.value == EVERYTHING else " Let other numbers move."
            more = "" if self.line.count == ANY else " Let more numbers move."
            return {**shown, "cost": f"{why}{others or more}", "tone": "refused"}
        way = f"Attempt {pulled.way + 1}. " if pulled.way else ""
        choosing = "Choosing which numbers move. " if self.line.count != ANY else ""
        are = [f"{of.said} is now {p}" for of, p in zip(self._asked, reached, strict=False)]
        return {**shown, "cost": f"{way}{choosing}{', '.join(are)}. {told}"}


def _told_of_moves(pulled: Pulled) -> str:
    """Return a sentence on the number of moved numbers, and on the largest move, rounded up."""
    if pulled.moved == 0:
        return "No number has moved yet."
    most = math.ceil(100 * pulled.largest) / 100
    if pulled.moved == 1:
        return f"1 number moved, by no more than {most:.2f}."
    return f"{pulled.moved:,} numbers moved, none by more than {most:.2f}."
