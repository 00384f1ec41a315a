"""Creates the opening scenario of each model that the page offers."""

import dataclasses
import functools
import importlib.resources
import json
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_math import Config, DropoutRates, Recipe, initialization
from transformer_math.data import dates, phrases
from transformer_math.data.tokenizer import EOS, SOS

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import with_right_word, with_text
from ..model.inference.writing import with_written_target
from ..model.scenario.limits import MAX_TOKENS
from ..model.scenario.locked_sizes import LockedSizes
from ..model.scenario.model_names import (
    BIG,
    BLANKS,
    DATES,
    LECTURE,
    NEXT_WORD,
    OWN,
    PAPER,
    PHRASES,
    POSITIONS,
    SANDBOX,
    SERVED,
    TABLE,
    TRAINED,
)
from ..model.scenario.model_settings import DropoutSettings, ModelSettings
from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_data import BLANKS as BLANK_TEXTS
from ..model.scenario.training_data import DATES as DATE_PAIRS
from ..model.scenario.training_data import NEXT_WORD as NEXT_WORD_TEXTS
from ..model.scenario.training_data import PHRASES as PHRASE_PAIRS
from ..model.scenario.training_data import TrainingData
from ..model.scenario.vocabulary import vocabulary_of_pairs
from ..model.scenario.weights import Weights
from . import model_file
from .model_at_path import begun, of_path

# Environment variables for this process and its children: a model, and its number of heads.
SERVED_MODEL, SERVED_HEADS = "TINKERFORMER_MODEL", "TINKERFORMER_HEADS"

PAPER_WHY = "These sizes are the paper's; choose Sandbox to change sizes."
DOCUMENT_WHY = "These sizes are the document's; choose Sandbox to change sizes."
_DOCUMENT_FILE = "document_tables.json"
# The weights file, the training data, and the first text of each trained model.
_TRAINED = {
    PHRASES: ("phrases.safetensors", PHRASE_PAIRS, phrases.EXAMPLES[0][0]),
    DATES: ("dates.safetensors", DATE_PAIRS, dates.EXAMPLES[0][0]),
    NEXT_WORD: ("next-word.safetensors", NEXT_WORD_TEXTS, phrases.NEXT_WORD_EXAMPLES[0]),
    BLANKS: ("blanks.safetensors", BLANK_TEXTS, phrases.BLANK_EXAMPLES[0]),
}


class CatalogEntry(NamedTuple):
    """A model in the catalog: its name, label and description, and whether it is rarely needed."""

    name: str
    label: str
    about: str
    is_rare: bool = False


@functools.cache
def entries() -> tuple[CatalogEntry, ...]:
    """Return all models that the user can choose."""
    own = served()
    return (
        *([] if own is None else [_served_entry(own)]),
        *_trained_entries(),
        *_untrained_entries(),
        *_printed_entries(),
    )


def _trained_entries() -> tuple[CatalogEntry, ...]:
    return (
        CatalogEntry(
            PHRASES,
            "Phrases",
            "Trained to translate English phrases into French: "
            f"{first(PHRASES).config.parameter_count():,} numbers, all of them on the page.",
        ),
        CatalogEntry(
            DATES,
            "Dates",
            "Trained to write 1676-11-30 as November 30, 1676, character by character.",
        ),
        CatalogEntry(
            NEXT_WORD,
            "Next word",
            "A decoder alone, as in GPT: trained to continue an English phrase, "
            f"{first(NEXT_WORD).config.parameter_count():,} numbers.",
        ),
        CatalogEntry(
            BLANKS,
            "Fill in",
            "An encoder alone, as in BERT: trained to fill the blanks of French phrases, "
            f"{first(BLANKS).config.parameter_count():,} numbers.",
        ),
    )


def _untrained_entries() -> tuple[CatalogEntry, ...]:
    return (
        CatalogEntry(
            SANDBOX, "Sandbox", ("For experiments: your own words, every size, and random weights.")
        ),
        CatalogEntry(
            PAPER,
            "The paper’s size",
            "As large as in the paper: 512 wide, 8 heads, 6+6 layers. It is not trained: its "
            f"weights are random. {_counts(PAPER)}",
        ),
        CatalogEntry(
            BIG,
            "The paper’s big one",
            "The paper’s largest (Table 3): 1024 wide, 16 heads, 6+6 layers, random weights. "
            f"{_counts(BIG)} It takes some seconds to open, about 1 GB of the server's memory, "
            "and a moment at every change.",
            is_rare=True,
        ),
    )


