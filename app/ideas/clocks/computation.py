"""Computes the data and sentences of the picture of positions as clocks."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.explain import clocks
from transformer_math.explain.clocks import Nearest

from ...explain import labels
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.inference.writing import likeliest, with_written_target
from ...model.scenario.scenario import Scenario
from ...number_text import counted, fixed, joined
from ...typed_text import quoted
from ..settings import LAST_POSITION, RANGES, ClockSettings

MAX_DIALS = 64
CHECKED = 1 << 20  # the most numbers in `Encoding.rows`, unless 1,024 rows have more
SAME_ROW = 1e-5  # rows at a smaller distance count as equal


class Encoding(NamedTuple):
    """The positional encoding of a model."""

    d_model: int
    halves: bool
    dtype: str

    @property
    def rows(self) -> np.ndarray:
        """The rows of the first positions, in the model's precision."""
        return _rows(self)

    def row(self, position: int) -> np.ndarray:
        """Return the row of one position in float64."""
        angle = position * clocks.speeds(self.d_model)
        sines, cosines = clocks.columns(self.d_model, self.halves)
        found = np.empty(self.d_model)
        found[sines], found[cosines] = np.sin(angle), np.cos(angle[: len(cosines)])
        return found

    def standing(self, row: np.ndarray) -> int | None:
        """Return the position that a row encodes; None if it encodes none."""
        alike = np.flatnonzero(np.abs(self.rows[:, 0] - row[0]) < SAME_ROW)
        distances = np.abs(self.rows[alike] - row).max(axis=1, initial=0)
        if not len(alike) or distances.min() >= SAME_ROW:
            return None
        return int(alike[distances.argmin()])


