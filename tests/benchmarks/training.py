"""Training and decoding, in turn with eager PyTorch: same sizes, batches and threads.

Each size runs in its own process, in which BLAS has one thread. For two threads, Python threads
compute the halves of a batch in parallel; PyTorch uses its own two threads.
"""

import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks import eager, table
from tests.benchmarks.table import Row, compared, in_turn, median_ms
from tests.benchmarks.usage import memory
from transformer_math import Decoding, Transformer, beam_search, greedy_decode
from transformer_math.checkpoints import safetensors
from transformer_math.data.dates import TARGET_LENGTH, dates
from transformer_math.data.pairs import Pairs
from transformer_math.data.phrases import phrases
from transformer_math.training.allocator import keep_freed_memory
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.recipe import Recipe
from transformer_math.training.trainer import Trainer, config_for

ASSETS = Path(__file__).parents[2] / "assets"
ROUNDS, AT_A_TIME = 5, 8
# d_model, layers of each stack, threads, limit of the ratio to PyTorch's time in percent
STEPS = ((32, 1, 1, 75), (64, 2, 1, 90), (32, 1, 2, 55), (64, 2, 2, 55))
LONG = 2_000
STEP = (
    "From the call for the next training step until its numbers exist, including batch, gradients "
    f"and optimizer; median of {ROUNDS} rounds of {AT_A_TIME} steps. Beside it: "
    "PyTorch, with the same sizes, batches, loss, clipping and optimizer, in turn."
)
TRAINING = (
    "From before the first step to the end of the last one, from random numbers, in a program; "
    "then how many of the 1,000 pairs that were held out greedy decoding writes without a mistake."
)
LOADED = (
    f"{TRAINING} Changed on 23 November 2026: before, with the time to create the model and to "
    "decode."
)
EACH = (
    "From the end of a step of the next row's training to the end of the next step; median. "
    "Changed on 23 November 2026: before, the trainer's own time of a step, without the time "
    "between steps."
)
GREEDY = (
    "From the call with all 1,000 dates until the last one is written; median of 9 calls. Beside "
    "it: PyTorch, whose encoder runs once and whose decoder keeps no keys and values, in turn."
)
BEAM = "From the call with one date until it is written; median of 20 calls."
HELD = (
    f"What the process holds in memory after 100 and after {LONG:,} steps of the dates, less what "
    "it held before. Changed on 28 November 2026: before, after 10,000 steps."
)


def run() -> None:
    """Print all measurements; each part runs in its own process."""
    table.heading(f"A training step, 128 pairs; beside it {eager.NAME} on as many threads")
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


def trainer(seed: int, threads: int, **changes: Any) -> Trainer:
    """Return a trainer of the date translator on ``threads`` threads."""
    pairs = dates()
    model = Transformer.create(config_for(pairs, **changes), seed)
    keep_freed_memory()
    if threads == 1:
        return Trainer(model, pairs, Recipe(seed=seed))
    pool = ThreadPoolExecutor(threads)
    return Trainer(model, pairs, Recipe(seed=seed), shards=threads, map_shards=pool.map)


def _step(d_model: int, layers: int, threads: int, limit: int) -> Iterator[Row]:
    """Time training steps and PyTorch's training steps in turn."""
    ours = step_of_ours(d_model, layers, threads)
    theirs = eager.training_step(d_model, layers, threads)
    mine, beside = in_turn([ours, theirs], ROUNDS, AT_A_TIME, 1)
    plural = "s" * (threads > 1)
    name = f"training step, {d_model} wide, {layers}+{layers} layers, {threads} thread{plural}"
    row = compared(name, mine, beside, STEP, f"{limit / 100}")
    yield row._replace(main=threads > 1)


def step_of_ours(d_model: int, layers: int, threads: int) -> Callable[[], object]:
    """Return a function that takes one training step."""
    sizes = {"d_model": d_model, "encoder_layers": layers, "decoder_layers": layers}
    ours = trainer(0, threads, **sizes, attention_bias=True, output_bias=True)
    return lambda: next(ours)


def step_times(ours: Trainer, steps: int | None = None) -> list[float]:
    """Return the milliseconds from step to step, of the first ``steps`` steps or of all."""
    ends = [time.perf_counter()]
    ends += [time.perf_counter() for _ in itertools.islice(ours, steps)]
    return [1000 * (b - a) for a, b in itertools.pairwise(ends)]


