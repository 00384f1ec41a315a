"""How cost grows with tokens, width, layers and sessions, as pictures in ``assets/pictures``."""

from __future__ import annotations

import asyncio
import datetime
import os
import platform
import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from bokeh.embed import file_html
from bokeh.layouts import gridplot
from bokeh.plotting import figure
from bokeh.resources import INLINE
from playwright.sync_api import sync_playwright

from tests.benchmarks.serving import launched
from tests.benchmarks.table import heading, line, median_ms
from tests.load.edits import edits
from tests.load.server import served
from transformer_math import Config, Transformer

PICTURES = Path(__file__).parents[2] / "assets" / "pictures"
WORDS, USUAL = 64, 16  # of the vocabulary; tokens a side
TOKENS, WIDTHS, LAYERS = (4, 8, 16, 32, 64), (8, 16, 32, 64), (1, 2, 3, 4, 5, 6)
SESSIONS, SECONDS = (1, 5, 10, 20, 40, 70, 100), 8.0
ROUNDS = 5


class Curve(NamedTuple):
    """What was measured: milliseconds at each size."""

    title: str
    label: str
    sizes: Sequence[int]
    lines: dict[str, list[float]]


def run() -> None:
    """Measure, print, and draw."""
    heading("How cost grows: a forward pass with its trace, 32 wide, 2+2, 16 tokens a side")
    curves = [
        _passes("tokens a side", TOKENS, lambda n: (32, 2, n)),
        _passes("d_model", WIDTHS, lambda d: (d, 2, USUAL)),
        _passes("layers in each stack", LAYERS, lambda k: (32, k, USUAL)),
        asyncio.run(_sessions()),
    ]
    for curve in curves:
        for name, times in curve.lines.items():
            listed = " / ".join(f"{ms:.2g}" for ms in times)
            line(f"{curve.label} {curve.sizes}: {name}", f"{listed} ms")
    _draw(curves, PICTURES / "growth.png")


def _passes(label: str, sizes: Sequence[int], of: Callable[[int], tuple[int, int, int]]) -> Curve:
    """The time of a pass at each size, all sizes in turn."""
    calls = [_pass(*of(size)) for size in sizes]
    rounds = [[median_ms(call, 20, 2) for call in calls] for _ in range(ROUNDS)]
    times = [statistics.median(each) for each in zip(*rounds, strict=True)]
    return Curve("A forward pass with its trace", label, sizes, {"a pass": times})


def _pass(d_model: int, layers: int, tokens: int) -> Callable[[], object]:
    config = Config(
        d_model=d_model,
        heads=4,
        d_ff=4 * d_model,
        encoder_layers=layers,
        decoder_layers=layers,
        source_vocabulary=WORDS,
        target_vocabulary=WORDS,
    )
    model, ids = Transformer.create(config, 0), np.arange(tokens) % WORDS
    return lambda: model(ids, ids)


async def _sessions() -> Curve:
    """From an edit to its frame, while so many sessions edit once a second each."""
    half, most = [], []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        for sessions in SESSIONS:
            found = await edits(server, sessions, SECONDS)
            half.append(1000 * found.delay(0.5))
            most.append(1000 * found.delay(0.95))
    lines = {"median": half, "95 %": most}
    return Curve(
        "An edit to its frame, one process", "sessions that edit once a second", SESSIONS, lines
    )


def _draw(curves: Sequence[Curve], file: Path) -> None:
    """All curves as one picture, with the date and the machine."""
    plots = []
    for curve in curves:
        plot = figure(
            width=460,
            height=320,
            title=curve.title,
            x_axis_label=curve.label,
            y_axis_label="milliseconds",
            x_axis_type="log",
            y_axis_type="log",
            toolbar_location=None,
        )
        for (name, times), dash in zip(curve.lines.items(), ("solid", "dashed"), strict=False):
            legend = {"legend_label": name} if len(curve.lines) > 1 else {}
            plot.line(curve.sizes, times, line_width=2, line_dash=dash, **legend)
            plot.scatter(curve.sizes, times, size=6)
        plot.xaxis.ticker = list(curve.sizes)
        if len(curve.lines) > 1:
            plot.legend.location = "top_left"
        plots.append(plot)
    grid = gridplot(plots, ncols=2, toolbar_location=None)
    date = datetime.datetime.now(tz=datetime.UTC).date()
    told = f"{date}, {os.cpu_count()} × {_processor()}, Python {platform.python_version()}"
    note = f'<p style="font: 13px sans-serif; margin: 0 0 0 8px">Measured {told}.</p>'
    html = file_html(grid, INLINE, "How cost grows").replace("</body>", f"{note}</body>")
    file.parent.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 940, "height": 690})
        page.set_content(html)
        page.wait_for_function("Bokeh.documents[0]?.is_idle")
        page.screenshot(path=file)
        browser.close()


def _processor() -> str:
    """The processor's name, as far as the system tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.is_file() else []
    names = [each.partition(":")[2].strip() for each in lines if each.startswith("model name")]
    return names[0] if names else platform.machine()
