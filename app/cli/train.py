"""``tinkerformer train``: trains a model of built-in data or of the user's own pairs."""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from transformer_math import Config, Diverged, Recipe, Trainer, Transformer
from transformer_math.checkpoints.whole_file import write_whole
from transformer_math.data.dates import dates
from transformer_math.data.pairs import Pairs, StoredPairs, pairs
from transformer_math.data.phrases import (
    BLANK_EXAMPLES,
    EXAMPLES,
    NEXT_WORD_EXAMPLES,
    blank_phrases,
    next_word_phrases,
    phrases,
)
from transformer_math.data.tokenizer import SOS
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.trainer import config_for

from ..files.model_file import save_model
from ..model.scenario.vocabulary import vocabulary_of_pairs
from ..transport.runtime import concurrency
from .options import in_options

# Argument of a function -> option of the command.
OPTIONS = {
    **dict.fromkeys(("encoder_layers", "decoder_layers"), "--layers"),
    "d_model": "--d-model",
    "heads": "--heads",
    "d_ff": "--d-ff",
    "steps": "--steps",
    "batch": "--batch",
    "warmup": "--warmup",
    "peak_learning_rate": "--peak",
    "seed": "--seed",
    "most_words": "--most-words",
    "encoding": "--encoding",
    "unit": "--unit",
}
REPORT_EVERY = 100  # steps
_WRITTEN = ".safetensors"
DATA: dict[str, Callable[[], Pairs]] = {
    "dates": dates,
    "phrases": phrases,
    "next-word": next_word_phrases,
    "blanks": blank_phrases,
}
# The initial source and target of models with one stack, which read only one of them.
FIRST = {
    "next-word": ("the", NEXT_WORD_EXAMPLES[0]),
    "blanks": (BLANK_EXAMPLES[0], ""),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer train``."""
    parser.add_argument("out", type=Path, nargs="?", help="the .safetensors file to write")
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--data", choices=DATA, default="dates", help="what to learn (dates)")
    data.add_argument(
        "--pairs",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="a file of pairs to learn instead: separated by tabs, commas or semicolons, or JSON "
        "lines; or two parallel files, line by line",
    )
    parser.add_argument(
        "--unit",
        choices=("character", "word"),
        help="what a token of --pairs is (a word, if most sources have several words)",
    )
    parser.add_argument(
        "--most-words",
        type=int,
        metavar="N",
        help="keep the --pairs whose words are among the N most frequent of their side (all)",
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help="encoding of --pairs, by its Python name (detected)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the weights and batches (0)")
    for flag, name in (
        *(("--d-model", "d_model"), ("--heads", "heads"), ("--d-ff", "feed_forward_width")),
        ("--layers", ""),
    ):
        parser.add_argument(flag, type=int, help=_help(partial(_size, name)))
    for flag, name in (
        *(("--steps", "steps"), ("--batch", "batch"), ("--warmup", "warmup")),
        ("--peak", "peak_learning_rate"),
    ):
        kind = float if flag == "--peak" else int
        parser.add_argument(flag, type=kind, help=_help(partial(_of_recipe, name)))


def _help(default: Callable[[str], float]) -> str:
    """Return the default of a setting for the help text, with the data whose default differs."""
    usual = default("dates")
    others = [f"for {data} {default(data):g}" for data in DATA if default(data) != usual]
    return f"({', '.join([f'{usual:g}', *others])})"


def _of_recipe(name: str, data: str) -> float:
    """Return the default of a setting in the recipe of some data."""
    found: float = getattr(Recipe.preset(data), name)
    return found


def _size(name: str, data: str) -> int:
    """Return a size from the preset of some data; without a name, the layers of a stack."""
    config = Config.preset(data)
    found: int = getattr(config, name) if name else config.encoder_layers or config.decoder_layers
    return found


def train(options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Train a model, report progress, and write a file, or exit with a one-sentence error."""
    try:
        _take_out(options)
        if not options.out.parent.is_dir():  # fail before training rather than after it
            raise ValueError(f"There is no folder {options.out.parent} to write into.")
        data = _pairs(options)
        for sentence in _report(data):
            report(sentence)
        trainer = _trainer(options, data)
        start = time.perf_counter()
        with concurrency.tuned_for_training():
            for progress in trainer:
                if progress.step % REPORT_EVERY == 0 or progress.step == trainer.recipe.steps:
                    report(
                        f"step {progress.step:,}: loss {progress.loss:.4f}, "
                        f"rate {progress.learning_rate:.2g}"
                    )
        correct, total = exact_matches(trainer.model, data)
        seconds = time.perf_counter() - start
        report(f"{correct:,} of {total:,} unseen pairs right after {seconds:.1f} s")
        write_whole({options.out: file_of(trainer)})
    except (ValueError, OSError, Diverged) as error:
        sys.exit(in_options(str(error), OPTIONS))


def _report(data: Pairs) -> list[str]:
    """Return sentences on how the user's pairs were read; empty for built-in data."""
    found = data.report if isinstance(data, StoredPairs) else None
    return [] if found is None else found.sentences()


def file_of(trainer: Trainer) -> bytes:
    """Return the current model as the content of a file that the page opens."""
    pairs = trainer.pairs
    return save_model(
        trainer.model.config,
        trainer.parameters(),
        vocabulary_of_pairs(pairs),
        text=None if pairs.name in ("dates", "own pairs") else _first_text(pairs),
        seed=trainer.recipe.seed,
    )


def _first_text(pairs: Pairs) -> tuple[list[str], list[str]]:
    """Return the first example: the source, and the target as the decoder reads it."""
    texts = EXAMPLES[0] if pairs.name == "phrases" else FIRST[pairs.name]
    source, target = (text.split() for text in texts)
    return source, [SOS, *target]


def _take_out(options: argparse.Namespace) -> None:
    """Take the output file from the end of --pairs, if it is not given separately.

    Raise ``ValueError`` if there is no output file: a file of pairs is never overwritten.
    """
    if options.out is None:
        if not options.pairs or len(options.pairs) < 2 or options.pairs[-1].suffix != _WRITTEN:
            raise ValueError(f"Name the {_WRITTEN} file to write.")
        options.out = options.pairs.pop()


def _pairs(options: argparse.Namespace) -> Pairs:
    if options.pairs is not None:
        if len(options.pairs) > 2:
            raise ValueError("--pairs takes one file, or two parallel ones.")
        return pairs(
            *options.pairs,
            unit=options.unit,
            most_words=options.most_words,
            encoding=options.encoding,
        )
    for name in ("unit", "most_words", "encoding"):
        if getattr(options, name) is not None:
            raise ValueError(f"{name} is for --pairs, not for {options.data}.")
    return DATA[options.data]()


def _trainer(options: argparse.Namespace, pairs: Pairs) -> Trainer:
    """Create the trainer, with defaults from the data's preset; own pairs use the dates' preset."""
    preset = options.data if options.pairs is None else "dates"
    sizes = {
        "d_model": options.d_model,
        "heads": options.heads,
        "d_ff": options.d_ff,
        "encoder_layers": None if pairs.kind == "decoder-only" else options.layers,
        "decoder_layers": None if pairs.kind == "encoder-only" else options.layers,
    }
    recipe = {
        "steps": options.steps,
        "batch": options.batch,
        "peak_learning_rate": options.peak,
        "warmup": options.warmup,
    }
    config = config_for(pairs, preset, **_given(sizes))
    tokens = pairs.source_tokenizer.tokens, pairs.target_tokenizer.tokens
    model = Transformer.create(config, options.seed, *tokens)  # rows drawn by token, as on the page
    return Trainer(model, pairs, Recipe.preset(preset, **_given(recipe), seed=options.seed))


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