def _printed_entries() -> tuple[CatalogEntry, ...]:
    """Return the models whose numbers a reader compares with a course's handout."""
    return (
        CatalogEntry(
            TABLE,
            "Printed words",
            "To check a course’s handout number by number: its table of <sos>, 1, 3 and <eos>, "
            "with 16 numbers a word, embeddings not scaled.",
            is_rare=True,
        ),
        CatalogEntry(
            POSITIONS,
            "Printed positions",
            "To check a course’s handout number by number: its rows of <sos>, 0, - and <sos>, "
            "before and after positions are added.",
            is_rare=True,
        ),
        CatalogEntry(
            LECTURE,
            "By hand",
            "Small enough for paper and pencil: a lecture’s example of positions. Position 2 of 4 "
            "dimensions is "
            "sin 2, cos 2, sin 0.02, cos 0.02 = 0.9093, −0.4161, 0.0200, 0.9998. "
            "Positions count from 0, so position 2 is that of the third word, e3.",
            is_rare=True,
        ),
    )


def _served_entry(own: Scenario) -> CatalogEntry:
    name = own.weights.name if own.weights else "Your model"
    about = f"The model that this page is served with: {own.config.parameter_count():,} parameters."
    return CatalogEntry(SERVED, name, f"{about} {own.weights.about if own.weights else ''}".strip())


def serve(path: Path, heads: int | None = None) -> Scenario:
    """Set the first model of pages of this process and its children; return its scenario.

    ``path`` is as in ``open_model``. Raise ``ValueError`` if there is no such model.
    """
    os.environ[SERVED_MODEL] = str(path.resolve())
    os.environ[SERVED_HEADS] = "" if heads is None else str(heads)
    for cached in (served, entries, first):
        cached.cache_clear()
    own = served()
    assert own is not None
    return own


@functools.cache
def served() -> Scenario | None:
    """Return the opening scenario of the model set by ``serve``; None without ``serve``."""
    path, heads = (os.environ.get(name, "") for name in (SERVED_MODEL, SERVED_HEADS))
    if not path:
        return None
    settings = {"heads": int(heads)} if heads.isdecimal() else {}
    return dataclasses.replace(begun(of_path(Path(path), None, settings)), model=SERVED)


def _counts(name: str) -> str:
    """Return a sentence that compares the numbers of parameters in the paper and on the page."""
    own, paper = first(name).config.parameter_count(), Config.preset(name).parameter_count()
    return (
        f"{own:,} parameters with the words on the page; {paper:,} with the paper's 37,000 tokens."
    )


@functools.cache  # scenarios are immutable
def first(name: str) -> Scenario:
    """Return a model's opening scenario; raise ``ValueError`` if it or its file does not exist."""
    if name == SANDBOX:
        return Scenario()
    if name == SERVED:
        own = served()
        if own is None:
            raise ValueError("This page has no model of its own.")
        return own
    if name in TRAINED:
        return _trained(name)
    if name in (PAPER, BIG):
        config = Config.preset(name)
        locked = LockedSizes(PAPER_WHY, config.share_embeddings)
        return Scenario(settings=ModelSettings.of_config(config), model=name, locked=locked)
    if name == LECTURE:
        return _lecture()
    if name in (TABLE, POSITIONS):
        return _document(name)
    raise ValueError(f"There is no model called “{name[:40]}”.")


def chosen(name: str, now: Scenario) -> Scenario:
    """Return the opening scenario of a model, with the current drawing options; see ``first``."""
    return dataclasses.replace(first(name), view=now.view)


def asset(name: str) -> bytes:
    """Read a file that is installed with the page; raise ``ValueError`` if the file is missing."""
    try:
        return (importlib.resources.files("tinkerformer.assets") / name).read_bytes()
    except FileNotFoundError:
        raise ValueError(f"{name} is not installed with this page.") from None


