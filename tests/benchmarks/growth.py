"""How cost grows with tokens, width, layers and sessions, drawn into ``assets/pictures``."""

import asyncio
import datetime
import platform
import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tests.benchmarks.forward import sized
from tests.benchmarks.machine import machine
from tests.benchmarks.picture import Curve, draw
from tests.benchmarks.table import heading, line, median_ms, percentile
from tests.benchmarks.written import day
from tests.load.edits import closed, edit_delays, first_edits, opened
from tests.load.server import served
from transformer_math import Transformer, sweep

PICTURES = Path(__file__).parents[2] / "assets" / "pictures"
WORDS, USUAL = 64, 16  # words of the vocabulary; tokens on each side
TOKENS, WIDTHS, LAYERS = (4, 8, 16, 32, 64), (8, 16, 32, 64), (1, 2, 3, 4, 5, 6)
SESSIONS = (1, 5, 10, 20, 40, 70, 100)
SECONDS, FEWEST = 6.0, 20  # seconds in which sessions edit, and the minimum number of edits
ROUNDS = 5
FRAMES = np.linspace(-3, 3, 60)  # frames of an oscillation
CELL = ("encoder.0.self_attn.W_q", (0, 0, 0))
GROWN = (
    "From the call until all matrices of the pass, or all values of the orbit, are there; median "
    f"of {ROUNDS} rounds, each the median of 20 passes or 3 orbits."
)
EDITED = (
    "From when an edit is due until a visitor without a browser has received its frame. Each "
    "session makes an edit a second, at its own moments, for at least "
    f"{SECONDS:.0f} s and {FEWEST} edits. Changed on 28 November 2026: before, for 8 s, and on a "
    "server of its own for each number of sessions."
)


def run() -> None:
    """Measure, print, and draw."""
    heading("How cost grows: from a model that is 32 wide, with 2+2 layers and 16 tokens a side")
    curves = [
        passes("tokens a side", TOKENS, lambda n: (32, 2, n)),
        passes("d_model, numbers a token", WIDTHS, lambda d: (d, 2, USUAL)),
        passes("layers in each stack", LAYERS, lambda k: (32, k, USUAL)),
        asyncio.run(_sessions()),
    ]
    for curve, definition in zip(curves, (GROWN, GROWN, GROWN, EDITED), strict=True):
        sizes = " / ".join(map(str, curve.sizes))
        for name, times in curve.lines.items():
            listed = " / ".join(f"{ms:.2g}" if ms < 10 else f"{ms:,.0f}" for ms in times)
            line(f"{name}, at {sizes} {curve.label}", f"{listed} ms", definition)
    today = str(datetime.datetime.now(tz=datetime.UTC).date())
    told = f"Measured on {day(today)}: {machine()}, Python {platform.python_version()}."
    draw(curves, told, PICTURES / "growth.png")


def passes(
    label: str,
    sizes: Sequence[int],
    of: Callable[[int], tuple[int, int, int]],
    rounds: int = ROUNDS,
) -> Curve:
    """Return the times of a pass and of an orbit at each size; measure all sizes in turn."""
    lines = {}
    for name, of_model, repeats in (("a pass", _pass, 20), ("an orbit, 60 passes", _orbit, 3)):
        calls = [of_model(*of(size)) for size in sizes]
        times = [[median_ms(call, repeats, 1) for call in calls] for _ in range(rounds)]
        lines[name] = [statistics.median(each) for each in zip(*times, strict=True)]
    return Curve(f"With every matrix kept, by {label.partition(',')[0]}", label, sizes, lines)


def _model(d_model: int, layers: int) -> Transformer:
    return Transformer.create(sized(d_model, 4, layers, WORDS, bias=False))


def _pass(d_model: int, layers: int, tokens: int) -> Callable[[], object]:
    model, ids = _model(d_model, layers), np.arange(tokens) % WORDS
    return lambda: model(ids, ids)


def _orbit(d_model: int, layers: int, tokens: int) -> Callable[[], object]:
    ids = np.arange(tokens) % WORDS
    trace = _model(d_model, layers)(ids, ids)
    return lambda: sweep(trace, *CELL, FRAMES)


async def _sessions() -> Curve:
    """Return the times from edit to frame while sessions edit once a second each."""
    half, most, visitors = [], [], []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        for sessions in SESSIONS:
            new = await opened(server, sessions - len(visitors))
            await first_edits(server, new)
            visitors += new
            found = await edit_delays(visitors, max(SECONDS, FEWEST / sessions))
            times = [1000 * delay for delay, _ in found]
            half.append(percentile(times, 0.5))
            most.append(percentile(times, 0.95))
        await closed(visitors)
    lines = {"an edit, median": half, "an edit, 95 % are faster": most}
    label = "sessions, each with an edit a second"
    return Curve("An edit to its frame, one process", label, SESSIONS, lines)
