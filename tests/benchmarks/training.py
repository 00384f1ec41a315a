"""Training and decoding, beside eager PyTorch in one run: same sizes, batches and threads.

Each size runs in a process of its own, with BLAS at one thread: with two, two parts of a batch run
side by side in Python threads, and PyTorch uses its own two.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks import eager, table
from tests.benchmarks.table import Row, median_ms
from transformer_math import Decoding, Transformer, beam_search, greedy_decode
from transformer_math.checkpoints import safetensors
from transformer_math.data.dates import TARGET_LENGTH, dates
from transformer_math.data.phrases import phrases
from transformer_math.training.allocator import keep_freed_memory
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.recipe import Recipe
from transformer_math.training.trainer import Trainer, config_for

ASSETS = Path(__file__).parents[2] / "assets"
ROUNDS, AT_A_TIME = 8, 9
# d_model, layers of each stack, threads, times PyTorch's in hundredths
STEPS = ((32, 1, 1, 75), (64, 2, 1, 90), (32, 1, 2, 55), (64, 2, 2, 55))
LONG = 10_000


def run() -> None:
    """Print every figure; the parts that need their own process are started from here."""
    table.heading("A training step, 128 pairs; beside it eager PyTorch on as many threads")
    for step in STEPS:
        _apart("step", *step)
    table.heading("The date translator, 32 wide, 1+1 layers, from random numbers")
    for seed in range(3):
        _apart("dates", seed)
    _apart("memory")
    table.heading("The phrase translator, 8 wide, 1+1 layers, one thread")
    _apart("phrases")


def _apart(*arguments: object) -> None:
    """Run a part of this module in a process whose BLAS has one thread, and print its rows."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.training", *map(str, arguments)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    for row in json.loads(done.stdout):
        table.add(Row(*row))


def _trainer(seed: int, threads: int, **changes: Any) -> Trainer:
    pairs = dates()
    model = Transformer.create(config_for(pairs, **changes), seed)
    keep_freed_memory()
    if threads == 1:
        return Trainer(model, pairs, Recipe(seed=seed))
    pool = ThreadPoolExecutor(threads)
    return Trainer(model, pairs, Recipe(seed=seed), shards=threads, map_shards=pool.map)


def _step(d_model: int, layers: int, threads: int, limit: int) -> Iterator[Row]:
    """A few steps of ours and a few of PyTorch's in turn, so that a busy moment meets both.

    PyTorch's threads go on spinning for a while after their work: with a pause they are not
    counted against ours.
    """
    sizes = {"d_model": d_model, "encoder_layers": layers, "decoder_layers": layers}
    trainer = _trainer(0, threads, **sizes, attention_bias=True, output_bias=True)
    theirs = eager.training_step(d_model, layers, threads)
    ours, torchs = [], []
    for _ in range(ROUNDS):
        for times, call in ((ours, lambda: next(trainer)), (torchs, theirs)):
            for k in range(AT_A_TIME if call else 0):
                start = time.perf_counter()
                call()
                if k:
                    times.append(1000 * (time.perf_counter() - start))
        time.sleep(0.4)
    plural = "s" * (threads > 1)
    name = f"training step, {d_model} wide, {layers}+{layers} layers, {threads} thread{plural}"
    mine, asked = statistics.median(ours), f"{limit / 100}"
    if theirs is None:
        yield Row(name, f"{mine:.1f} ms", asked, "PyTorch: not installed", "", threads > 1)
        return
    other = statistics.median(torchs)
    yield Row(
        name, f"{mine:.1f} ms", asked, f"PyTorch {other:.1f} ms", f"{mine / other:.2f}", threads > 1
    )


def _dates(seed: int) -> Iterator[Row]:
    """From random to the last step on two threads, then all held-out dates at once."""
    trainer = _trainer(seed, 2)
    start = time.perf_counter()
    for _ in trainer:
        pass
    seconds = time.perf_counter() - start
    pairs, tokenizer = trainer.pairs, trainer.pairs.target_tokenizer
    decoding = Decoding(tokenizer.start, tokenizer.end, TARGET_LENGTH)

    def decode() -> Any:
        return greedy_decode(
            trainer.model, pairs.held_out_source, decoding, keep_probabilities=False
        )

    written = [tokenizer.decode(ids) for ids in decode().rows()]
    right = sum(
        text == tokenizer.decode(ids)
        for text, ids in zip(written, pairs.held_out_target.tolist(), strict=True)
    )
    what = f"600 training steps on two threads, seed {seed}; right of 1,000 dates"
    yield Row(what, f"{seconds:.1f} s, {right}", "10 s, 1,000")
    if seed == 0:
        theirs = eager.greedy(32, 1, 1, pairs.held_out_source)
        mine, beside, ratio = median_ms(decode, 5), "PyTorch: not installed", ""
        if theirs:
            other = median_ms(theirs, 5, 1)
            beside, ratio = f"PyTorch {other:.0f} ms", f"{mine / other:.2f}"
        what = "greedy decoding of 1,000 dates, one thread"
        yield Row(what, f"{mine:.0f} ms", "2,000 ms", beside, ratio, True)
        one = pairs.held_out_source[0]
        beam = median_ms(lambda: beam_search(trainer.model, one, decoding, beam_size=4), 20)
        yield Row("beam search of 4 on one date", f"{beam:.1f} ms", "50 ms")


def _phrases() -> Iterator[Row]:
    """The checkpoint's training: each step, and the time from random numbers to the last one."""
    file = safetensors.load((ASSETS / "phrases.safetensors").read_bytes())
    seed, pairs = int(file.metadata["seed"]), phrases()
    keep_freed_memory()
    start = time.perf_counter()
    tokens = pairs.source_tokenizer.tokens, pairs.target_tokenizer.tokens
    model = Transformer.create(config_for(pairs, "phrases"), seed, *tokens)
    trainer = Trainer(model, pairs, Recipe.preset("phrases", seed=seed))
    steps = [1000 * progress.seconds for progress in trainer]
    right, _ = exact_matches(trainer.model, pairs)
    seconds = time.perf_counter() - start
    yield Row("training step, 64 phrases", f"{statistics.median(steps):.2f} ms", "2 ms")
    what = f"{len(steps):,} training steps, seed {seed}; right of 1,000 phrases"
    yield Row(what, f"{seconds:.1f} s, {right:,}", "3 s, 1,000")


def _memory() -> Iterator[Row]:
    """What a run takes beyond the process itself, early and after many steps."""
    before = _resident()
    pairs = dates()
    keep_freed_memory()
    model = Transformer.create(config_for(pairs), 0)
    trainer = Trainer(
        model, pairs, Recipe(steps=LONG, schedule="constant", peak_learning_rate=1e-4)
    )
    early = 0.0
    for progress in trainer:
        if progress.step == 100:
            early = _resident()
    late = _resident()
    yield Row(
        f"memory of a training after 100 / {LONG:,} steps",
        f"{early - before:.0f} / {late - before:.0f} MB",
        "200 MB, flat",
    )


def _resident() -> float:
    """Megabytes in use now; where the system does not tell, the most there ever were."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


PARTS: dict[str, Callable[..., Iterator[Row]]] = {
    "step": _step,
    "dates": _dates,
    "phrases": _phrases,
    "memory": _memory,
}

if __name__ == "__main__":
    part, *rest = sys.argv[1:]
    json.dump(list(PARTS[part](*map(int, rest))), sys.stdout)
