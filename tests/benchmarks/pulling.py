"""Pulls, compared with SciPy's L-BFGS and SLSQP and with Adam: same numbers, same time.

Wishes are drawn at random: a held-out phrase, a position in it, a word, a probability, and a part
of the phrase translator that may change. For each wish, each other method gets the time that the
pull took, and the shortest change that grants the wish counts. Many wishes are impossible: with the
given output weights, few words can be likelier than 0.87. Without SciPy, its rows are omitted.
"""

import contextlib
import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.benchmarks.table import heading, line
from transformer_math import Trace, Transformer, phrases
from transformer_math.experiments import Wish, pull
from transformer_math.experiments.pull_problem import Forward, Point, Problem

MODEL = Path(__file__).parents[2] / "assets" / "phrases.safetensors"
HAS_SCIPY = importlib.util.find_spec("scipy") is not None
WISHES = 36
VALUES = (0.05, 0.3, 0.5, 0.7, 0.9, 0.95)
PARTS = (
    *("encoder.0.self_attn.", "encoder.0.feed_forward.", "decoder.0.self_attn."),
    *("decoder.0.cross_attn.", "decoder.0.feed_forward.", "output.", "source.W_e", "target.W_e"),
    "",  # all parameters
)
WEIGHTS = (1.0, 30.0, 1e3, 3e4, 1e6)  # weights of the penalty, in order
RATE = 0.03  # rates of Adam, relative to the size of the numbers
GRANTED = (
    "The share of the wishes that are granted when the pull ends. Beside it: the share that the "
    "other solver grants in the time of the pull; of the changes that it tries, the shortest one "
    "that grants the wish counts."
)
MOST_OF_SLSQP = 400  # numbers at most, because its steps cost their cube


class Asked(NamedTuple):
    """A wish."""

    forward: Forward
    wish: Wish
    free: Mapping[str, None]


class Found(NamedTuple):
    """The result of one method: the distance, or None if the wish was not granted."""

    distance: float | None
    seconds: float


class _Late(Exception):
    """The time has run out."""


Solve = Callable[[Problem, "_Kept"], None]


class _Kept:
    """Runs passes until the time runs out, and keeps the shortest change that grants the wish."""

    def __init__(self, problem: Problem, seconds: float) -> None:
        self._problem = problem
        self._until = time.perf_counter() + seconds
        self.distance: float | None = None

    def at(self, x: np.ndarray) -> Point:
        """Return the pass with these numbers."""
        if time.perf_counter() > self._until:
            raise _Late
        point = self._problem.at(np.asarray(x, np.float64))
        if self._problem.is_past(point):
            length = float(np.linalg.norm(point.x - self._problem.start.x))
            self.distance = length if self.distance is None else min(self.distance, length)
        return point


def run() -> None:
    """Print each method's share of granted wishes, and its distance."""
    heading(f"Pull: {WISHES} wishes for a word's probability, by the part that may move")
    of_scipy = {"SciPy's L-BFGS, penalty": _lbfgs, "SciPy's SLSQP": _slsqp} if HAS_SCIPY else {}
    ours: list[Found] = []
    theirs: dict[str, list[Found]] = {name: [] for name in (*of_scipy, "Adam")}
    for asked in wishes(WISHES):
        ours.append(pulled(asked))
        for name, solve in (*of_scipy.items(), ("Adam", _adam)):
            theirs[name].append(_solved(asked, solve, ours[-1].seconds))
    for name, found in {"pull": ours, **theirs}.items():
        _row(name, found, ours)


def wishes(count: int, seed: int = 0) -> list[Asked]:
    """Draw random wishes."""
    model, pairs, random = Transformer.load(MODEL), phrases(), np.random.default_rng(seed)
    pads = pairs.source_tokenizer.pad, pairs.target_tokenizer.pad
    found: list[Asked] = []
    while len(found) < count:
        row = random.integers(len(pairs.held_out_source))
        source, target = (
            ids[ids != pad]
            for ids, pad in zip(
                (pairs.held_out_source[row], pairs.held_out_target[row]), pads, strict=True
            )
        )
        target = target[:-1]  # the end token is not read
        place, word = random.integers(len(target)), random.integers(model.config.target_vocabulary)
        part = PARTS[len(found) % len(PARTS)]
        free = dict.fromkeys(path for path in model.parameters if path.startswith(part))
        wish = Wish("output.probabilities", (int(place), int(word)), float(random.choice(VALUES)))
        found.append(Asked(_forward(model, source, target), wish, free))
    return found


