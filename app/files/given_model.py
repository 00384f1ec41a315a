"""Builds the page's scenario from a model and a text that a Python program passes."""

import dataclasses
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math import Transformer
from transformer_math.checkpoints.names import custom_layout
from transformer_math.checkpoints.state import read_state
from transformer_math.checkpoints.torch_module import PARTS, from_torch_module, is_module
from transformer_math.data.pairs import Pairs

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import read_side, with_right_word, with_text
from ..model.inference.writing import with_written_target
from ..model.scenario.model_names import NAMES, PHRASES
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from . import catalog
from .given_data import training_data_of
from .model_at_path import IDS, begun, of_arrays, of_path, only_of_config


def scenario_of(
    model: Any,
    source: Any,
    target: Any,
    vocabulary: Any,
    settings: Mapping[str, Any],
    data: Any = None,
) -> Scenario:
    """Build the scenario in which a model reads a text.

    Args:
        model: a `Transformer`; a ``torch.nn.Transformer``, a module that contains one, or a state
            dict; a file of PyTorch or safetensors, or a folder of Hugging Face; the name of one of
            the page's own models; a scenario; None for the phrase translator.
        source: a text, tokens, or ids, which a decoder-only model continues; None for the model's
            initial text.
        target: the tokens generated so far, in the same forms; None to let the model generate them.
        vocabulary: see `vocabulary_of`; not allowed for a model that has its own.
        settings: settings that a PyTorch model lacks: the modules in ``PARTS``, ``heads``, and
            fields of ``Config`` that cannot be derived from weights.
        data: the model's training data on the page; see `training_data_of`. Without a model, an
            untrained model is created.

    Raises:
        TypeError: the model, the text or the vocabulary is of an unsupported type.
        ValueError: the arguments do not fit together; the message is one sentence.
    """
    if data is None:
        scenario = _opened(model, vocabulary, dict(settings))
    else:
        scenario = _learning(model, vocabulary, dict(settings), data)
    check_one_text(scenario, source, target)
    if source is not None:
        scenario = with_right_word(with_side(scenario, read_side(scenario), source))
    if target is not None:
        scenario = with_side(scenario, "target", target)
    elif scenario is not model:
        return begun(scenario)
    return with_written_target(scenario, ForwardPassRunner())


def _opened(model: Any, vocabulary: Any, settings: dict[str, Any]) -> Scenario:
    if isinstance(model, Transformer):
        _no_settings(settings)
        return of_arrays(model.config, dict(model.parameters), vocabulary, "your model")
    if is_module(model):
        parts = {name: settings.pop(name) for name in PARTS if name in settings}
        only_of_config(settings)
        found = from_torch_module(model, parts, **settings)
        return of_arrays(found.config, found.parameters, vocabulary, type(model).__name__)
    if isinstance(model, Mapping):
        return _of_state(model, vocabulary, settings)
    if isinstance(model, str | PathLike) and model not in NAMES:
        return of_path(Path(model), vocabulary, settings)
    _no_settings(settings)
    if model is None or isinstance(model, str):
        _no_other_vocabulary(vocabulary)
        return catalog.first(PHRASES if model is None else model)
    if isinstance(model, Scenario):
        _no_other_vocabulary(vocabulary)
        return model
    raise TypeError(
        f"A {type(model).__name__} cannot be shown: give a Transformer, a torch.nn.Transformer, "
        "a file or a folder, or the name of one of the page's models."
    )


