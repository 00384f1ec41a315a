"""Opens models from files of Tinkerformer, PyTorch and Hugging Face."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from transformer_math.checkpoints import own_file, safetensors
from transformer_math.checkpoints.given_files import Files, GivenFiles
from transformer_math.checkpoints.marian_folder import TOKENS, MarianCheckpoint, open_checkpoint
from transformer_math.checkpoints.names import Names
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.state import Wanted
from transformer_math.checkpoints.vocabulary import words_of_files

from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Vocabulary
from ..model.scenario.weights import Weights
from . import model_file, trained_model
from .given_vocabulary import SHOWN_FIRST, ordinary, with_usual_names


def opened(
    files: Files,
    now: Scenario,
    heads: int | None = None,
    limit: int | None = safetensors.MAX_BYTES,
    names: Names | None = None,
    **settings: Any,
) -> Scenario:
    """Open the model in some files on the current page.

    Args:
        files: a file, a folder, or file name -> content; see ``read_files``.
        now: the current scenario; its drawing options are kept.
        heads: the number of attention heads, if the files do not specify it.
        limit: the maximum size of the weights in bytes; None for the limit of local files.
        names: array -> path, for a model of an unknown family.
        settings: settings of ``Config`` that the files do not specify.

    Raises:
        Wanted: the number of heads must be chosen.
        ValueError: the files cannot be opened; the message is one sentence with the reason.
    """
    given = GivenFiles(files, limit)
    if not given.names:
        raise ValueError("No file was chosen.")
    weights = given.weights()
    if names is None and own_file.is_own(weights.arrays, weights.metadata):
        file = given.weight_name()
        return model_file.load(given.read(file, given.limit), now, file, given.limit)
    raw = given.config() or {}
    if raw.get("model_type") == "marian" and given.has(TOKENS):
        told = settings if heads is None else {**settings, "heads": heads}
        return of_marian(open_checkpoint(given, **told), now, given.folder or "the Marian model")
    found = read_files(given, heads, names, **settings)
    config = found.config
    source, target = words_of_files(given, config)
    own = _vocabulary(
        source or _ids(config.source_vocabulary), target or _ids(config.target_vocabulary), raw
    )
    if config.source_pad is not None and config.encoder_layers:
        own = replace(own, pad=own.source[config.source_pad])
    name = given.folder or (found.family if raw else given.weight_name())
    other = tuple(weights.other)
    weights_of_page = Weights(found.parameters, own.source, own.target, name, other)
    return trained_model.opened(config, weights_of_page, own, now, first_text(own))


def opened_or_heads(
    files: Mapping[str, bytes], now: Scenario, heads: int | None
) -> Scenario | list[int]:
    """Open a model as ``opened`` does, or return the numbers of heads among which to choose."""
    try:
        return opened(files, now, heads)
    except Wanted as wanted:
        return wanted.choices


def _ids(size: int) -> tuple[str, ...]:
    """Return the ids as words, for files without a vocabulary."""
    return tuple(map(str, range(size)))


def _vocabulary(
    source: tuple[str, ...], target: tuple[str, ...], raw: Mapping[str, Any]
) -> Vocabulary:
    """Return a vocabulary, with start and end tokens from ``config.json`` or by usual names."""

    def named(*keys: str) -> str | None:
        ids = [raw.get(key) for key in keys]
        found = next((n for n in ids if type(n) is int and 0 <= n < len(target)), None)
        return None if found is None else target[found]

    start, end = named("decoder_start_token_id", "bos_token_id"), named("eos_token_id")
    return with_usual_names(Vocabulary(source, target, start=start, end=end, unit="word"))


def first_text(own: Vocabulary) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the initial source and target of a model."""
    known = tuple(token for token in ("[CLS]", "[MASK]", "[SEP]") if token in own.source)
    source, target = (ordinary(each)[:SHOWN_FIRST] for each in (own.source, own.target))
    return known or source, target if own.start is None else (own.start,)


def of_marian(found: MarianCheckpoint, now: Scenario, name: str = "the Marian model") -> Scenario:
    """Open a MarianMTModel's folder, with a first sentence if the files include a tokenizer."""
    config, tokens = found.config, found.target_tokens
    own = Vocabulary(
        found.source_tokens,
        tokens,
        start=tokens[found.start],
        end=tokens[found.end],
        pad=tokens[found.pad],
        unit="word",
        forbidden=tuple(tokens[i] for i in found.forbidden_tokens),
        pieces=found.source_pieces,
        target_pieces=found.target_pieces,
    )
    weights = Weights(found.parameters, own.source, own.target, name)
    end = own.end if own.end in own.source else own.source[0]
    return trained_model.opened(config, weights, own, now, ((end,), (own.start or end,)))
