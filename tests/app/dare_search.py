"""Searches for the best known values of the page's own dares."""

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from tinkerformer.dares.attempt import Attempt
from tinkerformer.dares.score import Score, score
from tinkerformer.experiments.free_numbers import EVERYTHING, free_numbers
from tinkerformer.experiments.pulling import pulling
from tinkerformer.lessons.format import Dare
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.held_out import held_out
from tinkerformer.model.inference.right_pairs import RightPairs
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import VALUES, Silence, heads

from transformer_math.experiments import Free, Likeliest, Wish, single_numbers

PROBABILITIES = "output.probabilities"
Cells = Mapping[tuple[str, tuple[int, ...]], float]


class Search:
    """Tries attempts at one dare."""

    def __init__(self, dare: Dare, given: Scenario) -> None:
        self.dare, self.given = dare, given
        self.runner = ForwardPassRunner()
        self.model = self.runner.model(given)

    def score(self, scenario: Scenario) -> Score:
        return score(self.dare, Attempt(self.given, scenario), self.runner)

    def does(self, scenario: Scenario) -> bool:
        found = self.score(scenario)
        return found.is_reached and not found.refused

    # -- single numbers ------------------------------------------------------------------------

    def single_number(self, word: str, instead: str) -> Scenario | None:
        """Return the smallest change of one number that changes this word and no other."""
        given, trace = self.given, self.runner.trace(self.given)
        wish = Likeliest(given.target.index(word) - 1, given.output_vocabulary.index(instead))
        never = given.vocabulary.forbidden_ids
        found = single_numbers(self.model, wish, trace, never=never)
        assert found.tried == found.of
        by_move = sorted(found.found, key=lambda one: abs(one.value - one.now))
        changed = (given.with_value(one.path, one.cell, one.value) for one in by_move)
        return next(filter(self.does, changed), None)

    # -- pulls -----------------------------------------------------------------------------------

    def pulled(
        self,
        wishes: Sequence[Wish],
        free: Free | None = None,
        typed: Scenario | None = None,
        limit: int = 400,
    ) -> Scenario:
        """Return the result of ``limit`` steps of the page's pull; default: of all numbers."""
        base = typed or self.given
        steps = pulling(self.runner, base, wishes, free or free_numbers(base, EVERYTHING))
        *_, last = itertools.islice(steps, limit)
        return dataclasses.replace(self.given, edits=last.scenario.edits)

    # -- taking back -----------------------------------------------------------------------------

    def taken_back(self, now: Cells, before: Cells, *, singly: bool = False) -> Cells:
        """Move values back as far as the dare allows: all by one factor, then one by one."""

        def between(share: float, only: Iterable[tuple[str, tuple[int, ...]]]) -> Cells:
            moved = {cell: before[cell] + share * (now[cell] - before[cell]) for cell in only}
            return {**now, **moved}

        every = list(now)
        now = between(_least(lambda share: self.does(self.with_cells(between(share, every)))), now)
        by_move = sorted(every, key=lambda cell: -abs(now[cell] - before[cell]))
        for cell in by_move * 3 if singly else ():
            share = _least(lambda share, c=cell: self.does(self.with_cells(between(share, [c]))))
            now = between(share, [cell])
        return now

    def with_cells(self, cells: Cells) -> Scenario:
        scenario = self.given
        for path in {path for path, _ in cells}:
            of_path = {index: value for (of, index), value in cells.items() if of == path}
            scenario = scenario.with_values(path, of_path)
        return scenario

    # -- attention -------------------------------------------------------------------------------

    def one_head(self, rows: Sequence[int]) -> Scenario | None:
        """Return the best attempt in which rows of a cross-attention head look at one word each."""
        trace = self.runner.trace(self.given)
        best: tuple[float, Scenario] | None = None
        count = len(self.given.source)
        for head in range(self.given.settings.heads):
            path = f"decoder.0.cross_attn.head.{head}.weights"
            own = trace["decoder.0.cross_attn.weights"].value[head]
            cells = [(path, (row, column)) for row in rows for column in range(count)]
            before = {(at, ij): float(own[ij]) for at, ij in cells}
            for keys in itertools.product(range(count), repeat=len(rows)):
                looks = dict(zip(rows, keys, strict=True))
                now = {(at, (i, j)): float(looks[i] == j) for at, (i, j) in cells}
                if not self.does(self.with_cells(now)):
                    continue
                now = self.taken_back(now, before, singly=True)
                scenario = self.with_cells({c: x for c, x in now.items() if x != before[c]})
                value = self.score(scenario).value or 0.0
                if best is None or value < best[0]:
                    best = value, scenario
        return None if best is None else best[1]

    # -- silences --------------------------------------------------------------------------------

    def silences(self, phrases: int, width: int) -> Scenario:
        """Return the most silences, by a beam search that keeps the best sets of each size."""
        pairs = held_out(self.given, phrases)
        assert pairs is not None
        right = RightPairs(self.runner, self.given, pairs)
        units = [
            (f"{stack}.0.feed_forward.activation", unit)
            for stack in ("encoder", "decoder")
            for unit in range(self.given.settings.d_ff)
        ]
        parts = [*((head, None) for head in heads(self.given.config)), *units]
        every = [Silence(path, None, column, to) for path, column in parts for to in VALUES]

        def count(silences: frozenset[Silence]) -> int:
            return right.count(dataclasses.replace(self.given, silences=tuple(silences)))

        # Try only silences that keep nearly all phrases right when they are alone.
        every = [each for each in every if count(frozenset([each])) >= 0.9 * phrases]
        sets, best = [frozenset[Silence]()], frozenset[Silence]()
        while sets:
            larger = {
                before | {each}
                for before in sets
                for each in every
                if all(each.part != other.part for other in before)
            }
            known = {each: count(each) for each in sorted(larger, key=sorted)}
            sets = sorted(known, key=lambda each: -known[each])[:width]
            if sets and known[sets[0]] == phrases:
                best = sets[0]
            elif not sets or known[sets[0]] < 0.97 * phrases:
                break
        return dataclasses.replace(self.given, silences=tuple(best))


def edited(search: Search, scenario: Scenario) -> tuple[Cells, Cells]:
    """Return the edited parameters of a scenario, and their values before the edits."""
    now = {(p, i): x for p, cells in scenario.overrides().items() for i, x in cells.items()}
    before = {(p, i): float(search.model.parameters[p][i]) for p, i in now}
    return now, before


def mask(search: Search, cells: Iterable[tuple[str, tuple[int, ...]]]) -> Free:
    """Return a mask by which only these parameters may change."""
    found: dict[str, np.ndarray] = {}
    for path, index in cells:
        shape = search.model.parameters[path].shape
        found.setdefault(path, np.zeros(shape, bool))[index] = True
    return found


def _least(does: Callable[[float], bool], steps: int = 12) -> float:
    """Return the smallest share for which ``does`` is true, by bisection; it must be true for 1."""
    if does(0.0):
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        if does(middle):
            high = middle
        else:
            low = middle
    return high
