"""The matrix products of a pass of `paper-base`: their share of what this machine's BLAS can do."""

from __future__ import annotations

import statistics

import numpy as np

from tests.benchmarks.table import heading, line, median_ms
from transformer_math import Config, Transformer

TOKENS = 64
SQUARE = 1024  # of the products by which the peak is measured
ROUNDS = 5


def run() -> None:
    """Print billions of floating-point operations a second: of the pass, and of BLAS alone."""
    heading("Matrix products, beside what BLAS does with two matrices of 1,024 × 1,024")
    config = Config.preset("paper-base")
    model = Transformer.create(config, 0)
    generator = np.random.default_rng(0)
    source = generator.integers(0, config.source_vocabulary, TOKENS)
    target = generator.integers(0, config.target_vocabulary, TOKENS)
    trace = model(source, target)
    dtype = trace["output.logits"].value.dtype
    one, other = generator.standard_normal((2, SQUARE, SQUARE)).astype(dtype)
    work, square = _operations(config, TOKENS), 2 * SQUARE**3
    passes, peaks = [], []
    for _ in range(ROUNDS):  # in turn, so that a busy moment of the machine meets both
        passes.append(work / median_ms(lambda: model(source, target), 5, 1) / 1e6)
        peaks.append(square / median_ms(lambda: one @ other, 5, 1) / 1e6)
    here, peak = statistics.median(passes), statistics.median(peaks)
    shares = statistics.median(p / q for p, q in zip(passes, peaks, strict=True))
    line(
        f"pass of paper-base, {TOKENS} tokens a side, {dtype}, every matrix kept",
        f"{here:.1f} GFLOP/s",
        beside=f"BLAS {peak:.1f} GFLOP/s",
        ratio=f"{shares:.2f}",
        main=True,
    )


def _operations(config: Config, n: int) -> float:
    """Floating-point operations of the matrix products of a pass, n tokens on both sides."""
    d, f = config.d_model, config.feed_forward_width
    attention = 4 * n * d * d + 2 * n * n * d
    feed_forward = 2 * n * d * f
    encoder = config.encoder_layers * (attention + feed_forward)
    decoder = config.decoder_layers * (2 * attention + feed_forward)
    return 2.0 * (encoder + decoder + n * d * config.target_vocabulary)
