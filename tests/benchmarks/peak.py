"""The matrix products of a pass of `paper-base`: their share of the peak of this machine's BLAS."""

import numpy as np

from tests.benchmarks.table import add, compared, heading, in_turn
from transformer_math import Config, Transformer

TOKENS = 64
SQUARE = 1024  # the size of the products that measure the peak
ROUNDS = 5
RATE = (
    "The operations of the pass's matrix products, by their sizes, divided by the time of the "
    f"whole pass; median of {ROUNDS} rounds of 5 passes. Beside it: the operations of the product "
    "of two square matrices, divided by its time, in turn. Changed on 23 November 2026: before, "
    "that product had memory of its own made in each call, which counted as its time."
)


def run() -> None:
    """Print billions of floating-point operations a second: of the pass, and of BLAS alone."""
    heading("Matrix products, beside what BLAS does with two matrices of 1,024 × 1,024")
    dtype, here, peak = rates(ROUNDS)
    what = f"pass of paper-base, {TOKENS} tokens a side, {dtype}, every matrix kept"
    add(compared(what, here, peak, RATE, unit="GFLOP/s", name="BLAS")._replace(main=True))


def rates(rounds: int) -> tuple[str, float, float]:
    """Return the dtype, and billions of operations per second of a pass and of a product."""
    config = Config.preset("paper-base")
    model = Transformer.create(config, 0)
    generator = np.random.default_rng(0)
    source = generator.integers(0, config.source_vocabulary, TOKENS)
    target = generator.integers(0, config.target_vocabulary, TOKENS)
    dtype = model(source, target)["output.logits"].value.dtype
    one, other = generator.standard_normal((2, SQUARE, SQUARE)).astype(dtype)
    product = np.empty_like(one)  # so that the allocation is not timed
    calls = (lambda: model(source, target), lambda: np.matmul(one, other, out=product))
    passed, multiplied = in_turn(calls, rounds, 5, 1)
    return str(dtype), operations(config, TOKENS) / passed / 1e6, 2 * SQUARE**3 / multiplied / 1e6


def operations(config: Config, n: int) -> float:
    """Return the operations of the matrix products of a pass, with n tokens on each side."""
    d, f = config.d_model, config.feed_forward_width
    attention = 4 * n * d * d + 2 * n * n * d
    feed_forward = 2 * n * d * f
    encoder = config.encoder_layers * (attention + feed_forward)
    decoder = config.decoder_layers * (2 * attention + feed_forward)
    return 2.0 * (encoder + decoder + n * d * config.target_vocabulary)
