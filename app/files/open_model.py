"""Opens models from files: Tinkerformer's own, torch.nn.Transformer's and MarianMTModel's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from transformer_math.checkpoints import safetensors, torch
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
        files: file name -> content: one safetensors file, or the files of a MarianMTModel's folder.
        now: the current scenario; its drawing options are kept.
        heads: the number of attention heads, if the files do not specify it.
        limit: the maximum size of a safetensors file in bytes.

    Raises:
        HeadsWanted: the number of heads must be chosen.
        ValueError: the files cannot be opened; the message says why in one sentence.
    """
    if len(files) > 1 or CONFIG in files:
        return _marian(files, now)
    if not files:
        raise ValueError("No file was chosen.")
    ((name, data),) = files.items()
    arrays, _ = safetensors.load(data, limit)
    kind = kind_of_state(arrays)
    if kind == "torch":
        return _torch(arrays, name, now, heads)
    if kind == "marian":
        raise ValueError(
            f"{name} is of a MarianMTModel: choose config.json, vocab.json and its .spm files too."
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


def _marian(files: Mapping[str, bytes], now: Scenario) -> Scenario:
    if WEIGHTS not in files and sum(name.endswith(".safetensors") for name in files) > 1:
        raise ValueError("Several models were chosen: open one at a time.")
    return of_marian(open_checkpoint(files), now)


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