def of_pairs(data: TrainingData) -> Scenario:
    """Return an untrained model for the user's own data, opened with the first held-out text.

    For words, it has the sizes of the page's model of the same kind; for characters, the sizes of
    the date translator. Raise ``ValueError`` with one sentence if the data are invalid.
    """
    pairs = data.pairs()
    known = vocabulary_of_pairs(pairs)
    scenario = dataclasses.replace(bare(data), own_vocabulary=known, model=OWN, data=data)
    rows = [
        [pairs.source_tokenizer.tokens[i] for i in row if i != pairs.source_tokenizer.pad]
        for row in pairs.held_out_source
    ]
    given = next((row for row in rows if len(row) <= MAX_TOKENS), rows[0][:MAX_TOKENS])
    if data.kind == "decoder-only":
        scenario = dataclasses.replace(scenario, source=tuple(given[:1]))
        return with_right_word(scenario.with_tokens("target", (SOS, *given[: MAX_TOKENS - 1])))
    scenario = dataclasses.replace(scenario, target=(SOS,), expected=EOS)
    scenario = scenario.with_tokens("source", given)
    return with_right_word(scenario) if data.kind == "encoder-only" else scenario.with_writing(True)


def bare(data: TrainingData | None) -> Scenario:
    """Return the scenario of ``of_pairs`` without its text; sessions store differences from it."""
    kind = "encoder-decoder" if data is None else data.kind
    unit = "character" if data is None else data.unit
    like = {"decoder-only": NEXT_WORD, "encoder-only": BLANKS}.get(kind, PHRASES)
    settings, recipe = _settings(like), RecipeSettings.of(Recipe.preset(like))
    if unit == "character":
        settings = _settings(DATES)
        recipe = RecipeSettings.of(Recipe.preset(DATES))
        if kind != "encoder-decoder":
            left_out = "encoder_layers" if kind == "decoder-only" else "decoder_layers"
            # Several next characters may be right; smoothing would make all others likelier.
            settings = settings.replace(**{left_out: 0}, label_smoothing=0.0)
    return Scenario(
        source=(),
        target=(),
        settings=settings,
        recipe=recipe,
        writes_itself=kind == "encoder-decoder",
    )


def _settings(like: str, seed: int = 1) -> ModelSettings:
    """Return the settings of a preset, with the paper's dropout rates."""
    settings = ModelSettings.of_config(Config.preset(like), seed)
    dropout = DropoutSettings.of(DropoutRates.paper())
    return settings.replace(dropout=dropout, label_smoothing=Recipe.preset(like).smoothing)


def _trained(name: str) -> Scenario:
    """Return the scenario of a pretrained model, opened with its first example."""
    file, data, example = _TRAINED[name]
    opened = model_file.load(asset(file), Scenario(), f"the trained {name}")
    recipe = RecipeSettings.of(Recipe.preset(name))
    scenario = dataclasses.replace(
        opened,
        settings=_settings(name, opened.settings.seed),
        recipe=recipe,
        steps_taken=recipe.steps,
        model=name,
        data=data,
        locked=LockedSizes(),
        writes_itself=opened.can_write,
    )
    return with_written_target(with_text(scenario, example), ForwardPassRunner())


def _lecture() -> Scenario:
    """Return the lecture's example: five words, four dimensions, one head.

    With one head the scale √d_k equals the √D of the lecture's formulas.
    """
    settings = ModelSettings(
        d_model=4, heads=1, embedding_scale=False, dropout=DropoutSettings.of(DropoutRates())
    )
    return Scenario(
        source=("e1", "e2", "e3", "e4", "e5"),
        target=("<sos>", "s1", "s2"),
        answers=("<sos>", "<eos>", "s1", "s2", "s3"),
        settings=settings,
        model=LECTURE,
        locked=LockedSizes(DOCUMENT_WHY),
    )


def _document(name: str) -> Scenario:
    """Return a model whose embeddings begin with the rows printed in the date translator's article.

    The article rounds to four decimals. Here, the rows of its second table have more decimals, so
    that both the rows and their sums with the positions round to the printed values.
    """
    table = json.loads(asset(_DOCUMENT_FILE))[name]
    rows = dict(zip(table["tokens"], table["rows"], strict=True))
    settings = ModelSettings(
        d_model=16, heads=4, embedding_scale=False, dropout=DropoutSettings.of(DropoutRates())
    )
    scenario = Scenario(
        source=tuple(table["tokens"]),
        target=("<sos>", "J", "a", "n"),
        answers=("<sos>", "<eos>", "J", "a", "n"),
        settings=settings,
        model=name,
        locked=LockedSizes(DOCUMENT_WHY),
    )
    words = scenario.source_vocabulary, scenario.target_vocabulary
    arrays = initialization.parameters(scenario.config, settings.seed, *words)
    arrays["source.W_e"] = np.array([rows[token] for token in words[0]], np.float32)
    return dataclasses.replace(scenario, weights=Weights(arrays, *words, "the document's rows"))
