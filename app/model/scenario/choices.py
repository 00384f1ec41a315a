"""The fields of a scenario, and what follows from them without a forward pass."""

from __future__ import annotations

import dataclasses
import functools
import operator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

from transformer_math import Config, DropoutRates
from transformer_math.data.texts import MASK
from transformer_math.data.tokenizer import EOS, SOS

from .axis_tokens import AxisTokens
from .descent_settings import DescentSettings
from .edits import NO_EDITS, Edits
from .locked_sizes import LockedSizes
from .model_names import SANDBOX
from .model_settings import NOT_COMPUTED, ModelSettings
from .recipe_settings import RecipeSettings
from .shown_ids import shown_ids
from .silences import Silences
from .training_data import TrainingData
from .view_settings import ViewSettings
from .vocabulary import Side, Vocabulary, extended, open_vocabulary, side_of
from .weights import Weights

BLANK_TOKENS = (MASK, "[MASK]")  # the page's own and BERT's
# Fields that change numbers or how they are drawn, but not which matrices exist nor the labels of
# their rows and columns.
VALUES_ALONE = frozenset(
    {
        *("edits", "mask_seed", "keep_masks", "view", "weights"),
        *("recipe", "steps_taken", "trained_with", "descent", "descents"),
    }
)
_VIEW = ViewSettings()


class TrainingChoices(NamedTuple):
    """The choices that training depends on, apart from data and number of steps."""

    settings: ModelSettings
    recipe: RecipeSettings
    training: bool  # whether dropout is on


