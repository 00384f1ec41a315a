"""Finds a word to drop on another word in the map, and describes the effect of a drop."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math.explain.plane import Plane

from ...explain import labels
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.inference.writing import likeliest
from ...model.scenario.scenario import Scenario
from ...typed_text import quoted
from .computation import Table

NEAR = 0.03  # share of the drawn extent within which a word counts as being on another word
TRIED = 8  # each word of the text is tried on this many nearest words


class Drop(NamedTuple):
    """A word, and the word that it is dropped on, by their indices in the table."""

    word: int
    onto: int


def with_word_at(scenario: Scenario, table: Table, word: int, row: np.ndarray) -> Scenario:
    """Return the scenario with a word's row of a table replaced."""
    at = int(table.ids[word])
    return scenario.with_values(table.path, {(at, k): float(x) for k, x in enumerate(row)})


def telling_drop(
    scenario: Scenario,
    runner: ForwardPassRunner,
    table: Table,
    plane: Plane,
    go_on: Callable[[], None] = lambda: None,
) -> Drop | None:
    """Find a drop within the plane that changes the written words.

    In order of preference: a drop with the same effect as moving the word in all dimensions; a drop
    that makes the model write a new word; the drop that changes the fewest words; the shortest
    drop. Return None if no tried drop changes anything. ``go_on`` is called between passes; it
    raises an exception if the result is no longer needed.
    """
    now = likeliest(scenario, runner)
    places = plane.coordinates(table.rows)
    vocabulary = scenario.vocabulary
    special = {vocabulary.start, vocabulary.end, vocabulary.pad, *vocabulary.forbidden}
    free = [k for k, word in enumerate(table.words) if not table.in_text[k] and word not in special]
    found = []
    for word in (k for k, is_read in enumerate(table.in_text) if is_read):
        apart = np.linalg.norm(table.rows - table.rows[word], axis=1)
        for onto in sorted(free, key=lambda k: float(apart[k]))[:TRIED]:
            go_on()
            row = plane.moved(table.rows[word], places[onto])
            then = likeliest(with_word_at(scenario, table, word, row), runner)
            if then == now:
                continue
            whole = likeliest(with_word_at(scenario, table, word, table.rows[onto]), runner)
            changes = sum(a != b for a, b in zip(now, whole, strict=False))
            away = float(np.linalg.norm(places[word] - places[onto]))
            has_new = any(each not in now for each in whole)
            found.append((then != whole, not has_new, changes, away, Drop(word, onto)))
    return min(found)[-1] if found else None


def stands_on(table: Table, plane: Plane, word: int) -> int | None:
    """Return the other word at a word's position in the plane; None if there is none."""
    places = plane.coordinates(table.rows)
    extent = float(np.ptp(plane.coordinates(table.learned), axis=0).max())
    apart = np.linalg.norm(places - places[word], axis=1)
    apart[word] = np.inf
    nearest = int(apart.argmin())
    return nearest if apart[nearest] <= NEAR * extent else None


def drop_sentence(table: Table, drop: Drop, before: tuple[str, ...], now: tuple[str, ...]) -> str:
    """Describe a drop: the remaining distance of its two words, and the resulting written words."""
    word, onto = (quoted(labels.shown(table.words[k])) for k in drop)
    apart = float(np.linalg.norm(table.rows[drop.word] - table.rows[drop.onto]))
    others = table.rows.shape[1] - 2
    turned = [(a, b) for a, b in zip(before, now, strict=False) if a != b]
    written = "what is written stays the same"
    if turned:
        old, new = (quoted(labels.shown(each)) for each in turned[0])
        written = f"{new} is written instead of {old}"
    if not table.in_text[drop.word]:
        return f"On the map {word} lies on {onto}. It is not in the sentence: {written}."
    if apart < LEAST:
        return f"{word} now has all numbers of {onto}: {written}."
    return (
        f"On the map {word} lies on {onto}, but they are still {apart:.2f} apart in the "
        f"{others} directions that the map does not show: {written}."
    )


LEAST = 0.005  # a distance that is shown as 0.00
