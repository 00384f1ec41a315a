"""Computes the loss over two directions, its inputs, and the sentences about it."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Labels, Trace, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.explain.landscape import Direction, losses, main_directions
from transformer_math.ops.expression import Cell

from ...explain import labels
from ...model.inference import cost
from ...model.inference.right_text import right_target
from ...model.matrices.address import CellAddress
from ...model.matrices.resolved_cell import ResolvedCell
from ...model.scenario.scenario import Scenario
from ...number_text import fixed
from ...typed_text import quoted
from ..naming import number_in_words
from ..words_map.computation import Table

SIDES = (41, 31, 21, 11)  # places along each direction; a large model uses fewer
FLAT = 5e-3  # smaller differences of losses are not visible
DOWNHILL = 0.08  # the length of one step downhill, relative to the width
SLOPE_OVER = 0.03  # the distance on either side for measuring a slope, relative to the width
MOST_HALVES = 6
EXAMPLES = 16  # training pairs whose loss is shown for a run
AROUND_NUMBER = 2.0  # the largest move of a number, to each side
AROUND_WORDS = (-1.5, 1.5)  # 0: at the word; 1: at the other word
BEYOND_RUN = 0.25  # the margin around the path of a run, relative to its size


class Axis(NamedTuple):
    """One of the two directions."""

    name: str  # the label of the moved number or word
    low: float  # the least drawn coordinate
    high: float  # the largest drawn coordinate
    origin: float  # the coordinate of the trace
    direction: Direction  # the change of the tensors per unit of the coordinate


class Ground(NamedTuple):
    """The inputs of a landscape."""

    trace: Trace  # the forward pass from which both directions start
    across: Axis  # the first direction
    up: Axis  # the second direction
    of: str  # the text whose loss is shown


class Landscape(NamedTuple):
    """The loss at places along two directions: ``losses`` is (ys, xs)."""

    xs: np.ndarray
    ys: np.ndarray
    losses: np.ndarray

    @property
    def least(self) -> tuple[float, float, float]:
        """The lowest place: across, up, and the loss there."""
        up, across = np.unravel_index(int(np.nanargmin(self.losses)), self.losses.shape)
        return float(self.xs[across]), float(self.ys[up]), float(self.losses[up, across])

    def at(self, x: float, y: float) -> float:
        """Return the loss at a place, interpolated between the computed places."""
        column = float(np.interp(x, self.xs, np.arange(len(self.xs))))
        row = float(np.interp(y, self.ys, np.arange(len(self.ys))))
        i, j = min(int(row), len(self.ys) - 2), min(int(column), len(self.xs) - 2)
        a, b = row - i, column - j
        four = self.losses[i : i + 2, j : j + 2]
        return float(np.array([1 - a, a]) @ four @ np.array([1 - b, b]))


class Way(NamedTuple):
    """The path of a run through its landscape."""

    steps: Sequence[int]  # the kept steps, and the step at which the run is
    places: np.ndarray  # their coordinates in the plane, (k, 2)
    share: float  # the share of the squared distances to the last place that lies in the plane


def asked_for(scenario: Scenario) -> Scenario:
    """Return the scenario with the right target, if it is known.

    The written words change with the numbers, but a landscape shows the loss of a fixed text.
    """
    right = right_target(scenario) if scenario.writes_itself else None
    start, end = scenario.vocabulary.start, scenario.vocabulary.end
    if right is None or start is None or end is None:
        return dataclasses.replace(scenario, writes_itself=False)
    return dataclasses.replace(scenario, target=(start, *right), expected=end, writes_itself=False)


def text_asked_for(scenario: Scenario) -> str:
    """Return the text whose loss a landscape shows."""
    words = [labels.visible([token])[0] for token in scenario.label_tokens]
    known = scenario.vocabulary
    is_spelled = known.unit == "character" and not known.of_text
    return f"writing {quoted(('' if is_spelled else ' ').join(words))}"


def of_numbers(scenario: Scenario, trace: Trace, cells: Sequence[ResolvedCell]) -> Ground:
    """Return the inputs of a landscape over two numbers of the trace."""
    axes = []
    for cell in cells:
        stored = trace[cell.stored]
        unit = np.zeros(stored.shape)
        unit[cell.full] = 1.0
        now = float(stored.value[cell.full])
        low, high = now - AROUND_NUMBER, now + AROUND_NUMBER
        name = number_in_words(scenario.axis_tokens, cell)
        axes.append(Axis(name, low, high, now, {cell.stored: unit}))
    return Ground(trace, axes[0], axes[1], text_asked_for(scenario))


def steepest(scenario: Scenario, trace: Trace, count: int) -> list[CellAddress]:
    """Return, for each parameter, the number with the largest gradient, the largest of all first.

    The trace must have gradients.
    """
    found = []
    for path in scenario.config.parameter_shapes():
        gradient = trace[path].grad if path in trace else None
        if gradient is None:
            continue
        tensor, slopes = trace[path], np.nan_to_num(np.abs(gradient))
        at = np.unravel_index(int(slopes.argmax()), slopes.shape)
        name, place = Cell(tensor, tuple(int(i) for i in at)).address
        row, column = (0, 0, *place)[-2:]
        found.append((float(slopes[at]), CellAddress(name, row, column)))
    found.sort(key=lambda each: -each[0])
    return [address for _, address in found[:count]]


def of_words(
    scenario: Scenario, trace: Trace, table: Table, pairs: Sequence[tuple[str, str]]
) -> Ground:
    """Return the inputs of a landscape over the moves of two words, each toward another word."""
    axes = []
    for start, end in pairs:
        i, j = table.words.index(start), table.words.index(end)
        direction = np.zeros(trace[table.path].shape)
        direction[table.ids[i]] = table.learned[j] - table.learned[i]
        name = f"{quoted(labels.shown(start))} toward {quoted(labels.shown(end))}"
        axes.append(Axis(name, *AROUND_WORDS, 0.0, {table.path: direction}))
    return Ground(trace, axes[0], axes[1], text_asked_for(scenario))


def of_run(
    model: Transformer,
    pairs: Pairs,
    smoothing: float,
    kept: Mapping[int, Mapping[str, np.ndarray]],
    step: int,
) -> tuple[Ground, Way]:
    """Return a landscape's inputs for the two main directions of a run, and the run's path.

    ``kept`` has the parameters at each kept step, ``model`` the parameters at the last ``step``.
    """
    source, target = pairs.rows(np.arange(min(EXAMPLES, pairs.train_count)))
    read, written, right = pairs.lesson(source, target)
    trace = model(read, written, labels=Labels(right, smoothing))
    paths = list(model.parameters)
    end = _flat(model.parameters, paths)
    steps = [each for each in sorted(kept) if each < step]
    points = np.array([_flat(kept[each], paths) for each in steps]).reshape(len(steps), -1)
    directions, places, share = main_directions(points, end)
    places = np.concatenate([places, [[0.0, 0.0]]])
    shapes = [model.parameters[path].shape for path in paths]
    axes = []
    for k, name in enumerate(("the run’s first main direction", "its second")):
        low, high = float(places[:, k].min()), float(places[:, k].max())
        room = BEYOND_RUN * max(high - low, float(np.ptp(places)) / 2)
        direction = dict(zip(paths, _unflat(directions[k], shapes), strict=True))
        axes.append(Axis(name, low - room, high + room, 0.0, direction))
    count = len(source)
    of = f"{count} phrases" if pairs.unit == "word" else f"{count} texts"
    return Ground(trace, axes[0], axes[1], f"{of} that it learns from"), Way(
        [*steps, step], places, share
    )


def side(multiply_adds: int) -> int | None:
    """Return the largest of ``SIDES`` that is fast enough to compute; None if none is."""
    return next((n for n in SIDES if cost.fits_unasked(n * n * multiply_adds)), None)


def survey(ground: Ground, count: int, go_on: Callable[[], None] = lambda: None) -> Landscape:
    """Compute the landscape at ``count`` places along each direction."""
    across, up = ground.across, ground.up
    xs, ys = np.linspace(across.low, across.high, count), np.linspace(up.low, up.high, count)
    steps = np.stack(np.meshgrid(xs - across.origin, ys - up.origin), axis=-1).reshape(-1, 2)
    found = losses(ground.trace, across.direction, up.direction, steps, go_on)
    return Landscape(xs, ys, found.reshape(count, count))


def sentence(ground: Ground, found: Landscape, at: tuple[float, float]) -> str:
    """Describe the landscape: the loss here, the lowest place and the highest loss."""
    x, y, least = found.least
    now = found.at(*at)
    lowest, highest = float(np.nanmin(found.losses)), float(np.nanmax(found.losses))
    is_flat = highest - lowest <= FLAT
    flat = " The ground is flat: neither of the two matters here." if is_flat else ""
    return (
        f"The loss of {ground.of} is {now:.3f} at the dot. At the cross, the lowest place, it is "
        f"{least:.3f}, at {fixed(x, 2)} across and {fixed(y, 2)} up; "
        f"the highest is {highest:.3f}.{flat}"
    )


def drag_sentence(
    ground: Ground, found: Landscape, before: tuple[float, float], now: tuple[float, float]
) -> str:
    """Describe how a move in the landscape changed both coordinates and the loss."""
    moved = [
        f"{way} ({axis.name}) from {fixed(old, 2)} to {fixed(new, 2)}"
        for way, axis, old, new in zip(
            ("across", "up"), (ground.across, ground.up), before, now, strict=True
        )
        if fixed(old, 2) != fixed(new, 2)
    ]
    old, new = found.at(*before), found.at(*now)
    way = "uphill" if new > old else "downhill"
    return (
        f"You moved {' and '.join(moved) or 'nothing that is seen'}: {way}, from a loss of "
        f"{old:.3f} to {new:.3f}. At the cross, the lowest place, it is {found.least[2]:.3f}."
    )


def downhill(ground: Ground, found: Landscape, at: tuple[float, float]) -> tuple[float, float]:
    """Return the place one step downhill; a step that leads uphill is halved and tried again."""
    low = np.array([ground.across.low, ground.up.low])
    size = np.array([ground.across.high, ground.up.high]) - low
    here = np.clip((np.array(at) - low) / size, 0, 1)

    def loss(place: np.ndarray) -> float:
        return found.at(*(low + size * place))

    slope = np.zeros(2)
    for k in (0, 1):
        before, after = here.copy(), here.copy()
        before[k], after[k] = max(0.0, here[k] - SLOPE_OVER), min(1.0, here[k] + SLOPE_OVER)
        slope[k] = (loss(after) - loss(before)) / (after[k] - before[k])
    length = float(np.linalg.norm(slope))
    if not np.isfinite(length) or length == 0:
        return at
    for halves in range(MOST_HALVES):
        there = np.clip(here - DOWNHILL / 2**halves * slope / length, 0, 1)
        if loss(there) < loss(here):
            x, y = low + size * there
            return float(x), float(y)
    return at


def sentence_of_way(way: Way, found: Landscape) -> str:
    """Describe the path of a run: its start and end, and the share of it in the plane."""
    first, last = found.at(*way.places[0]), found.at(*way.places[-1])
    return (
        f" From step {way.steps[0]:,} to step {way.steps[-1]:,} the way leads from {first:.2f} to "
        f"{last:.2f}; {round(100 * way.share)} % of how far the numbers moved is in this plane."
    )


def _flat(parameters: Mapping[str, np.ndarray], paths: Sequence[str]) -> np.ndarray:
    return np.concatenate([parameters[path].astype(float).ravel() for path in paths])


def _unflat(flat: np.ndarray, shapes: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    sizes = [int(np.prod(shape)) for shape in shapes]
    parts = np.split(flat, np.cumsum(sizes)[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