@dataclass(frozen=True)
class Choices:
    """All that the user can choose."""

    source: tuple[str, ...] = ("the", "cat", "sat", "on", "the", "mat")
    target: tuple[str, ...] = (SOS, "le", "chat")
    # The target vocabulary of a model without its own; further words of the target are added.
    answers: tuple[str, ...] = (SOS, EOS, "le", "chat", "est", "assis", "sur", "tapis")
    expected: str = EOS  # the correct word after the target
    settings: ModelSettings = field(default_factory=ModelSettings)
    edits: Edits = field(default_factory=lambda: NO_EDITS)  # cell -> the value it was set to
    silences: Silences = ()  # at most one for a part; cells edited later keep their edits
    training: bool = False  # whether dropout is on
    mask_seed: int = 1  # the seed of the dropout masks
    keep_masks: bool = True  # if false, a change draws new masks, as a training step does
    view: ViewSettings = field(default_factory=ViewSettings)
    weights: Weights | None = None  # loaded or trained; None if drawn from the seed
    own_vocabulary: Vocabulary | None = None  # None if the text determines the vocabulary
    model: str = SANDBOX  # see ``model_names``
    locked: LockedSizes = field(default_factory=LockedSizes)
    data: TrainingData | None = None
    recipe: RecipeSettings = field(default_factory=RecipeSettings)
    # The number of training steps of the weights. If a link has this without weights, the model
    # must still be trained for this many steps.
    steps_taken: int = 0
    trained_with: TrainingChoices | None = None  # None if equal to the present choices or unknown
    descent: DescentSettings = field(default_factory=DescentSettings)
    # Steps of gradient descent on the text since the weights were loaded or trained.
    descents: int = 0
    writes_itself: bool = False  # whether the model generates the target

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The model's own vocabulary plus new tokens of the text, or the tokens of the text."""
        own = self.own_vocabulary
        if own is None:
            shared = self.locked.share_embeddings
            return open_vocabulary(self.source, self.answers, self.target, shared)
        return own if own.closed else extended(own, self.source, self.target)

    @property
    def source_vocabulary(self) -> tuple[str, ...]:
        """The token of each row of the source's table."""
        return self.vocabulary.source

    @property
    def target_vocabulary(self) -> tuple[str, ...]:
        """The token of each row of the target's table."""
        return self.vocabulary.target

    @property
    def output_vocabulary(self) -> tuple[str, ...]:
        """The words of the output distribution."""
        return self.target_vocabulary if self.settings.has_decoder else self.source_vocabulary

    @property
    def output_tokens(self) -> tuple[str, ...]:
        """The token read at each position that has an output distribution."""
        return self.target if self.settings.has_decoder else self.source

    @cached_property
    def config(self) -> Config:
        """The model's configuration; ``<pad>`` tokens are masked."""
        known = self.vocabulary
        sizes = len(known.source), len(known.target)
        pads = known.pad_id("source"), known.pad_id("target")
        return _config(self.settings, self.locked, sizes, pads)

    @property
    def learned_config(self) -> Config:
        """The configuration for training: the model's own vocabulary, dropout only if on."""
        own = self.own_vocabulary
        if own is None:
            raise ValueError("There are no data to train this model on.")
        sizes = len(own.source), len(own.target)
        pads = own.pad_id("source"), own.pad_id("target")
        return _config(self.settings, self.locked, sizes, pads, self.training)

    @property
    def structure_key(self) -> tuple[object, ...]:
        """A key that scenarios share if their passes have the same matrices with the same labels.

        Every field counts unless ``VALUES_ALONE`` names it.
        """
        found: tuple[object, ...] = _structure(self)
        return found

    @property
    def opened_model(self) -> tuple[object, ...]:
        """A key that scenarios of one opened model share, whatever its settings and numbers.

        Comparisons with an earlier scenario are made only within one opened model.
        """
        return self.model, self.locked, self.own_vocabulary, self.data

    @property
    def model_key(self) -> tuple[object, ...]:
        """A key that scenarios of one model share, whatever its text and numbers."""
        return *self.opened_model, self.settings

    @property
    def undrawn(self) -> Self:
        """The scenario without its drawing options; equal for scenarios with equal passes."""
        return dataclasses.replace(self, view=_VIEW)

    def has_numbers_of(self, other: Choices) -> bool:
        """Return whether everything but the drawing options is equal, and therefore the pass."""
        return self is other or _numbers(self) == _numbers(other)

    def ids(self, side: Side) -> list[int]:
        """Return the token ids of one side."""
        return self.vocabulary.ids(side, self.source if side == "source" else self.target)

    def shown_ids(self, side: Side) -> list[int]:
        """Return the token ids of one side as the page shows them."""
        tokens = self.source if side == "source" else self.target
        return shown_ids(self.model, side, tokens, self.ids(side))

    @property
    def inputs(self) -> tuple[list[int] | None, list[int] | None]:
        """The source ids and the target ids of a pass; None for a stack that the model lacks."""
        settings = self.settings
        return (
            self.ids("source") if settings.has_encoder else None,
            self.ids("target") if settings.has_decoder else None,
        )

    @property
    def next_token(self) -> str:
        """The correct token after the target or in the blank: the expected word or end token."""
        known = self.output_vocabulary
        candidates = (self.expected, self.vocabulary.end, EOS)
        return next((token for token in candidates if token in known), known[0])

    @property
    def label_tokens(self) -> tuple[str, ...]:
        """The correct token at each position of the output (teacher forcing, Section 5).

        With a decoder this is the next token of the target; an encoder-only model reproduces its
        input or, if it has blanks, has a label only for the first blank.
        """
        if not self.settings.has_decoder:
            at, pad = self.blank, self.vocabulary.pad or ""
            if at is None or self.vocabulary.row("source", pad) is None:
                return self.source
            return tuple(self.next_token if n == at else pad for n in range(len(self.source)))
        end = len(self.target)
        if self.vocabulary.pad_id("target") is not None:
            while end > 1 and self.target[end - 1] == self.vocabulary.pad:
                end -= 1
        return (*self.target[1:end], self.next_token, *self.target[end:])

    @property
    def blank(self) -> int | None:
        """The position of the first blank that an encoder-only model reads; None without one."""
        if self.settings.has_decoder:
            return None
        blank = self.blank_token
        return next((n for n, token in enumerate(self.source) if token == blank), None)

    @property
    def blank_token(self) -> str | None:
        """The blank token; None if the model has none."""
        own = () if self.data is None else (self.data.blank,)
        known = self.source_vocabulary
        return next((token for token in (*BLANK_TOKENS, *own) if token in known), None)

    @property
    def first_side(self) -> Side:
        """The source or, in a model without an encoder, the target."""
        return "source" if self.settings.encoder_layers else "target"

    def labels(self) -> list[int]:
        """Return the ids of the label tokens, which are columns of the probabilities."""
        side: Side = "target" if self.settings.has_decoder else "source"
        return self.vocabulary.ids(side, self.label_tokens)

    @property
    def asked(self) -> dict[int, int]:
        """Position -> the id of its correct next token, for all positions but padding."""
        pad = self.vocabulary.pad
        right = enumerate(zip(self.label_tokens, self.labels(), strict=True))
        return {at: row for at, (token, row) in right if token != pad}

    @property
    def open_labels(self) -> frozenset[int]:
        """The positions whose correct token can be replaced; none if the output is the input."""
        if not self.settings.has_decoder:
            return frozenset() if self.blank is None else frozenset({self.blank})
        return frozenset(self.asked)

    def vocabulary_of(self, path: str) -> tuple[str, ...]:
        """Return the tokens along the vocabulary axis of a stored tensor such as ``source.W_e``."""
        return self.vocabulary.tokens(side_of(path, self.settings.has_decoder))

    @property
    def axis_tokens(self) -> AxisTokens:
        """The tokens that label the rows and columns of this scenario's matrices."""
        has_decoder = self.settings.has_decoder
        tokens = self.source, self.target, self.label_tokens, self.vocabulary
        is_apart = self.training or not self.settings.causal_mask
        writes = None if self.writes_itself and is_apart else self.writes_itself
        return AxisTokens(*tokens, has_decoder, writes, self.model)

    @property
    def is_trained(self) -> bool:
        """Whether the weights were trained, here or elsewhere."""
        return self.weights is not None and self.own_vocabulary is not None

    @property
    def choices(self) -> TrainingChoices:
        """The present choices that training this model depends on."""
        return TrainingChoices(self.settings, self.recipe, self.training)

    @property
    def changed_since_training(self) -> str:
        """The differences from the trained model, apart from edits; empty if there are none.

        For example "positions sinusoidal → none" or "2 steps of gradient descent", joined by
        commas.
        """
        found: list[str] = []
        if self.trained_with is not None:
            found += self.settings.changes_from(self.trained_with.settings, NOT_COMPUTED)
        if self.descents and self.steps_taken:
            s = "" if self.descents == 1 else "s"
            found.append(f"{self.descents:,} step{s} of gradient descent")
        return ", ".join(found)

    @property
    def can_write(self) -> bool:
        """Whether the model can generate text: it translates and has start and end tokens."""
        known = self.vocabulary
        has_both = self.settings.has_encoder and self.settings.has_decoder
        return has_both and {known.start, known.end} <= set(known.target)

    def _next(self, **changes: Any) -> Self:
        """Return a copy with changes that affect the pass; dropout masks are new unless kept."""
        if self.training and not self.keep_masks:
            changes["mask_seed"] = self.mask_seed + 1
        return dataclasses.replace(self, **changes)


_FIELDS = tuple(each.name for each in dataclasses.fields(Choices))
_structure = operator.attrgetter(*(name for name in _FIELDS if name not in VALUES_ALONE))
# Fields that the numbers depend on, those that differ most often first.
_FIRST = ("edits", "weights")
_numbers = operator.attrgetter(
    *_FIRST, *(name for name in _FIELDS if name not in (*_FIRST, "view", "trained_with"))
)


@functools.lru_cache(maxsize=64)  # called often with arguments that edits do not change
def _config(
    settings: ModelSettings,
    locked: LockedSizes,
    sizes: tuple[int, int],
    pads: tuple[int | None, int | None],
    with_dropout: bool = True,
) -> Config:
    config = settings.config(
        *sizes,
        source_pad=pads[0],
        target_pad=pads[1],
        share_embeddings=locked.share_embeddings,
        epsilon=locked.epsilon,
        max_positions=locked.max_positions,
    )
    return config if with_dropout else dataclasses.replace(config, dropout=DropoutRates())
