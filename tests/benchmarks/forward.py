"""The forward pass with its whole trace, beside eager PyTorch (which keeps none) in one run.

Without PyTorch the times stand alone.
"""

from __future__ import annotations

import statistics

import numpy as np
from tinkerformer.explain.what_if import response
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario

from tests.benchmarks import eager
from tests.benchmarks.table import heading, line, median_ms
from transformer_math import Config, Transformer, sweep

SIZES = {
    "the sandbox (8 wide, 1+1 layers)": (8, 2, 32, 1, 16, (6, 3), 0.4),
    "64 wide, 2+2 layers": (64, 4, 256, 2, 68, (12, 20), 0.6),
    "paper-base (512 wide, 6+6, 32 tokens a side, 8,000 words)": (
        *(512, 8, 2048, 6, 8000),
        (32, 32),
        0.9,
    ),
}
ROUNDS = 7
FRAMES = 60  # of an orbit


def run() -> None:
    """Print the time of each size, and its ratio to PyTorch's where that is installed."""
    heading("Forward pass, every matrix kept; beside it eager PyTorch, which keeps none")
    for name, (d, h, f, layers, words, (n, m), limit) in SIZES.items():
        config = Config(
            d_model=d,
            heads=h,
            d_ff=f,
            encoder_layers=layers,
            decoder_layers=layers,
            source_vocabulary=words,
            target_vocabulary=words,
            attention_bias=True,
            output_bias=True,
        )
        model = Transformer.create(config, 0)
        generator = np.random.default_rng(0)
        source, target = generator.integers(0, words, n), generator.integers(0, words, m)
        repeats = 200 if d < 100 else 25
        beside_torch(
            f"pass of {name}",
            lambda: model(source, target),  # noqa: B023
            eager.forward(config, source, target),
            f"{limit}",
            repeats,
        )
        silent = median_ms(lambda: model.logits(source, target), repeats)  # noqa: B023
        line(f"pass of {name}, nothing kept", f"{silent:.2f} ms")
    _default_page()


def beside_torch(
    what: str, ours: eager.Call, theirs: eager.Call | None, limit: str, repeats: int
) -> None:
    """A row of both, in turn, so that a busy moment of the machine meets both."""
    mine, others, ratios = [], [], []
    for _ in range(ROUNDS):
        mine.append(median_ms(ours, repeats))
        if theirs:
            others.append(median_ms(theirs, repeats))
            ratios.append(mine[-1] / others[-1])
    time = f"{statistics.median(mine):.2f} ms"
    if not ratios:
        line(what, time, limit, beside="PyTorch: not installed", main=True)
        return
    beside, ratio = (
        f"PyTorch {statistics.median(others):.2f} ms",
        f"{statistics.median(ratios):.2f}",
    )
    line(what, time, limit, beside=beside, ratio=ratio, main=True)


def _default_page() -> None:
    heading("Model of the default page; beside it as many passes of eager PyTorch, one by one")
    runner, scenario = ForwardPassRunner(), Scenario()
    trace = runner.trace(scenario)
    values = np.linspace(-3, 3, FRAMES)
    one = eager.forward(scenario.config, trace["source.ids"].value, trace["target.ids"].value)
    theirs = one and (lambda: [one() for _ in range(FRAMES)])
    for path, index in (("source.W_e", (0, 0)), ("encoder.0.self_attn.W_q", (0, 0, 0))):
        taken = median_ms(lambda: sweep(trace, path, index, values), 200)  # noqa: B023
        beside = f"PyTorch {median_ms(theirs, 10):.0f} ms" if theirs else ""
        what = f"orbit: {FRAMES} passes with {path} at as many values"
        line(what, f"{taken:.2f} ms", "5 ms", beside=beside)
    curve = median_ms(lambda: response(trace, "source.W_e", (0, 0), [(2, 0)], (-10, 10)), 100)
    line("response curve of a number, 201 passes", f"{curve:.2f} ms", "30 ms")
    steps = iter(range(10**9))
    edit = median_ms(
        lambda: runner.trace(scenario.with_value("source.W_e", (0, 0), next(steps) % 10)), 200
    )
    line("an edit: new scenario and its pass", f"{edit:.2f} ms")
