"""``tinkerformer train``: a translator trained on dates or on pairs of one's own, as a file."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from transformer_math import Diverged, Recipe, Trainer, Transformer
from transformer_math.data.dates import dates
from transformer_math.data.pairs import Pairs, read_csv
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.trainer import config_for

from ..files.model_file import save_model
from ..runtime import concurrency
from ..scenario.vocabulary import vocabulary_of_pairs

REPORT_EVERY = 100  # steps


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``tinkerformer train``."""
    recipe = Recipe()
    parser.add_argument("out", type=Path, help="the .safetensors file to write")
    parser.add_argument("--pairs", type=Path, help="a CSV file of source,target (dates)")
    parser.add_argument("--seed", type=int, default=0, help="of the weights and batches (0)")
    parser.add_argument("--d-model", type=int, default=32, help="(32)")
    parser.add_argument("--heads", type=int, default=4, help="(4)")
    parser.add_argument("--layers", type=int, default=1, help="of each stack (1)")
    parser.add_argument("--steps", type=int, default=recipe.steps, help=f"({recipe.steps})")
    parser.add_argument("--batch", type=int, default=recipe.batch, help=f"({recipe.batch})")
    parser.add_argument(
        "--peak",
        type=float,
        default=recipe.peak_learning_rate,
        help=f"rate ({recipe.peak_learning_rate:g})",
    )
    parser.add_argument("--warmup", type=int, default=recipe.warmup, help=f"({recipe.warmup})")


def train(options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Train, report how it goes, and write the file; what goes wrong is one sentence.

    Raises:
        SystemExit: an option, the pairs or the file are wrong, or training diverged.
    """
    try:
        pairs = _pairs(options.pairs)
        trainer = _trainer(options, pairs)
        start = time.perf_counter()
        with concurrency.tuned_for_training():
            for progress in trainer:
                if progress.step % REPORT_EVERY == 0 or progress.step == options.steps:
                    report(
                        f"step {progress.step:,}: loss {progress.loss:.4f}, "
                        f"rate {progress.learning_rate:.2g}"
                    )
        correct, total = exact_matches(trainer.model, pairs)
        seconds = time.perf_counter() - start
        report(f"{correct:,} of {total:,} held-out pairs right after {seconds:.1f} s")
        options.out.write_bytes(file_of(trainer))
    except (ValueError, OSError, Diverged) as error:
        sys.exit(str(error))


def file_of(trainer: Trainer) -> bytes:
    """The model as it is now, as a file that the page opens."""
    return save_model(
        trainer.model.config,
        trainer.parameters(),
        vocabulary_of_pairs(trainer.pairs),
        seed=trainer.recipe.seed,
    )


def _pairs(path: Path | None) -> Pairs:
    return dates() if path is None else read_csv(path.read_text(encoding="utf-8-sig"))


def _trainer(options: argparse.Namespace, pairs: Pairs) -> Trainer:
    config = config_for(
        pairs,
        d_model=options.d_model,
        heads=options.heads,
        encoder_layers=options.layers,
        decoder_layers=options.layers,
    )
    recipe = Recipe(
        steps=options.steps,
        batch=options.batch,
        peak_learning_rate=options.peak,
        warmup=options.warmup,
        seed=options.seed,
    )
    return Trainer(Transformer.create(config, options.seed), pairs, recipe)
