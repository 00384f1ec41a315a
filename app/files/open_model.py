"""Opens models from files: Tinkerformer's own, torch.nn.Transformer's and Hugging Face's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from transformer_math.checkpoints import bert, gpt2, hugging_face, safetensors, torch
from transformer_math.checkpoints.marian_folder import (
    CONFIG,
    WEIGHTS,
    MarianCheckpoint,
    open_checkpoint,
)
from transformer_math.checkpoints.state_dict import kind_of_state

from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Vocabulary
from ..scenario.weights import Weights
from . import model_file, trained_model

_SHOWN_FIRST = 4  # tokens to start with, for a vocabulary without known words


class HeadsWanted(ValueError):
    """The files do not specify the number of heads.

    Attributes:
        choices: the divisors of d_model to choose from.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__(
            "These weights are those of a PyTorch Transformer, which do not say how many "
            "attention heads share them: choose the number."
        )
        self.choices = [h for h in range(1, min(d_model, 64) + 1) if d_model % h == 0]


def opened(
    files: Mapping[str, bytes],
    now: Scenario,
    heads: int | None = None,
    limit: int = safetensors.MAX_BYTES,
) -> Scenario:
    """Open the model in some files on the current page.

    Args:
        files: file name -> content: one safetensors file, or the files of the folder of a
            MarianMTModel, of GPT-2 or of BERT.
        now: the current scenario; its drawing options are kept.
        heads: the number of attention heads, if the files do not specify it.
        limit: the maximum size of a safetensors file in bytes.

    Raises:
        HeadsWanted: the number of heads must be chosen.
        ValueError: the files cannot be opened; the message says why in one sentence.
    """
    if len(files) > 1 or CONFIG in files:
        if WEIGHTS not in files and sum(name.endswith(".safetensors") for name in files) > 1:
            raise ValueError("Several models were chosen: open one at a time.")
        return of_folder(files, now, limit=limit)
    if not files:
        raise ValueError("No file was chosen.")
    ((name, data),) = files.items()
    arrays, _ = safetensors.load(data, limit, with_whole=True)
    kind = kind_of_state(arrays)
    if kind == "torch":
        return _torch(arrays, name, now, heads)
    if kind == "marian":
        raise ValueError(
            f"{name} is of a MarianMTModel: choose config.json, vocab.json and its .spm files too."
        )
    if kind is not None and kind in _ONE_STACK:
        raise ValueError(
            f"{name} is of {_ONE_STACK[kind]}: choose config.json too, and vocab.json or vocab.txt "
            "for its words."
        )
    return model_file.load(data, now, name, limit)


def opened_or_heads(
    files: Mapping[str, bytes], now: Scenario, heads: int | None
) -> Scenario | list[int]:
    """Like ``opened``, but returns the possible numbers of heads if one must be chosen."""
    try:
        return opened(files, now, heads)
    except HeadsWanted as wanted:
        return wanted.choices


def _torch(arrays: dict[str, np.ndarray], name: str, now: Scenario, heads: int | None) -> Scenario:
    """Open the weights of a torch.nn.Transformer; the file has no token names, so ids are shown."""
    if heads is None:
        raise HeadsWanted(_width(arrays))
    config, parameters = torch.from_torch(arrays, torch.config_of(arrays, heads))
    source = tuple(map(str, range(config.source_vocabulary)))
    target = tuple(map(str, range(config.target_vocabulary)))
    weights = Weights(parameters, source, target, name)
    own = Vocabulary(source, target, unit="word")
    first = source[:_SHOWN_FIRST], target[:_SHOWN_FIRST]
    return trained_model.opened(config, weights, own, now, first)


def _width(arrays: dict[str, np.ndarray]) -> int:
    """The width d_model, read off the first packed projection (3·d_model, d_model)."""
    return int(next(a.shape[-1] for path, a in arrays.items() if path.endswith("in_proj_weight")))


def of_folder(
    files: Path | Mapping[str, bytes],
    now: Scenario,
    name: str = "",
    limit: int = hugging_face.LIMIT,
) -> Scenario:
    """Open the folder of a MarianMTModel, of GPT-2 or of BERT.

    Args:
        files: the folder, or name -> content.
        now: the current scenario; its drawing options are kept.
        name: what the model is called.
        limit: the maximum size of the weights of GPT-2 or BERT in bytes.

    Raises:
        ValueError: the files cannot be opened; the message says why in one sentence.
    """
    raw = _content(files, CONFIG)
    try:
        told = json.loads(raw or b"null")
    except (ValueError, RecursionError):
        told = None
    kind = told.get("model_type") if isinstance(told, dict) else None
    if isinstance(kind, str) and kind in _ONE_STACK:
        return _of_one_stack(kind, files, now, name or _ONE_STACK[kind], limit)
    return of_marian(open_checkpoint(files), now, name or "the Marian model")


# The models of one stack, by their type in config.json.
_ONE_STACK = {"gpt2": "GPT-2", "bert": "BERT"}
_WORDS, _LINES = "vocab.json", "vocab.txt"


def _content(files: Path | Mapping[str, bytes], name: str) -> bytes | None:
    """The content of a file; None if there is no such file."""
    if isinstance(files, Path):
        return (files / name).read_bytes() if (files / name).is_file() else None
    return files.get(name)


def _of_one_stack(
    kind: str, files: Path | Mapping[str, bytes], now: Scenario, name: str, limit: int
) -> Scenario:
    """Open GPT-2 or BERT; its words are those of its vocabulary, or ids without one."""
    raw, arrays = hugging_face.read_folder(files, limit)
    config, parameters = (gpt2.from_gpt2 if kind == "gpt2" else bert.from_bert)(raw, arrays)
    tokens = _tokens(files, config.output_vocabulary)

    def named(key: str) -> str | None:
        at = raw.get(key)
        return tokens[at] if type(at) is int and 0 <= at < len(tokens) else None

    pad = None if config.source_pad is None else tokens[config.source_pad]
    start, end = named("bos_token_id"), named("eos_token_id")
    own = Vocabulary(tokens, tokens, start=start, end=end, pad=pad, unit="word")
    first = tuple(t for t in ("[CLS]", "[MASK]", "[SEP]") if t in tokens) or tokens[:_SHOWN_FIRST]
    target = (start,) if start is not None else tokens[:_SHOWN_FIRST]
    weights = Weights(parameters, tokens, tokens, name)
    return trained_model.opened(config, weights, own, now, (first, target))


def _tokens(files: Path | Mapping[str, bytes], size: int) -> tuple[str, ...]:
    """The words of vocab.json or vocab.txt in the order of their ids; ids without either.

    Raises:
        ValueError: the file does not name each id once.
    """
    lines, words = _content(files, _LINES), _content(files, _WORDS)
    if lines is None and words is None:
        return tuple(map(str, range(size)))
    file = _LINES if words is None else _WORDS
    try:
        if words is None:
            found = {token: n for n, token in enumerate((lines or b"").decode().splitlines())}
        else:
            found = dict(json.loads(words))
        tokens = sorted(found, key=found.__getitem__)
        is_whole = [found[token] for token in tokens] == list(range(size))
    except (ValueError, TypeError, AttributeError, RecursionError):
        is_whole = False
    if not is_whole:
        raise ValueError(f"{file} does not name each of the model's {size:,} tokens once.")
    return tuple(tokens)


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
