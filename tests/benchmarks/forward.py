"""The forward pass with its whole trace, beside eager PyTorch (which keeps none) in one run.

PyTorch is no dependency of the project; without it the times stand alone.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
from tinkerformer.explain.what_if import response
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario

from tests.benchmarks.table import heading, line, median_ms
from transformer_math import Config, Transformer, sweep

SIZES = {
    "sandbox (8 wide, 1+1)": (8, 2, 32, 1, 16, (6, 3), 0.4),
    "64 wide, 2+2": (64, 4, 256, 2, 68, (12, 20), 0.6),
    "paper-base (32 tokens a side, 8,000 words)": (512, 8, 2048, 6, 8000, (32, 32), 0.9),
}
ROUNDS = 7


def run() -> None:
    """Print the time of each size, and its ratio to PyTorch's where that is installed."""
    heading("Forward pass, full trace kept")
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
        theirs = _torch(config, source, target)
        repeats = 200 if d < 100 else 25
        ratios, ours, others = [], [], []
        for _ in range(ROUNDS):  # in turn, so that a busy moment of the machine meets both
            ours.append(median_ms(lambda: model(source, target), repeats))  # noqa: B023
            if theirs:
                others.append(median_ms(theirs, repeats))
                ratios.append(ours[-1] / others[-1])
        time = f"{statistics.median(ours):.2f} ms"
        if ratios:
            beside = f"PyTorch {statistics.median(others):.2f} ms"
            line(name, time, f"{limit}", beside=beside, ratio=f"{statistics.median(ratios):.2f}")
        else:
            line(name, time, f"{limit}", beside="PyTorch: not installed")
        silent = median_ms(lambda: model.logits(source, target), repeats)  # noqa: B023
        line("  without the trace", f"{silent:.2f} ms")
    _orbit()


def _orbit() -> None:
    heading("Default page")
    runner, scenario = ForwardPassRunner(), Scenario()
    trace = runner.trace(scenario)
    values = np.linspace(-3, 3, 60)
    for path, index in (("source.W_e", (0, 0)), ("encoder.0.self_attn.W_q", (0, 0, 0))):
        taken = median_ms(lambda: sweep(trace, path, index, values), 200)  # noqa: B023
        line(f"orbit of 60 frames, {path}", f"{taken:.2f} ms", "under 5 ms")
    curve = median_ms(lambda: response(trace, "source.W_e", (0, 0), [(2, 0)], (-10, 10)), 100)
    line("response curve, 201 points", f"{curve:.2f} ms", "30 ms")
    steps = iter(range(10**9))
    edit = median_ms(
        lambda: runner.trace(scenario.with_value("source.W_e", (0, 0), next(steps) % 10)), 200
    )
    line("an edit: new scenario and its pass", f"{edit:.2f} ms")


def _torch(config: Config, source: np.ndarray, target: np.ndarray) -> Any:
    """A call of the same model in PyTorch; None where it is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.manual_seed(0)
    d = config.d_model
    model = torch.nn.Transformer(
        d,
        config.heads,
        config.encoder_layers,
        config.decoder_layers,
        config.feed_forward_width,
        0.0,
        batch_first=True,
    ).eval()
    embed_source = torch.nn.Embedding(config.source_vocabulary, d)
    embed_target = torch.nn.Embedding(config.target_vocabulary, d)
    generator = torch.nn.Linear(d, config.target_vocabulary)
    positions = torch.randn(512, d)
    s, t = torch.tensor(source)[None], torch.tensor(target)[None]
    mask = torch.nn.Transformer.generate_square_subsequent_mask(t.shape[1])

    def call() -> Any:
        with torch.no_grad():
            x = embed_source(s) * d**0.5 + positions[: s.shape[1]]
            y = embed_target(t) * d**0.5 + positions[: t.shape[1]]
            return torch.softmax(generator(model(x, y, tgt_mask=mask)), -1)

    return call