@functools.lru_cache(maxsize=4)
def _rows(encoding: Encoding) -> np.ndarray:
    d_model, halves, dtype = encoding
    n = min(LAST_POSITION + 1, max(1024, CHECKED // d_model))
    return clocks.table(n, d_model, halves).astype(dtype)


@functools.lru_cache(maxsize=64)  # the shift is the same at all positions
def _shift(encoding: Encoding, k: int) -> clocks.Shift:
    return clocks.shift(encoding.rows, k, encoding.halves)


def encoding_of(scenario: Scenario) -> Encoding | None:
    """Return the positional encoding of a scenario's model; None if it is not sinusoidal."""
    kind = scenario.settings.positions
    if not kind.startswith("sinusoidal"):
        return None
    config = scenario.config
    return Encoding(config.d_model, kind == "sinusoidal_halves", config.dtype)


class Standing(NamedTuple):
    """A word and the position assigned to it."""

    label: str
    position: int
    moved: bool


def standing(scenario: Scenario, trace: Trace, encoding: Encoding) -> list[Standing]:
    """Return the words of the text, each with the position whose row is added to it."""
    side = scenario.first_side
    tensor = trace[f"{side}.positions"]
    by_hand = tensor.overridden
    found = []
    for k, label in enumerate(labels.visible(getattr(scenario, side))):
        position = None
        if by_hand is not None and by_hand[k].any():
            position = encoding.standing(tensor.value[k])
        moved = position is not None and position != k
        found.append(Standing(label or "∅", k if position is None else position, moved))
    return found


def with_word_at(scenario: Scenario, encoding: Encoding, word: int, position: int) -> Scenario:
    """Return the scenario in which a word has the row of a given position."""
    path = f"{scenario.first_side}.positions"
    if position == word:
        return scenario.without_row(path, word)
    row = encoding.row(position).astype(encoding.dtype)
    return scenario.with_values(path, {(word, j): float(x) for j, x in enumerate(row)})


def unit_of(scenario: Scenario) -> str:
    """Return the unit of positions, in the plural."""
    return "words" if scenario.vocabulary.unit == "word" else "positions"


class Clocks(NamedTuple):
    """The contents of the picture."""

    data: dict[str, Any]
    sentence: str  # the sentence about this position and shift
    position: int  # the position of the hands


def clocks_shown(
    scenario: Scenario, trace: Trace, encoding: Encoding, chosen: ClockSettings
) -> Clocks:
    """Return the dials at the position of the chosen word, or else at the chosen position."""
    words = standing(scenario, trace, encoding)
    position = words[chosen.word].position if 0 <= chosen.word < len(words) else chosen.position
    speeds = clocks.speeds(encoding.d_model)
    pairs = np.unique(np.linspace(0, len(speeds) - 1, min(len(speeds), MAX_DIALS)).astype(int))
    # Use fixed ranges, so that the similarity curve does not change with each move.
    farthest = max(int(chosen.range), position, *(word.position for word in words))
    last = next(last for last in map(int, RANGES.values()) if last >= farthest)
    data = {
        "speeds": speeds[pairs].tolist(),
        "pairs": pairs.tolist(),
        "all": len(speeds),
        "single": bool(encoding.d_model % 2),
        "position": position,
        "shift": chosen.shift,
        "last": last,
        "tokens": [list(word) for word in words],
        "turns": [angle(float(abs(x))) for x in np.degrees(chosen.shift * speeds[pairs])],
        "unit": unit_of(scenario),
    }
    return Clocks(data, _sentence(encoding, position, chosen.shift), position)


def _sentence(encoding: Encoding, position: int, shift: int) -> str:
    other = position + shift
    alike = float(clocks.kernel(position, np.array([other]), encoding.d_model)[0])
    most = float(clocks.kernel(position, np.array([position]), encoding.d_model)[0])
    way = "further on" if shift >= 0 else "back"
    return (
        f"{counted(abs(shift), 'word')} {way}, the hands turn by {_turns(encoding, shift)}, at "
        f"every position: so the model can learn to look for {_there(shift)}. The dot product of "
        f"the rows of positions {position:,} and {other:,} is {fixed(alike, 3)}; of equal rows it "
        f"is {most:.3f}."
    )


def _there(shift: int) -> str:
    """Name the word at the distance of a shift."""
    where = "before" if shift < 0 else "after"
    return f"“the word {where}”" if abs(shift) == 1 else f"the word {abs(shift):,} places {where}"


def _turns(encoding: Encoding, shift: int) -> str:
    """Name the angles by which a shift turns the hands: the first few and the last."""
    angles = np.degrees(np.abs(_shift(encoding, shift).angles))
    shown = [angle(x) for x in angles[:4]]
    if len(angles) > 4:
        shown = [*shown[:3], f"… {angle(angles[-1])}"]
    return joined(shown)


def drag_sentence(encoding: Encoding, before: int, now: int, word: str) -> str:
    """Describe how the hands turned with the position, which belongs to ``word`` if it is given."""
    if before == now:
        return ""
    shift = now - before
    turned = f"the hands turned {'on' if shift > 0 else 'back'} by {_turns(encoding, shift)}"
    if word:
        return f"You gave {quoted(word)} the position {now:,} instead of {before:,}: {turned}."
    return f"You moved p from {before:,} to {now:,}: {turned}."


def likeness_sentence(alike: np.ndarray) -> str:
    """Describe how similarity depends on distance; ``alike[k]`` is that of positions k apart."""
    falls = np.flatnonzero(np.diff(alike) > 0)
    if not len(falls):
        return "The farther apart two positions are, the less alike they are."
    low = int(falls[0])
    rises = np.flatnonzero(np.diff(alike[low:]) < 0)
    high = low + int(rises[0]) if len(rises) else len(alike) - 1
    return (
        f"It is largest at distance 0, {fixed(alike[0], 2)}, and falls to {fixed(alike[low], 2)} "
        f"at distance {low}; then it rises again, to {fixed(alike[high], 2)} at {high}. So a "
        "large product does not always mean near. Attention can tell distances because a shift "
        "turns each hand by the same angle at every position."
    )


class Telling(NamedTuple):
    """A word, and a position whose row changes the written words."""

    word: int
    position: int


def telling_position(
    scenario: Scenario,
    runner: ForwardPassRunner,
    encoding: Encoding,
    word: int,
    go_on: Callable[[], None] = lambda: None,
) -> Telling | None:
    """Find a position that changes the written sentence when its row is added to a word.

    In order of preference: a position that only reorders the written words, the position that
    changes the most words, the last position. Return None if no position in the text changes any.
    """
    now = _written(scenario, runner)
    found = []
    for position in range(len(getattr(scenario, scenario.first_side))):
        go_on()
        if position == word:
            continue
        then = _written(with_word_at(scenario, encoding, word, position), runner)
        if then != now:
            is_other = sorted(then) != sorted(now)
            changes = sum(a != b for a, b in zip(now, then, strict=False))
            found.append((is_other, -changes, -position))
    return Telling(word, -min(found)[-1]) if found else None


def _written(scenario: Scenario, runner: ForwardPassRunner) -> tuple[str, ...]:
    if scenario.writes_itself:
        return with_written_target(scenario, runner).target
    return likeliest(scenario, runner) if scenario.settings.decoder_layers else ()


def angle(degrees: float) -> str:
    """Format an angle in whole turns and degrees, with as many digits as needed."""
    turns, rest = divmod(degrees, 360)
    text = f"{rest:.0f}°" if rest >= 10 else f"{rest:.2g}°"
    if "e" in text:
        text = f"{rest:.1g}°" if rest < 1e-4 else f"{rest:.5f}°"
    if not turns:
        return text
    return f"{turns:,.0f} turn{'s' if turns > 1 else ''} and {text}"


def nearest_sentence(found: Nearest) -> str:
    """Name the two most similar positions, and whether the model can distinguish them."""
    first, second = f"{found.first:,}", f"{found.second:,}"
    said = (
        f"Of all positions from 0 to {LAST_POSITION:,}, the two most alike are {first} and "
        f"{second}: their rows are {found.distance:.2g} apart, where those of neighbors are "
        f"{found.neighbors:.2g} or more. "
    )
    if found.same:
        return said + (
            f"Rounded as the model stores them, {found.same:,} rows are the same as an earlier "
            "one: those positions cannot be told apart."
        )
    return said + (
        f"That is far more than what the rounding of a number takes away: all "
        f"{LAST_POSITION + 1:,} rows stay different."
    )


def word_sentence(scenario: Scenario, word: Standing, index: int) -> str:
    """Describe the position of a moved word, and the words that the model writes with it."""
    if not word.moved:
        return (
            f"{quoted(word.label)} keeps its position, {index}: move p to give it a different one."
        )
    written = ""
    if scenario.settings.decoder_layers and scenario.writes_itself:
        text = " ".join(labels.visible(scenario.target[1:]))
        written = f" The model now writes: {text}."
    where = f"{word.position:,} instead of {index}"
    return f"{quoted(word.label)} now has the position {where}.{written}"
