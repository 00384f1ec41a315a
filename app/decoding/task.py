"""Collects the inputs of decoding: the model with its edits, the source, start and end token."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from transformer_math import Transformer
from transformer_math.checkpoints.sentencepiece import joined
from transformer_math.data.tokenizer import EOS, SOS
from transformer_math.decoding import Decoding

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import edited_parameters
from ..model.scenario.scenario import Scenario
from .edited_model import EditedModel
from .settings import DecodingSettings, default_max_length


@dataclass(frozen=True, slots=True, eq=False)
class DecodingTask:
    """The inputs that all decoding methods have in common."""

    scenario: Scenario
    model: Transformer  # with the edits
    source: list[int] | None  # ids; None for a decoder-only model
    start: int
    end: int
    prefix: tuple[int, ...]  # the given tokens; empty if there is an encoder
    max_length: int  # of generated tokens, the end included
    forbidden_tokens: tuple[int, ...]  # never generated
    notes: tuple[str, ...]  # about ignored choices and a shortened maximum length
    go_on: Callable[[], None] | None = None  # raises once the result is no longer needed

    @property
    def is_edited(self) -> bool:
        """Whether computed cells or silenced parts of the page apply."""
        return isinstance(self.model, EditedModel)

    @property
    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of the functions of ``transformer_math.decoding``."""
        return {
            "model": self.model,
            "source_ids": self.source,
            "decoding": Decoding(
                self.start,
                self.end,
                self.max_length,
                self.forbidden_tokens,
                self.prefix,
                before_step=self.go_on,
            ),
        }

    def words(self, ids: Any) -> list[str]:
        """Return the vocabulary entries of these ids."""
        vocabulary = self.scenario.target_vocabulary
        return [vocabulary[i] for i in ids]

    def text(self, ids: Any) -> str:
        """Return the text of these ids without start and end tokens."""
        tokens = self.words(i for i in ids if i not in (self.start, self.end))
        vocabulary = self.scenario.vocabulary
        if vocabulary.pieces is not None:
            return joined(tokens)
        return ("" if vocabulary.unit == "character" else " ").join(tokens)


def decoding_task(
    scenario: Scenario, runner: ForwardPassRunner, settings: DecodingSettings
) -> DecodingTask:
    """Return the decoding task of a scenario; ``ValueError`` if its model cannot generate text."""
    if not scenario.settings.decoder_layers:
        raise ValueError(
            "An encoder-only model writes no text: it fills in blanks. Set the decoder layers to 1 "
            "or more to decode."
        )
    start, end = _ends(scenario)
    vocabulary = scenario.vocabulary
    own = runner.model(scenario)
    model = own.with_parameters(edited_parameters(scenario, own))
    if scenario.beside_weights and not cost.is_large(scenario):
        model = EditedModel(model, _with_known_words(scenario), runner.aside())
    prefix = () if scenario.settings.encoder_layers else tuple(scenario.ids("target")[1:])
    max_length, shortened = _max_length(scenario, settings, len(prefix))
    return DecodingTask(
        scenario,
        model,
        scenario.ids("source") if scenario.settings.encoder_layers else None,
        vocabulary.target.index(start),
        vocabulary.target.index(end),
        prefix,
        max_length,
        tuple(vocabulary.forbidden_ids),
        (*notes(scenario), *shortened),
    )


def scenario_after(task: DecodingTask, ids: tuple[int, ...]) -> Scenario:
    """Return the scenario whose target consists of these tokens; ``ValueError`` if too long."""
    scenario = _with_known_words(task.scenario)
    tokens = task.words((task.start, *task.prefix, *ids))
    new = scenario.with_tokens("target", tokens)
    # If the target was only shortened, expect the next token of the old target.
    here = len(tokens)
    if list(scenario.target[:here]) == list(tokens) and here < len(scenario.target):
        new = new.with_expected(scenario.target[here])
    return new


def _with_known_words(scenario: Scenario) -> Scenario:
    """Return a scenario whose target vocabulary stays the same with any other target.

    Words that only the present target contains are added to the vocabulary, because without them
    the probabilities would change.
    """
    if scenario.vocabulary.of_text and not set(scenario.target) <= set(scenario.answers):
        return scenario.with_answers((*scenario.answers, *scenario.target))
    return scenario


def _ends(scenario: Scenario) -> tuple[str, str]:
    """Return the start and the end token of a text."""
    vocabulary, known = scenario.vocabulary, scenario.target_vocabulary
    if vocabulary.of_text:
        start = SOS if SOS in known else scenario.target[0]
        if EOS not in known:
            raise ValueError(f"No text could come to an end: add {EOS} to the target vocabulary.")
        return start, EOS
    start, end = vocabulary.start or "", vocabulary.end or ""
    if start not in known or end not in known:
        raise ValueError(
            "The file of this model does not name its start and end tokens, which decoding needs."
        )
    return start, end


def _max_length(
    scenario: Scenario, settings: DecodingSettings, given: int
) -> tuple[int, tuple[str, ...]]:
    """Return the maximum length, and a note if the learned positions limit it."""
    config = scenario.config
    default = default_max_length(config.parameter_count(), not scenario.vocabulary.of_text)
    length = default if settings.max_length is None else settings.max_length
    if config.positions != "learned":
        return length, ()
    positions_left = config.max_positions - given
    if positions_left < 1:
        raise ValueError(
            f"The model has learned {config.max_positions} positions, and the target uses all "
            "of them."
        )
    if length <= positions_left:
        return length, ()
    return positions_left, (
        f"The model has learned {config.max_positions} positions, so no more tokens can follow.",
    )


def notes(scenario: Scenario) -> tuple[str, ...]:
    """Return sentences on choices that decoding ignores, and on their consequences."""
    found = []
    if not scenario.settings.encoder_layers:
        found.append("Without an encoder, greedy, beam and samples continue the text that is read.")
    if cost.is_large(scenario) and scenario.beside_weights:
        ignored = " and ".join(what for what, _ in scenario.beside_weights)
        found.append(f"This model is large, so this view ignores {ignored}.")
    if scenario.training:
        found.append("Dropout is off here, because the model writes and does not learn.")
    if scenario.settings.has_decoder and not scenario.settings.causal_mask:
        found.append(
            "The causal mask is off. Here no later word is written yet; in the picture, which "
            "reads all words at once, each row sees later words, too."
        )
    if scenario.weights is None:
        found.append("The weights are random, so the text means nothing.")
    return tuple(found)


def display_token(token: str) -> str:
    """Return a token as displayed: spaces and the empty token are made visible."""
    return "␣" * len(token) if token.isspace() else token or "∅"
