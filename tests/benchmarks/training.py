"""Training and decoding, beside eager PyTorch in one run: same sizes, batches and threads.

Each size runs in a process of its own, with BLAS at one thread: with two, two parts of a batch run
side by side in Python threads, and PyTorch uses its own two.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.table import heading, line, median_ms
from transformer_math import Decoding, Transformer, beam_search, greedy_decode
from transformer_math.checkpoints import safetensors
from transformer_math.data.dates import SOURCE_LENGTH, TARGET_LENGTH, dates
from transformer_math.data.phrases import phrases
from transformer_math.training.allocator import keep_freed_memory
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.recipe import Recipe
from transformer_math.training.trainer import Trainer, config_for

ASSETS = Path(__file__).parents[2] / "assets"
ROUNDS, AT_A_TIME = 8, 9
# d_model, layers of each stack, threads, times PyTorch's
STEPS = ((32, 1, 1, 0.75), (64, 2, 1, 0.9), (32, 1, 2, 0.55), (64, 2, 2, 0.55))
LONG = 10_000


def run() -> None:
    """Print every figure; the parts that need their own process are started from here."""
    heading("A training step, batch 128")
    for d_model, layers, threads, limit in STEPS:
        _apart("step", d_model, layers, threads, limit)
    heading("The date translator, 32 wide, 1+1")
    for seed in range(3):
        _apart("dates", seed)
    _apart("memory")
    heading("The phrase translator, 8 wide, 1+1, one thread")
    _apart("phrases")


def _apart(*arguments: object) -> None:
    """Run a part of this module in a process whose BLAS has one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.training", *map(str, arguments)]
    subprocess.run(command, env=environment, check=True)


def _trainer(seed: int, threads: int, **changes: Any) -> Trainer:
    pairs = dates()
    model = Transformer.create(config_for(pairs, **changes), seed)
    keep_freed_memory()
    if threads == 1:
        return Trainer(model, pairs, Recipe(seed=seed))
    pool = ThreadPoolExecutor(threads)
    return Trainer(model, pairs, Recipe(seed=seed), shards=threads, map_shards=pool.map)


def _step(d_model: int, layers: int, threads: int, limit: float) -> None:
    """A few steps of ours and a few of PyTorch's in turn, so that a busy moment meets both.

    PyTorch's threads go on spinning for a while after their work: with a pause they are not
    counted against ours.
    """
    sizes = {"d_model": d_model, "encoder_layers": layers, "decoder_layers": layers}
    trainer = _trainer(0, threads, **sizes, attention_bias=True, output_bias=True)
    theirs = _torch_step(d_model, layers, threads)
    ours, torchs = [], []
    for _ in range(ROUNDS):
        for times, call in ((ours, lambda: next(trainer)), (torchs, theirs)):
            for k in range(AT_A_TIME if call else 0):
                start = time.perf_counter()
                call()
                if k:
                    times.append(1000 * (time.perf_counter() - start))
        time.sleep(0.4)
    name = f"{d_model} wide, {layers}+{layers}, {threads} thread{'s' * (threads > 1)}"
    mine = statistics.median(ours)
    if theirs is None:
        line(name, f"{mine:.1f} ms", f"{limit}", beside="PyTorch: not installed")
        return
    other = statistics.median(torchs)
    beside, ratio = f"PyTorch {other:.1f} ms", f"{mine / other:.2f}"
    line(name, f"{mine:.1f} ms", f"{limit}", beside=beside, ratio=ratio)


def _dates(seed: int) -> None:
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
    line(f"600 steps, seed {seed}: time, right dates", f"{seconds:.1f} s, {right}", "10 s, 1,000")
    if seed == 0:
        line("greedy decoding of 1,000 dates", f"{median_ms(decode, 5):.0f} ms", "2,000 ms")
        one = pairs.held_out_source[0]
        beam = median_ms(lambda: beam_search(trainer.model, one, decoding, beam_size=4), 20)
        line("beam 4 on one date", f"{beam:.1f} ms", "50 ms")


def _phrases() -> None:
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
    line("a step, batch 64", f"{statistics.median(steps):.2f} ms", "2 ms")
    what = f"{len(steps):,} steps, seed {seed}: time, right phrases"
    line(what, f"{seconds:.1f} s, {right:,}", "3 s, 1,000")


def _memory() -> None:
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
    line(
        f"memory of a run after 100 / {LONG:,} steps",
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


def _torch_step(d_model: int, layers: int, threads: int) -> Callable[[], object] | None:
    """The same step in eager PyTorch: same sizes, batches, loss, clipping and optimizer."""
    try:
        import torch
    except ImportError:
        return None
    from torch import nn

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    width = {"dim_feedforward": 4 * d_model, "dropout": 0.0, "batch_first": True}
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(d_model, 4, **width), layers, enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model, 4, **width), layers)
    model = nn.Transformer(
        d_model, 4, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    )
    pairs = dates()
    size, pad = pairs.target_tokenizer.size, pairs.target_tokenizer.pad
    source_table, target_table = nn.Embedding(size, d_model), nn.Embedding(size, d_model)
    output = nn.Linear(d_model, size)
    positions = torch.randn(max(SOURCE_LENGTH, TARGET_LENGTH), d_model)
    look_ahead = nn.Transformer.generate_square_subsequent_mask(TARGET_LENGTH - 1)
    modules = (model, source_table, target_table, output)
    parameters = [p for module in modules for p in module.parameters()]
    optimizer = torch.optim.Adam(parameters, 1e-3, (0.9, 0.98), 1e-9)
    steps = iter(range(1, 1 << 30))

    def step() -> None:
        source, target = map(torch.from_numpy, pairs.batch(next(steps), Recipe().batch, 0))
        given, labels = target[:, :-1], target[:, 1:]
        padding = torch.zeros(given.shape).masked_fill(given == pad, -torch.inf)
        x = source_table(source) * d_model**0.5 + positions[: source.shape[1]]
        y = target_table(given) * d_model**0.5 + positions[: given.shape[1]]
        logits = output(model(x, y, tgt_mask=look_ahead, tgt_key_padding_mask=padding))
        loss = nn.functional.cross_entropy(
            logits.reshape(-1, size), labels.reshape(-1), ignore_index=pad, label_smoothing=0.1
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


if __name__ == "__main__":
    part, *rest = sys.argv[1:]
    if part == "step":
        _step(int(rest[0]), int(rest[1]), int(rest[2]), float(rest[3]))
    elif part == "dates":
        _dates(int(rest[0]))
    elif part == "phrases":
        _phrases()
    else:
        _memory()
