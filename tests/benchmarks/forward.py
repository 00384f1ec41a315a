"""The forward pass with its whole trace, measured in turn with eager PyTorch (without a trace).

Without PyTorch there is no comparison. As in PyTorch, the timed pass is a repeated one: it has the
ids of an earlier pass, whose plan it reuses.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from tinkerformer.explain.response_curve import response
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from tests.benchmarks import eager
from tests.benchmarks.table import add, compared, heading, in_turn, line, measured
from transformer_math import Config, Transformer, sweep


class Size(NamedTuple):
    """A model whose pass is timed."""

    name: str
    config: Config
    tokens: tuple[int, int]  # tokens of the source and of the target
    limit: float  # the limit of the time, in parts of PyTorch's
    repeats: int  # passes in a round


def sized(d: int, heads: int, layers: int, words: int, bias: bool = True) -> Config:
    """Return a config with these numbers of layers per stack and of words per vocabulary."""
    sizes = {"encoder_layers": layers, "decoder_layers": layers}
    words_of = {"source_vocabulary": words, "target_vocabulary": words}
    biases = {"attention_bias": bias, "output_bias": bias}
    return Config(d_model=d, heads=heads, **sizes, **words_of, **biases)


SIZES = (
    Size("the sandbox (8 wide, 1+1 layers)", sized(8, 2, 1, 16), (6, 3), 0.4, 200),
    Size("64 wide, 2+2 layers", sized(64, 4, 2, 68), (12, 20), 0.6, 200),
    Size(
        "paper-base (512 wide, 6+6, 32 tokens a side, 8,000 words)",
        sized(512, 8, 6, 8000),
        (32, 32),
        0.9,
        10,
    ),
)
ROUNDS = 5
FRAMES = 60  # frames of an oscillation
PASS = (
    "From the call with the ids of both sides until all matrices are there, of a pass like one "
    f"before it; median of {ROUNDS} rounds of as many calls as the model's size allows. Beside it: "
    "PyTorch's pass, which keeps no matrix, in turn. Changed on 23 November 2026: before, without "
    "a pause between the rounds of both, in which threads of one took from the other."
)
SILENT = (
    "The same of a pass that keeps only its logits. Changed on 23 November 2026: before, not in "
    "turn with the two others."
)
MANY = (
    "From the call until all values are there; median of 3 rounds of 20 calls. Beside it: as many "
    "passes of PyTorch, one after another, in turn."
)
EDIT = (
    "From the changed number until a new scenario has its pass; median of 3 rounds of 20 edits. "
    "Changed on 23 November 2026: before, a number recurred after 10 edits, and its pass was "
    "still cached."
)
SWEPT = (("source.W_e", (0, 0)), ("encoder.0.self_attn.W_q", (0, 0, 0)))


def run() -> None:
    """Print the time of each size, and its ratio to PyTorch's if PyTorch is installed."""
    heading(f"Forward pass, every matrix kept; beside it {eager.NAME}, which keeps none")
    for size in SIZES:
        calls = [*our_passes(size), their_pass(size)]
        kept, silent, theirs = in_turn(calls, ROUNDS, size.repeats, 2)
        row = compared(f"pass of {size.name}", kept, theirs, PASS, f"{size.limit}", digits=2)
        add(row._replace(main=True))
        line(f"pass of {size.name}, nothing kept", measured(silent, "ms", 2), SILENT)
    heading(f"Model of the default page; beside it as many passes of {eager.NAME}, one by one")
    for what, definition, limit, ours, theirs in default_page():
        taken, other = in_turn([ours, theirs], 3, 20, 2)
        beside = f"PyTorch {other:.0f} ms" if other else ""
        line(what, measured(taken, "ms", 2), definition, limit, beside=beside)


def our_passes(size: Size) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return functions for a pass with its trace, and for one without."""
    model = Transformer.create(size.config, 0)
    source, target = _ids(size)
    return lambda: model(source, target), lambda: model.logits(source, target)


def their_pass(size: Size) -> Callable[[], object] | None:
    """Return PyTorch's pass, if PyTorch is installed."""
    return eager.forward(size.config, *_ids(size))


def _ids(size: Size) -> tuple[np.ndarray, np.ndarray]:
    generator, words = np.random.default_rng(0), size.config.source_vocabulary
    n, m = size.tokens
    return generator.integers(0, words, n), generator.integers(0, words, m)


Timed = tuple[str, str, str, Callable[[], object], Callable[[], object] | None]


def default_page() -> Iterator[Timed]:
    """Return the page's row: its words, definition and limit, and both functions to time."""
    runner, scenario = ForwardPassRunner(), Scenario()
    trace = runner.trace(scenario)
    values = np.linspace(-3, 3, FRAMES)
    one = eager.forward(scenario.config, trace["source.ids"].value, trace["target.ids"].value)
    theirs = one and (lambda: [one() for _ in range(FRAMES)])
    for path, index in SWEPT:
        what = f"orbit: {FRAMES} passes with {path} at as many values"
        yield what, MANY, "5 ms", lambda p=path, i=index: sweep(trace, p, i, values), theirs  # type: ignore[misc]
    yield (
        "response curve of a number, 201 passes",
        MANY,
        "30 ms",
        lambda: response(trace, "source.W_e", (0, 0), [(2, 0)], (-10, 10)),
        None,
    )
    numbers = iter(range(1 << 40))  # other ids each time, because passes are cached

    def edit() -> object:
        number = next(numbers) % 4096 / 512
        return runner.trace(scenario.with_value("source.W_e", (0, 0), number))

    yield "an edit: new scenario and its pass", EDIT, "", edit, None