def _dates(seed: int) -> Iterator[Row]:
    """Train the date translator on two threads, then decode all held-out dates in one batch."""
    ours = trainer(seed, 2)
    seconds = sum(step_times(ours)) / 1000
    right, _ = exact_matches(ours.model, ours.pairs)
    what = f"600 training steps on two threads, seed {seed}; right of 1,000 dates"
    yield Row(what, f"{seconds:.1f} s, {right:,}", TRAINING, "10 s, 1,000")
    if seed == 0:
        theirs = eager.greedy(32, 1, 1, ours.pairs.held_out_source)
        mine, beside = in_turn([greedy(ours), theirs], 3, 3, 1)
        what = "greedy decoding of 1,000 dates, one thread"
        row = compared(what, mine, beside, GREEDY, "2,000 ms", digits=0)
        yield row._replace(main=True)
        taken = median_ms(beam(ours), 20)
        yield Row("beam search of 4 on one date", f"{taken:.1f} ms", BEAM, "50 ms")


def greedy(ours: Trainer) -> Callable[[], Any]:
    """Return a function that decodes all held-out dates greedily, in one batch."""
    pairs = ours.pairs
    return lambda: greedy_decode(
        ours.model, pairs.held_out_source, _decoding(pairs), keep_probabilities=False
    )


def beam(ours: Trainer) -> Callable[[], Any]:
    """Return a function that decodes one held-out date by a beam search of four hypotheses."""
    pairs = ours.pairs
    one = pairs.held_out_source[0]
    return lambda: beam_search(ours.model, one, _decoding(pairs), beam_size=4)


def _decoding(pairs: Pairs) -> Decoding:
    tokenizer = pairs.target_tokenizer
    return Decoding(tokenizer.start, tokenizer.end, TARGET_LENGTH)


def phrase_trainer() -> Trainer:
    """Return a trainer that repeats the training of the page's phrase translator."""
    file = safetensors.load((ASSETS / "phrases.safetensors").read_bytes())
    seed, pairs = int(file.metadata["seed"]), phrases()
    keep_freed_memory()
    tokens = pairs.source_tokenizer.tokens, pairs.target_tokenizer.tokens
    model = Transformer.create(config_for(pairs, "phrases"), seed, *tokens)
    return Trainer(model, pairs, Recipe.preset("phrases", seed=seed))


def _phrases() -> Iterator[Row]:
    """Time each step and the whole run of the phrase translator's training."""
    ours = phrase_trainer()
    times = step_times(ours)
    right, _ = exact_matches(ours.model, ours.pairs)
    yield Row("training step, 64 phrases", f"{statistics.median(times):.2f} ms", EACH, "2 ms")
    what = f"{len(times):,} training steps, seed {ours.recipe.seed}; right of 1,000 phrases"
    yield Row(what, f"{sum(times) / 1000:.1f} s, {right:,}", LOADED, "3 s, 1,000")


def _memory() -> Iterator[Row]:
    """Measure the memory of a run, after 100 steps and after many."""
    early, late = held_by_a_run(LONG)
    what = f"memory of a training run after 100 / {LONG:,} steps"
    yield Row(what, f"{early:.0f} / {late:.0f} MB", HELD, "200 MB, flat")


def held_by_a_run(steps: int) -> tuple[float, float]:
    """Return the megabytes that a run uses after 100 steps, and after ``steps`` steps."""
    before = memory(os.getpid())
    pairs = dates()
    keep_freed_memory()
    recipe = Recipe(steps=steps, schedule="constant", peak_learning_rate=1e-4)
    ours = Trainer(Transformer.create(config_for(pairs), 0), pairs, recipe)
    step_times(ours, 100)
    early = memory(os.getpid()) - before
    step_times(ours)
    return early, memory(os.getpid()) - before


PARTS: dict[str, Callable[..., Iterator[Row]]] = {
    "step": _step,
    "dates": _dates,
    "phrases": _phrases,
    "memory": _memory,
}

if __name__ == "__main__":
    part, *rest = sys.argv[1:]
    json.dump(list(PARTS[part](*map(int, rest))), sys.stdout)
