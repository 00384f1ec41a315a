"""The same model in eager PyTorch, for comparison with the mathematics.

PyTorch is not a dependency of the project; without it there is no comparison.
"""

import importlib.metadata
import importlib.util
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math import Config
from transformer_math.data.dates import TARGET_LENGTH, dates
from transformer_math.training.blas_threads import BlasThreads
from transformer_math.training.recipe import Recipe
from transformer_math.training.trainer import config_for

INSTALLED = importlib.util.find_spec("torch") is not None
NAME = f"eager PyTorch {importlib.metadata.version('torch')}" if INSTALLED else "eager PyTorch"

Call = Callable[[], object]


class Model:
    """A random model of a config; sets the number of PyTorch's threads."""

    def __init__(self, config: Config, threads: int) -> None:
        import torch
        from torch import nn

        torch.set_num_threads(threads)
        torch.manual_seed(0)
        d = self.d_model = config.d_model
        layers = config.encoder_layers, config.decoder_layers
        self.model = transformer(d, config.heads, config.feed_forward_width, layers)
        self.source_table = nn.Embedding(config.source_vocabulary, d)
        self.target_table = nn.Embedding(config.target_vocabulary, d)
        self.output = nn.Linear(d, config.target_vocabulary)
        self.positions = torch.randn(512, d)

    def embedded(self, table: Any, ids: Any) -> Any:
        """Return the embeddings of ids plus positions."""
        return table(ids) * self.d_model**0.5 + self.positions[: ids.shape[1]]


def transformer(d_model: int, heads: int, width: int, layers: tuple[int, int]) -> Any:
    """Encoder and decoder as in the paper: without the norms that PyTorch's stacks end with."""
    from torch import nn

    sizes = {"dim_feedforward": width, "dropout": 0.0, "batch_first": True}
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(d_model, heads, **sizes), layers[0], enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model, heads, **sizes), layers[1])
    return nn.Transformer(
        d_model, heads, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    )


def forward(config: Config, source: np.ndarray, target: np.ndarray) -> Call | None:
    """Return a function that runs a forward pass without gradients, on NumPy's number of
    threads."""
    if not INSTALLED:
        return None
    import torch

    this = Model(config, BlasThreads().count or os.cpu_count() or 1)
    this.model.eval()
    s, t = torch.tensor(source)[None], torch.tensor(target)[None]
    mask = torch.nn.Transformer.generate_square_subsequent_mask(t.shape[1])

    def call() -> Any:
        with torch.no_grad():
            x = this.embedded(this.source_table, s)
            y = this.embedded(this.target_table, t)
            return torch.softmax(this.output(this.model(x, y, tgt_mask=mask)), -1)

    return call


def _of_dates(d_model: int, layers: int) -> Config:
    sizes = {"encoder_layers": layers, "decoder_layers": layers}
    return config_for(dates(), d_model=d_model, **sizes)


def training_step(d_model: int, layers: int, threads: int) -> Call | None:
    """Return a function that takes a training step with the same batches, loss and optimizer."""
    if not INSTALLED:
        return None
    import torch
    from torch import nn

    this, pairs = Model(_of_dates(d_model, layers), threads), dates()
    modules = (this.model, this.source_table, this.target_table, this.output)
    parameters = [p for module in modules for p in module.parameters()]
    optimizer = torch.optim.Adam(parameters, 1e-3, (0.9, 0.98), 1e-9)
    steps = iter(range(1, 1 << 30))
    look_ahead = nn.Transformer.generate_square_subsequent_mask(TARGET_LENGTH - 1)
    tokenizer = pairs.target_tokenizer

    def step() -> None:
        source, target = map(torch.from_numpy, pairs.batch(next(steps), Recipe().batch, 0))
        given, labels = target[:, :-1], target[:, 1:]
        padding = torch.zeros(given.shape).masked_fill(given == tokenizer.pad, -torch.inf)
        x = this.embedded(this.source_table, source)
        y = this.embedded(this.target_table, given)
        logits = this.output(this.model(x, y, tgt_mask=look_ahead, tgt_key_padding_mask=padding))
        loss = nn.functional.cross_entropy(
            logits.reshape(-1, tokenizer.size),
            labels.reshape(-1),
            ignore_index=tokenizer.pad,
            label_smoothing=0.1,
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


def greedy(d_model: int, layers: int, threads: int, source: np.ndarray) -> Call | None:
    """Decode sources (B, n) greedily, up to the length of the longest target.

    The encoder runs once. PyTorch's decoder caches no keys and values, so it reads all written
    tokens again at each position.
    """
    if not INSTALLED:
        return None
    import torch

    this = Model(_of_dates(d_model, layers), threads)
    this.model.eval()
    ids, start = torch.tensor(source), dates().target_tokenizer.start
    look_ahead = torch.nn.Transformer.generate_square_subsequent_mask(TARGET_LENGTH - 1)

    def decode() -> Any:
        with torch.no_grad():
            memory = this.model.encoder(this.embedded(this.source_table, ids))
            written = torch.full((len(ids), 1), start)
            for n in range(1, TARGET_LENGTH):
                y = this.embedded(this.target_table, written)
                y = this.model.decoder(y, memory, tgt_mask=look_ahead[:n, :n])
                word = this.output(y[:, -1]).argmax(-1, keepdim=True)
                written = torch.cat([written, word], 1)
        return written

    return decode
