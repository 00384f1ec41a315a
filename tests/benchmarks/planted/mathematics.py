"""Plants in passes, training and decoding. In a pass each softmax sleeps, of which one knows how
many there are; in a step of training the optimizer."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import statistics
import tempfile
import unittest.mock
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks import eager, forward, growth, peak, pulling, table, training
from tests.benchmarks.planted.plant import Plant, calls_of, delayed, more
from tests.benchmarks.planted.sockets import edit_plants
from transformer_math.ops.softmax import Softmax
from transformer_math.training.optimizer import Adam
from transformer_math.training.trainer import Trainer

SOFTMAX, STEP = 0.02, 0.05  # seconds of one more
PASS = functools.partial(delayed, Softmax, "forward", SOFTMAX)
ATTENTIONS = 3  # of a layer in each stack
HELD = 30  # MB


def _ms(call: Callable[[], object] | None) -> float:
    """Of a call, by the rows' own clock."""
    return table.in_turn([call], 1, 3, 1)[0] if call else table.NEVER


def _sleeping(row: str, measure: Callable[[], float], count: int) -> Plant:
    """A row of milliseconds in which a softmax is computed so many times."""
    told = f"{row}: {count} softmax, each {1000 * SOFTMAX:.0f} ms"
    return Plant(told, "ms", measure, PASS, more(1000 * SOFTMAX * count))


def _sleeping_call(row: str, call: Callable[[], object]) -> Plant:
    """The row of a call."""
    return _sleeping(row, lambda: _ms(call), calls_of(Softmax, "forward", call))


def pull_plants() -> Iterator[Plant]:
    """Of the share that is granted: no pull takes a step."""
    still = functools.partial(pulling.pull, limit=0)
    yield Plant(
        "wishes granted, of nine: no step is taken",
        "",
        lambda: sum(pulling.pulled(each).distance is not None for each in pulling.wishes(9)),
        lambda: unittest.mock.patch.object(pulling, "pull", still),
        lambda _: 0.0,
    )


def forward_plants() -> Iterator[Plant]:
    """Of each size, kept and not, and of what the page's model is asked."""
    for size in forward.SIZES:
        attended = ATTENTIONS * size.config.encoder_layers
        for what, count, ours in zip(
            ("", ", nothing kept"), (attended + 1, attended), forward.our_passes(size), strict=True
        ):
            yield _sleeping(f"pass of {size.name:.15}…{what}", functools.partial(_ms, ours), count)
        if eager.INSTALLED:
            import torch

            yield Plant(
                "  PyTorch: its last softmax 50 ms",
                "ms",
                functools.partial(_ms, forward.their_pass(size)),
                functools.partial(delayed, torch, "softmax", 0.05),
                more(50),
            )
    for what, _, _, ours, _ in forward.default_page():
        yield _sleeping_call(what, ours)


def peak_plants() -> Iterator[Plant]:
    """Of the pass, in milliseconds."""
    config = peak.Config.preset("paper-base")
    work = peak.operations(config, peak.TOKENS)
    yield _sleeping(
        "pass of paper-base, of its GFLOP/s",
        lambda: work / peak.rates(1)[1] / 1e6,
        ATTENTIONS * config.encoder_layers + 1,
    )


def training_plants() -> Iterator[Plant]:
    """Of steps, of whole runs, of decoding and of memory."""
    for what, steps, measure in (
        ("training step, 1 thread", 1, lambda: _ms(training.step_of_ours(32, 1, 1))),
        ("training step, 2 threads", 1, lambda: _ms(training.step_of_ours(32, 1, 2))),
        ("dates, 50 steps", 50, lambda: sum(_steps(training.trainer(0, 2)))),
        ("phrases, 50 steps", 50, lambda: sum(_steps(training.phrase_trainer()))),
        (
            "training step, 64 phrases",
            1,
            lambda: statistics.median(_steps(training.phrase_trainer())),
        ),
    ):
        yield Plant(
            f"{what}: the optimizer {1000 * STEP:.0f} ms",
            "ms",
            measure,
            functools.partial(delayed, Adam, "step", STEP),
            more(1000 * STEP * steps),
        )
    model = training.trainer(0, 1)
    yield _sleeping_call("greedy decoding of 1,000 dates", training.greedy(model))
    yield _sleeping_call("beam search", training.beam(model))
    if eager.INSTALLED:
        yield from _torch_plants()
    held = [0.0]
    for k, when in enumerate(("after 100 steps", "after all")):
        yield Plant(
            f"memory of a training {when}: {HELD} MB in its steps",
            "MB",
            lambda k=k: _held_apart(held[0])[k],  # type: ignore[misc]
            lambda: _set(held, HELD),
            more(HELD),
        )


def _steps(trainer: Trainer) -> list[float]:
    return training.step_times(trainer, 50)


def _torch_plants() -> Iterator[Plant]:
    import torch

    yield Plant(
        f"training step, PyTorch: the optimizer {1000 * STEP:.0f} ms",
        "ms",
        lambda: _ms(eager.training_step(32, 1, 1)),  # type: ignore[list-item]
        functools.partial(delayed, torch.optim.Adam, "step", STEP),
        more(1000 * STEP),
    )
    decode = eager.greedy(32, 1, 1, training.trainer(0, 1).pairs.held_out_source)
    assert decode is not None
    calls = calls_of(torch, "cat", decode)
    yield Plant(
        f"greedy decoding, PyTorch: {calls} words, each 20 ms",
        "ms",
        lambda: _ms(decode),
        functools.partial(delayed, torch, "cat", 0.02),
        more(20 * calls),
    )


@contextlib.contextmanager
def _set(held: list[float], megabytes: float) -> Iterator[None]:
    held[0] = megabytes
    yield
    held[0] = 0.0


def _held_apart(megabytes: float) -> tuple[float, float]:
    """In a process of its own: what has gone is used again, and would not be seen to grow."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(_held, megabytes).result()


def _held(megabytes: float) -> tuple[float, float]:
    """What a run takes, of which each of the first hundred steps keeps its part of so much."""
    kept: list[bytes] = []
    step = Adam.step

    def hold(self: Adam, *given: Any) -> None:
        if len(kept) < 100:
            kept.append(b"x" * int(megabytes * 10_000))
        step(self, *given)

    Adam.step = hold  # type: ignore[method-assign]
    return training.held_by_a_run(150)


def growth_plants() -> Iterator[Plant]:
    """Of the smallest model, and of sessions."""

    def measure(line: str) -> float:
        curve = growth.passes("tokens a side", (4,), lambda n: (8, 1, n), 1)
        return curve.lines[line][0]

    # Of an orbit of the first layer all are computed again, the output's too.
    for line in ("a pass", "an orbit, 60 passes"):
        yield _sleeping(line, functools.partial(measure, line), ATTENTIONS + 1)
    with tempfile.TemporaryDirectory() as folder:
        yield from edit_plants(Path(folder))
