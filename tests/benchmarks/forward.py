"""The forward pass with its whole trace, beside eager PyTorch (which keeps none) in one run.

Without PyTorch the times stand alone. What is timed of ours is a pass like one before it, as
PyTorch's is: its ids are the same, and it follows the course of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from tinkerformer.explain.what_if import response
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario

from tests.benchmarks import eager
from tests.benchmarks.table import add, compared, heading, in_turn, line, measured
from transformer_math import Config, Transformer, sweep


class Size(NamedTuple):
    """A model whose pass is timed.

    Attributes:
        name: in words.
        config: its sizes.
        tokens: of the source and of the target.
        limit: of the time, in parts of PyTorch's.
        repeats: in a round.
    """

    name: str
    config: Config
    tokens: tuple[int, int]
    limit: float
    repeats: int


def _config(d: int, heads: int, layers: int, words: int) -> Config:
    return Config(
        d_model=d,
        heads=heads,
        d_ff=4 * d,
        encoder_layers=layers,
        decoder_layers=layers,
        source_vocabulary=words,
        target_vocabulary=words,
        attention_bias=True,
        output_bias=True,
    )


SIZES = (
    Size("the sandbox (8 wide, 1+1 layers)", _config(8, 2, 1, 16), (6, 3), 0.4, 200),
    Size("64 wide, 2+2 layers", _config(64, 4, 2, 68), (12, 20), 0.6, 200),
    Size(
        "paper-base (512 wide, 6+6, 32 tokens a side, 8,000 words)",
        _config(512, 8, 6, 8000),
        (32, 32),
        0.9,
        25,
    ),
)
ROUNDS = 7
FRAMES = 60  # of an orbit
SWEPT = (("source.W_e", (0, 0)), ("encoder.0.self_attn.W_q", (0, 0, 0)))


def run() -> None:
    """Print the time of each size, and its ratio to PyTorch's where that is installed."""
    heading(f"Forward pass, every matrix kept; beside it {eager.NAME}, which keeps none")
    for size in SIZES:
        theirs = their_pass(size)
        calls = [*our_passes(size), *([theirs] if theirs else [])]
        kept, silent, *other = in_turn(calls, ROUNDS, size.repeats)
        beside = other[0] if other else None
        row = compared(f"pass of {size.name}", kept, f"{size.limit}", beside, "PyTorch", 2)
        add(row._replace(main=True))
        line(f"pass of {size.name}, nothing kept", measured(silent, "ms", 2))
    heading(f"Model of the default page; beside it as many passes of {eager.NAME}, one by one")
    for what, limit, ours, theirs in default_page():
        calls = [ours, theirs] if theirs else [ours]
        taken, *other = in_turn(calls, 3, 20)
        beside = f"PyTorch {other[0]:.0f} ms" if other else ""
        line(what, measured(taken, "ms", 2), limit, beside=beside)


def our_passes(size: Size) -> tuple[Callable[[], object], Callable[[], object]]:
    """A pass with all kept, and one with nothing kept."""
    model = Transformer.create(size.config, 0)
    source, target = _ids(size)
    return lambda: model(source, target), lambda: model.logits(source, target)


def their_pass(size: Size) -> Callable[[], object] | None:
    """PyTorch's, if that is installed."""
    return eager.forward(size.config, *_ids(size))


def _ids(size: Size) -> tuple[np.ndarray, np.ndarray]:
    generator, words = np.random.default_rng(0), size.config.source_vocabulary
    n, m = size.tokens
    return generator.integers(0, words, n), generator.integers(0, words, m)


Timed = tuple[str, str, Callable[[], object], Callable[[], object] | None]


def default_page() -> Iterator[Timed]:
    """What is timed of the page's model: in words, what is asked, our call and PyTorch's."""
    runner, scenario = ForwardPassRunner(), Scenario()
    trace = runner.trace(scenario)
    values = np.linspace(-3, 3, FRAMES)
    one = eager.forward(scenario.config, trace["source.ids"].value, trace["target.ids"].value)
    theirs = one and (lambda: [one() for _ in range(FRAMES)])
    for path, index in SWEPT:
        what = f"orbit: {FRAMES} passes with {path} at as many values"
        yield what, "5 ms", lambda p=path, i=index: sweep(trace, p, i, values), theirs  # type: ignore[misc]
    yield (
        "response curve of a number, 201 passes",
        "30 ms",
        lambda: response(trace, "source.W_e", (0, 0), [(2, 0)], (-10, 10)),
        None,
    )
    numbers = iter(range(1 << 40))  # never the same twice: a pass at hand would be taken

    def edit() -> object:
        number = next(numbers) % 4096 / 512
        return runner.trace(scenario.with_value("source.W_e", (0, 0), number))

    yield "an edit: new scenario and its pass", "", edit, None
