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

SOFTMAX, STEP = 0.02, 0.05  # seconds of one more
PASS = functools.partial(delayed, Softmax, "forward", SOFTMAX)
ATTENTIONS = 3  # of a layer in each stack
HELD = 30  # MB


def _ms(call: Callable[[], object] | None) -> float:
    """Of a call, by the rows' own clock."""
    return table.in_turn([call], 1, 3, 1)[0] if call else table.NEVER


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
        attended = 1000 * SOFTMAX * ATTENTIONS * size.config.encoder_layers
        for what, k, ms in (
            ("", 0, attended + 1000 * SOFTMAX),
            (", nothing kept", 1, attended),
        ):
            yield Plant(
                f"pass of {size.name:.15}…{what}: each softmax {1000 * SOFTMAX:.0f} ms",
                "ms",
                lambda k=k, size=size: _ms(forward.our_passes(size)[k]),  # type: ignore[misc]
                PASS,
                more(ms),
            )
        if eager.INSTALLED:
            import torch

            yield Plant(
                "  PyTorch: its last softmax 50 ms",
                "ms",
                lambda size=size: _ms(forward.their_pass(size)),  # type: ignore[misc]
                functools.partial(delayed, torch, "softmax", 0.05),
                more(50),
            )
    for what, _, ours, _ in forward.default_page():
        calls = calls_of(Softmax, "forward", ours)
        yield Plant(
            f"{what}: {calls} softmax",
            "ms",
            lambda ours=ours: _ms(ours),  # type: ignore[misc]
            PASS,
            more(1000 * SOFTMAX * calls),
        )


def peak_plants() -> Iterator[Plant]:
    """Of the pass, in milliseconds."""
    config = peak.Config.preset("paper-base")
    work = peak.operations(config, peak.TOKENS)
    ms = 1000 * SOFTMAX * (ATTENTIONS * config.encoder_layers + 1)
    yield Plant(
        f"pass of paper-base, of its GFLOP/s: each softmax {1000 * SOFTMAX:.0f} ms",
        "ms",
        lambda: work / peak.rates(1)[1] / 1e6,
        PASS,
        more(ms),
    )


def training_plants() -> Iterator[Plant]:
    """Of steps, of whole runs, of decoding and of memory."""
    optimizer = functools.partial(delayed, Adam, "step", STEP)
    for threads in (1, 2):
        yield Plant(
            f"training step, {threads} threads: the optimizer {1000 * STEP:.0f} ms",
            "ms",
            lambda n=threads: _ms(training.step_of_ours(32, 1, n)),  # type: ignore[misc]
            optimizer,
            more(1000 * STEP),
        )
    for what, make in (
        ("dates", lambda: training.trainer(0, 2)),
        ("phrases", training.phrase_trainer),
    ):
        times = functools.partial(training.step_times, steps=50)
        yield Plant(
            f"{what}, of a run of 50 steps: the optimizer {1000 * STEP:.0f} ms",
            "s",
            lambda make=make, times=times: sum(times(make())) / 1000,  # type: ignore[misc]
            optimizer,
            more(50 * STEP),
        )
    yield Plant(
        f"training step, 64 phrases: the optimizer {1000 * STEP:.0f} ms",
        "ms",
        lambda: statistics.median(training.step_times(training.phrase_trainer(), 50)),
        optimizer,
        more(1000 * STEP),
    )
    model = training.trainer(0, 1)
    for what, call in (
        ("greedy decoding of 1,000 dates", training.greedy(model)),
        ("beam search", training.beam(model)),
    ):
        calls = calls_of(Softmax, "forward", call)
        yield Plant(
            f"{what}: {calls} softmax",
            "ms",
            lambda call=call: _ms(call),  # type: ignore[misc]
            PASS,
            more(1000 * SOFTMAX * calls),
        )
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

    yield Plant(
        f"a pass: each softmax {1000 * SOFTMAX:.0f} ms",
        "ms",
        lambda: measure("a pass"),
        PASS,
        more(1000 * SOFTMAX * (ATTENTIONS + 1)),
    )
    yield Plant(  # of an orbit of the first layer all are computed anew, the output's too
        f"an orbit, 60 passes: each softmax {1000 * SOFTMAX:.0f} ms",
        "ms",
        lambda: measure("an orbit, 60 passes"),
        PASS,
        more(1000 * SOFTMAX * (ATTENTIONS + 1)),
    )
    with tempfile.TemporaryDirectory() as folder:
        yield from edit_plants(Path(folder))