def _learning(model: Any, vocabulary: Any, settings: dict[str, Any], data: Any) -> Scenario:
    """Return the scenario of a model with the data on which it is trained on the page."""
    if isinstance(model, str | Scenario):
        raise ValueError("The page's own models have their own data: give data without a model.")
    if model is None:
        _no_settings(settings)
        _no_other_vocabulary(vocabulary)
        return catalog.of_pairs(training_data_of(data))
    if isinstance(data, Pairs) and isinstance(model, Transformer):
        # Check this before the vocabulary, because this error is clearer.
        _check_kind(model.config.kind, data.kind)
    words = data if vocabulary is None and isinstance(data, Pairs) else vocabulary
    given = _opened(model, words, settings)
    learned = training_data_of(data, given.config.kind)
    _check_kind(given.config.kind, learned.kind)
    opened_new = catalog.of_pairs(learned)
    own, asked = opened_new.own_vocabulary, given.own_vocabulary
    if own is None or asked is None or (own.source, own.target) != (asked.source, asked.target):
        raise ValueError(
            "The model has other words than the data: make it by config_for(data), and give data "
            "as next_words, blanks or read_csv return them."
        )
    return dataclasses.replace(
        opened_new,
        settings=given.settings.replace(
            dropout=opened_new.settings.dropout, label_smoothing=opened_new.settings.label_smoothing
        ),
        weights=given.weights,
        locked=dataclasses.replace(given.locked, why=""),
    )


def _check_kind(of_model: str, of_data: str) -> None:
    if of_model != of_data:
        raise ValueError(f"The model is {of_model}, and what these data teach is {of_data}.")


def _of_state(state: Mapping[Any, Any], vocabulary: Any, settings: dict[str, Any]) -> Scenario:
    """Return the scenario of a state dict with the parameter names of a known family."""
    names = settings.pop("names", None)
    only_of_config(settings)
    layout, told = (None, {}) if names is None else custom_layout(names)
    found = read_state(state, layout, told=told, **settings)
    return of_arrays(found.config, found.parameters, vocabulary, "your model")


# -- the text ------------------------------------------------------------------------------------


def check_one_text(scenario: Scenario, source: Any, target: Any) -> None:
    """Raise ``ValueError`` if a decoder-only model, which reads only its target, gets two texts."""
    if not (scenario.settings.encoder_layers or source is None or target is None):
        raise ValueError(
            "This model is decoder-only and reads one text: give it as source or as target, "
            "and not as both."
        )


def with_side(scenario: Scenario, side: Side, given: Any) -> Scenario:
    """Set one side, source or target, to a text, tokens or ids.

    Raises:
        TypeError: what is given is none of these.
        ValueError: the model has no stack for this side, or does not know a token.
    """
    if side == "target" and not scenario.settings.decoder_layers:
        raise ValueError("This model has no decoder and no target: it reads its source alone.")
    try:
        return _with_side(scenario, side, given)
    except ValueError as error:
        if scenario.vocabulary.tokens(side)[:2] != IDS:
            raise
        raise ValueError(
            f"{str(error).rstrip('.')}, which are ids: open the page with vocabulary= to name them."
        ) from None


def _with_side(scenario: Scenario, side: Side, given: Any) -> Scenario:
    if isinstance(given, str):
        if scenario.own_vocabulary is None:
            return scenario.with_tokens(side, given.split())
        return with_text(scenario, given, side)
    if hasattr(given, "tolist"):  # a NumPy array or a PyTorch tensor
        given = given.tolist()
    if not isinstance(given, Iterable):
        raise TypeError(f"The {side} is a text, or a list of tokens or ids, not {given!r:.40}.")
    found = list(given)
    if all(isinstance(token, str) for token in found):
        return scenario.with_tokens(side, found)
    if not all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in found):
        raise TypeError(f"The {side} is a list of tokens or of ids, one row of them.")
    known = scenario.vocabulary.tokens(side)
    for i in found:
        if not 0 <= i < len(known):
            raise ValueError(f"The {side} has the id {i}, and ids go from 0 to {len(known) - 1:,}.")
    return scenario.with_tokens(side, [known[i] for i in found])


# -- arguments that do not apply --------------------------------------------------------------


def _no_other_vocabulary(vocabulary: Any) -> None:
    if vocabulary is not None:
        raise ValueError("This model has a vocabulary of its own; leave yours out.")


def _no_settings(settings: Mapping[str, Any]) -> None:
    if settings:
        raise TypeError(f"{next(iter(settings))} is not given here: the model brings it.")
