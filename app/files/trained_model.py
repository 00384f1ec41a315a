"""Opens trained models with a closed vocabulary; their sizes are fixed."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from transformer_math import Config

from ..model.scenario.edits import NO_EDITS
from ..model.scenario.locked_sizes import LockedSizes
from ..model.scenario.model_names import FILE
from ..model.scenario.model_settings import ModelSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side, Vocabulary
from ..model.scenario.weights import Weights
from ..plain_data import MAX_WHOLE, PlainDataError, whole
from .model_metadata import Object, check_fit, check_values, parsed, seed_of, vocabulary, words

TRAINED = "These weights are of a trained model; choose Sandbox to change sizes."
_MAX_SIZES = {
    "d_model": 4096,
    "d_ff": 16_384,
    "heads": 64,
    "encoder_layers": 24,
    "decoder_layers": 24,
}


def opened(
    config: Config,
    weights: Weights,
    own: Vocabulary,
    now: Scenario,
    text: tuple[Sequence[str], Sequence[str]],
    seed: int = 1,
) -> Scenario:
    """Return the current scenario with a model that has its own vocabulary.

    An empty side of the initial ``text`` gets one token; ``seed`` draws the weights of words that
    are added later. Raise ``ValueError`` if the weights do not fit the config, or the tokens are
    not in the vocabulary.
    """
    check_values(weights.arrays)
    new = dataclasses.replace(
        now,
        settings=ModelSettings.of_config(config, seed),
        source=tuple(text[0]) or _first(own, "source"),
        target=tuple(text[1]) or _first(own, "target"),
        edits=NO_EDITS,
        silences=(),
        weights=weights,
        own_vocabulary=own,
        model=FILE,
        data=None,
        steps_taken=0,
        trained_with=None,
        writes_itself=False,
        locked=LockedSizes(TRAINED, config.share_embeddings, config.epsilon, config.max_positions),
    )
    check_fit(weights, new.config)
    return new.with_tokens("source", new.source).with_tokens("target", new.target)


def _first(own: Vocabulary, side: Side) -> tuple[str, ...]:
    """Return one token with which a side can start."""
    known = own.tokens(side)
    named = [token for token in (own.start, own.end) if token in known]
    return tuple(named[:1] or known[:1])


def from_file(
    arrays: dict[str, np.ndarray], metadata: dict[str, str], now: Scenario, name: str
) -> Scenario:
    """Return the current scenario with the model of a file that has its own vocabulary.

    Raise ``ValueError`` with one sentence if the file is invalid or does not fit.
    """
    fields = parsed(metadata, "config", Object)
    for name_of_size, most in _MAX_SIZES.items():
        try:
            whole(-MAX_WHOLE, most)(fields.get(name_of_size) or 0)
        except PlainDataError:
            raise ValueError(f"The file's {name_of_size} is more than {most:,}.") from None
    try:
        config = Config.from_dict(fields)
    except (TypeError, ValueError):
        raise ValueError("The file's config cannot be read.") from None
    own = vocabulary(metadata)
    weights = Weights(arrays, own.source, own.target, name)
    text = words(metadata, "source", ()), words(metadata, "target", ())
    return opened(config, weights, own, now, text, seed_of(metadata))