def _forward(model: Transformer, source: np.ndarray, target: np.ndarray) -> Forward:
    def forward(arrays: Mapping[str, np.ndarray]) -> Trace:
        return model(source, target, overrides=dict(arrays))

    return forward


def pulled(asked: Asked) -> Found:
    """Pull a wish by this project's method."""
    start = time.perf_counter()
    *_, end = pull(asked.forward, [asked.wish], asked.free)
    seconds = time.perf_counter() - start
    return Found(end.distance if end.granted else None, seconds)


def _solved(asked: Asked, solve: Solve, seconds: float) -> Found:
    problem = Problem(asked.forward, [asked.wish], asked.free, few=False)
    kept = _Kept(problem, seconds)
    start = time.perf_counter()
    with contextlib.suppress(_Late):
        solve(problem, kept)
    return Found(kept.distance, time.perf_counter() - start)


def _row(name: str, found: list[Found], ours: list[Found]) -> None:
    granted = [each.distance for each in found if each.distance is not None]
    both = [
        (each.distance, mine.distance)
        for each, mine in zip(found, ours, strict=True)
        if each.distance and mine.distance
    ]
    ratio = statistics.median(theirs / mine for theirs, mine in both) if both else 0
    seconds = sum(each.seconds for each in found) / len(found)
    share = f"{len(granted) / len(found):.1%} granted"
    further = f"distance × {ratio:.2f} of the pull's, where both; {seconds:.2f} s each"
    line(name, share, GRANTED, beside="" if found is ours else further)


def _penalty(problem: Problem, point: Point, weight: float) -> tuple[float, np.ndarray]:
    """Return ½|x − x₀|² + weight/2 · (missing log-odds)², and its gradient."""
    moved = point.x - problem.start.x
    missing = 0.0 if problem.is_past(point) else float(problem.missing(point)[0])
    slope = problem.slopes(point)[0]
    value = 0.5 * float(moved @ moved) + 0.5 * weight * missing**2
    return value, moved - weight * missing * slope


def _lbfgs(problem: Problem, kept: _Kept) -> None:
    from scipy import optimize

    x = problem.start.x
    for weight in WEIGHTS:

        def value(x: np.ndarray, weight: float = weight) -> tuple[float, np.ndarray]:
            return _penalty(problem, kept.at(x), weight)

        x = optimize.minimize(value, x, jac=True, method="L-BFGS-B").x


def _slsqp(problem: Problem, kept: _Kept) -> None:
    from scipy import optimize

    start = problem.start.x
    if len(start) > MOST_OF_SLSQP:
        return
    side = np.sign(problem.aim - problem.start.odds)

    def past(x: np.ndarray) -> np.ndarray:
        return np.asarray(-side * problem.missing(kept.at(x)))

    def slopes(x: np.ndarray) -> np.ndarray:
        return np.asarray(side[:, None] * problem.slopes(kept.at(x)))

    optimize.minimize(
        lambda x: 0.5 * float((x - start) @ (x - start)),
        start,
        jac=lambda x: x - start,
        method="SLSQP",
        constraints={"type": "ineq", "fun": past, "jac": slopes},
        options={"maxiter": 1000},
    )


def _adam(problem: Problem, kept: _Kept) -> None:
    """Step toward the wish until it is granted, then along the gradient of the penalty."""
    x = problem.start.x.copy()
    mean, square = np.zeros_like(x), np.zeros_like(x)
    step = 0
    while True:
        step += 1
        point = kept.at(x)
        slope = (
            -problem.pull(point)
            if kept.distance is None
            else _penalty(problem, point, WEIGHTS[2])[1]
        )
        mean = 0.9 * mean + 0.1 * slope
        square = 0.98 * square + 0.02 * slope**2
        spread = np.sqrt(square / (1 - 0.98**step)) + 1e-12
        x = x - RATE * problem.size * mean / (1 - 0.9**step) / spread
