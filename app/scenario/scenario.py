"""All that the user chose, in one frozen value; nothing computed."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from transformer_math import Config, DropoutRates
from transformer_math.data.tokenizer import EOS, SOS

from .axis_tokens import AxisTokens
from .edits import NO_EDITS, Axes, Edit, Edits, edit_of, frozen
from .limits import MAX_VALUE
from .locked_sizes import LockedSizes
from .matrix_address import MatrixAddress, matrix_address
from .model_names import SANDBOX
from .model_settings import ModelSettings
from .recipe_settings import RecipeSettings
from .silences import MAX_SILENCES, Silence, Silences, checked, part_shape
from .tensor_shapes import shape_of
from .tokens import checked_tokens, quoted
from .training_data import TrainingData
from .view_settings import ViewSettings
from .vocabulary import Side, Vocabulary, extended, open_vocabulary, side_of
from .weights import Weights

# Fields of a scenario that change numbers, or how they are drawn, but not which matrices there are
# nor what their rows and columns are called.
VALUES_ALONE = frozenset(
    {"edits", "mask_seed", "keep_masks", "view", "weights", "recipe", "steps_taken"}
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """The tokens, the settings, what was edited, the masks and the view.

    Every method gives a new scenario and leaves this one as it is.

    Attributes:
        answers: words that the model may answer with, beside those of the target.
        expected: the word that should follow the last one of the target.
        edits: cell -> the value it was set to.
        silences: the parts that are silenced, each once. A cell that was edited after is as edited.
        training: whether dropout is on.
        mask_seed: which dropout masks are drawn.
        keep_masks: whether a change keeps the masks, or draws new ones as a training step does.
        weights: those of a file or of a trained model; None where the seed gives them.
        own_vocabulary: the tokens that the model was made for; None if they are those of the text.
        model: which model was chosen, by its name (see ``model_names``).
        locked: what it has that no setting changes.
        data: what it is trained on; None if there is nothing.
        recipe: how it is trained.
        steps_taken: how many steps of the recipe its weights have taken. Without weights, as by a
            link: how many it is to take, to be as it was.
        writes_itself: whether the target is what the model writes, or what was typed.
    """

    source: tuple[str, ...] = ("the", "cat", "sat", "on", "the", "mat")
    target: tuple[str, ...] = (SOS, "le", "chat")
    answers: tuple[str, ...] = (SOS, EOS, "le", "chat", "est", "assis", "sur", "tapis")
    expected: str = EOS
    settings: ModelSettings = field(default_factory=ModelSettings)
    edits: Edits = field(default_factory=lambda: NO_EDITS)
    silences: Silences = ()
    training: bool = False
    mask_seed: int = 1
    keep_masks: bool = True
    view: ViewSettings = field(default_factory=ViewSettings)
    weights: Weights | None = None
    own_vocabulary: Vocabulary | None = None
    model: str = SANDBOX
    locked: LockedSizes = field(default_factory=LockedSizes)
    data: TrainingData | None = None
    recipe: RecipeSettings = field(default_factory=RecipeSettings)
    steps_taken: int = 0
    writes_itself: bool = False

    # -- what follows from the choices at once -----------------------------------------------

    @property
    def vocabulary(self) -> Vocabulary:
        """The model's own, and what else was typed; or the distinct tokens of the text."""
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
        """The words which the probabilities run over."""
        return self.target_vocabulary if self.settings.decoder_layers else self.source_vocabulary

    @property
    def config(self) -> Config:
        """The configuration of the model; padding is masked where a token is ``<pad>``."""
        known = self.vocabulary
        sizes = len(known.source), len(known.target)
        pads = known.pad_id("source"), known.pad_id("target")
        return _config(self.settings, self.locked, sizes, pads)

    @property
    def learned_config(self) -> Config:
        """The model that training knows: no rows but of its own vocabulary, dropout only if on.

        Raises:
            ValueError: it has no vocabulary of its own.
        """
        own = self.own_vocabulary
        if own is None:
            raise ValueError("This model has nothing to learn from.")
        sizes = len(own.source), len(own.target)
        pads = own.pad_id("source"), own.pad_id("target")
        return _config(self.settings, self.locked, sizes, pads, self.training)

    @property
    def structure_key(self) -> tuple[object, ...]:
        """Equal for scenarios whose passes have the same matrices with the same labels.

        Every field counts unless ``VALUES_ALONE`` names it.
        """
        fields = self.__dataclass_fields__
        return tuple(getattr(self, name) for name in fields if name not in VALUES_ALONE)

    def ids(self, side: Side) -> list[int]:
        """The tokens of one side as rows of its vocabulary."""
        return self.vocabulary.ids(side, self.source if side == "source" else self.target)

    @property
    def next_token(self) -> str:
        """The token that is right after the target: the expected one, else the end of a text."""
        known = self.target_vocabulary
        candidates = (self.expected, self.vocabulary.end, EOS)
        return next((token for token in candidates if token in known), known[0])

    @property
    def label_tokens(self) -> tuple[str, ...]:
        """The token that is right at each position of the output (teacher forcing, Section 5).

        Of a decoder it is the target's next token; an encoder alone is to give each token again.
        """
        if not self.settings.decoder_layers:
            return self.source
        end = len(self.target)
        if self.vocabulary.pad_id("target") is not None:
            while end > 1 and self.target[end - 1] == self.vocabulary.pad:
                end -= 1
        return (*self.target[1:end], self.next_token, *self.target[end:])

    def labels(self) -> list[int]:
        """The label tokens as columns of the probabilities."""
        side: Side = "target" if self.settings.decoder_layers else "source"
        return self.vocabulary.ids(side, self.label_tokens)

    @property
    def asked(self) -> dict[int, int]:
        """The positions at which a word is asked for, all but padding, with the right word's id."""
        pad = self.vocabulary.pad
        right = enumerate(zip(self.label_tokens, self.labels(), strict=True))
        return {at: row for at, (token, row) in right if token != pad}

    def vocabulary_of(self, path: str) -> tuple[str, ...]:
        """The tokens along the token axis of a stored tensor such as ``source.W_e``."""
        return self.vocabulary.tokens(side_of(path, bool(self.settings.decoder_layers)))

    @property
    def axis_tokens(self) -> AxisTokens:
        """What rows and columns that stand for tokens are called by."""
        has_decoder = bool(self.settings.decoder_layers)
        return AxisTokens(self.source, self.target, self.label_tokens, self.vocabulary, has_decoder)

    # -- changes -----------------------------------------------------------------------------

    def with_tokens(self, side: Side, tokens: Iterable[str]) -> Scenario:
        """Other tokens on one side.

        Raises:
            ValueError: too many, too long, none, or one that the model's own vocabulary does not
                have; one sentence that names the limit.
        """
        new = self.vocabulary.checked(side, tokens)
        if self.settings.positions == "learned" and len(new) > self.locked.max_positions:
            most = self.locked.max_positions
            raise ValueError(f"The model has learned {most} positions, and these are {len(new)}.")
        if side == "target":
            return self._next(target=new, writes_itself=False)
        return self._next(source=new)

    def with_written(self, tokens: tuple[str, ...]) -> Scenario:
        """The target as the model writes it; no masks are drawn for it."""
        return dataclasses.replace(self, target=tokens)

    def with_writing(self, on: bool) -> Scenario:
        """Whether the model writes the target itself.

        Raises:
            ValueError: it cannot: one sentence.
        """
        if on and not self.can_write:
            raise ValueError(
                "Only a model with an encoder, a decoder, a start and an end token can write."
            )
        return dataclasses.replace(self, writes_itself=bool(on))

    @property
    def is_trained(self) -> bool:
        """Whether its numbers were found by training, here or elsewhere."""
        return self.weights is not None and self.own_vocabulary is not None

    @property
    def can_write(self) -> bool:
        """Whether it translates, and knows where to start and to end."""
        known = self.vocabulary
        has_both = bool(self.settings.encoder_layers and self.settings.decoder_layers)
        return has_both and {known.start, known.end} <= set(known.target)

    def with_answers(self, tokens: Iterable[str]) -> Scenario:
        """Another target vocabulary; each word counts once.

        Raises:
            ValueError: as for ``with_tokens``.
        """
        answers = tuple(dict.fromkeys(checked_tokens(tokens, "vocabulary")))
        return self._next(answers=answers)._writing_if_it_can()

    def with_expected(self, word: str) -> Scenario:
        """Another word that should come after the target.

        Raises:
            ValueError: the model cannot answer with it.
        """
        if word not in self.target_vocabulary:
            raise ValueError(f"{quoted(word[:24])} is not in the target vocabulary.")
        return self._next(expected=word)

    def with_setting(self, name: str, raw: Any) -> Scenario:
        """One setting replaced; ``raw`` may be the text that was typed.

        Raises:
            ValueError: one sentence that names the limit.
        """
        return self.with_settings(self.settings.changed(name, raw))

    def with_settings(self, settings: ModelSettings) -> Scenario:
        """Other settings. Edits stay where the parameter keeps its shape.

        Weights of a file stay while they fit; another seed asks for its own. A model whose sizes
        are locked keeps them.

        Raises:
            ValueError: one sentence that names the limit.
        """
        new = self._next(settings=settings)._writing_if_it_can()
        other_seed = settings.seed != self.settings.seed
        config = new.config  # checks that the settings fit one another
        if self.locked.why:
            of_weights = other_seed and self.weights is not None
            if of_weights or config.parameter_shapes() != self.config.parameter_shapes():
                raise ValueError(self.locked.why)
        elif other_seed:
            return new.with_weights(None)
        if self.weights and self.weights.mismatches(config):
            new = dataclasses.replace(new, weights=None, steps_taken=0)
        kept = {e: x for e, x in self.edits.items() if new.shape(e.path) == self.shape(e.path)}
        there = tuple(each for each in self.silences if new.has_part(each))
        return dataclasses.replace(new, edits=frozen(kept), silences=there)

    def with_value(self, path: str, index: tuple[int, ...], value: Any) -> Scenario:
        """One cell set to a number; ``value`` may be the text that was typed.

        A parameter is edited; a computed cell is overridden, and what follows from it follows.

        Raises:
            ValueError: not a finite number within the limit, or no such cell.
        """
        return self.with_values(path, {index: value})

    def with_values(self, path: str, values: Mapping[tuple[int, ...], Any]) -> Scenario:
        """Several cells of one matrix set at once; see ``with_value``."""
        place = self._place(path)
        new = {place.edit(index): checked_value(x) for index, x in values.items()}
        return self._next(edits=frozen({**self.edits, **new}))

    def without_value(self, path: str, index: tuple[int, ...]) -> Scenario:
        """One cell back to what it was, or to what is computed there."""
        edit = self.edit_at(path, index)
        return self._next(edits=frozen({e: x for e, x in self.edits.items() if e != edit}))

    def without_row(self, path: str, row: int) -> Scenario:
        """Every cell of one row of a drawn matrix back to what it was."""
        matrix = matrix_address(path)
        place = (*matrix.front, row)
        kept = {
            edit: value
            for edit, value in self.edits.items()
            if edit.path != matrix.stored or edit.place[: len(place)] != place
        }
        return self._next(edits=frozen(kept))

    def without_matrix(self, path: str) -> Scenario:
        """Every cell of one drawn matrix back to what it was."""
        matrix = matrix_address(path)
        front = matrix.front
        kept = {
            edit: value
            for edit, value in self.edits.items()
            if edit.path != matrix.stored or edit.place[: len(front)] != front
        }
        return self._next(edits=frozen(kept))

    def without_overrides(self) -> Scenario:
        """Every computed cell released, silenced parts too; edited parameters stay."""
        kept = {e: x for e, x in self.edits.items() if self.is_parameter(e.path)}
        return self._next(edits=frozen(kept), silences=())

    def with_silence(self, silence: Silence) -> Scenario:
        """A part silenced; what was set in it, or silenced of it, before gives way.

        Raises:
            ValueError: there is no such part, or too many are silenced; one sentence.
        """
        checked(silence, self.part_shape(silence.path))
        matrix = silence.matrix
        front = matrix.front

        def covers(edit: Edit) -> bool:
            if edit.path != matrix.stored or edit.place[: len(front)] != front:
                return False
            row, column = (int(at) for at in edit.place[-2:])
            return silence.covers(silence.path, row, column)

        edits = {edit: x for edit, x in self.edits.items() if not covers(edit)}
        others = tuple(each for each in self.silences if not silence.covers(*each.part))
        if len(others) == MAX_SILENCES:
            raise ValueError(f"At most {MAX_SILENCES} parts can be silenced.")
        return self._next(edits=frozen(edits), silences=(*others, silence))

    def without_silence(self, path: str, row: int | None, column: int | None) -> Scenario:
        """A part that was silenced is computed again."""
        kept = tuple(each for each in self.silences if each.part != (path, row, column))
        return self._next(silences=kept)

    def with_recipe(self, recipe: RecipeSettings) -> Scenario:
        """To be trained in another way."""
        return dataclasses.replace(self, recipe=recipe)

    def trained(self, weights: Weights | None, steps: int) -> Scenario:
        """The model after so many steps; with None as it was before the first one.

        Edits stay: training holds the numbers that were set.
        """
        return dataclasses.replace(self, weights=weights, steps_taken=steps)

    def with_weights(self, weights: Weights | None) -> Scenario:
        """The weights of a file, or with None those of the seed again; no edits.

        Raises:
            ValueError: they are not of the shapes that the settings ask for, or the model is its
                weights.
        """
        if weights is None and self.weights and self.locked.why:
            raise ValueError(self.locked.why)
        if weights and (wrong := weights.mismatches(self.config)):
            raise ValueError(f"The weights do not fit: {'; '.join(wrong)}.")
        return dataclasses.replace(
            self, weights=weights, edits=NO_EDITS, silences=(), steps_taken=0
        )

    def without_edits(self) -> Scenario:
        """Every cell back to what it was."""
        return self._next(edits=NO_EDITS, silences=())

    def with_training(self, on: bool) -> Scenario:
        """Dropout on or off."""
        return dataclasses.replace(self, training=bool(on))

    def with_keep_masks(self, keep: bool) -> Scenario:
        """Whether later changes keep the masks."""
        return dataclasses.replace(self, keep_masks=bool(keep))

    def resampled(self) -> Scenario:
        """New dropout masks."""
        return dataclasses.replace(self, mask_seed=self.mask_seed + 1)

    def with_view(self, name: str, value: str) -> Scenario:
        """Another palette, scale or notation.

        Raises:
            ValueError: there is no such choice.
        """
        return self.with_view_settings(self.view.changed(name, value))

    def with_view_settings(self, view: ViewSettings) -> Scenario:
        """Drawn in another way."""
        return dataclasses.replace(self, view=view)

    def _writing_if_it_can(self) -> Scenario:
        stops = self.writes_itself and not self.can_write
        return dataclasses.replace(self, writes_itself=False) if stops else self

    def _next(self, **changes: Any) -> Scenario:
        """A change of what is computed: without kept masks it draws new ones."""
        if self.training and not self.keep_masks:
            changes["mask_seed"] = self.mask_seed + 1
        return dataclasses.replace(self, **changes)

    # -- edited cells -------------------------------------------------------------------------

    def shape(self, path: str) -> tuple[int, ...] | None:
        """The shape of a stored tensor of real numbers in this scenario's pass; None if none is."""
        return shape_of(self.config, len(self.source), len(self.target), path)

    def part_shape(self, path: str) -> tuple[int, int] | None:
        """Rows and columns of what can be silenced at a path; None where nothing can."""
        return part_shape(self.config, len(self.source), len(self.target), path)

    def has_part(self, silence: Silence) -> bool:
        """Whether the model has what is silenced, if perhaps not this text."""
        try:
            checked(silence, self.part_shape(silence.path))
        except ValueError:
            return False
        return True

    def can_be_set(self, path: str) -> bool:
        """Whether a matrix has numbers that can be set: real ones, given or computed."""
        return self.shape(matrix_address(path).stored) is not None

    def is_parameter(self, path: str) -> bool:
        """Whether a matrix, or one head of it, is a parameter and not computed."""
        return matrix_address(path).stored in self.config.parameter_shapes()

    def edit_at(self, path: str, index: tuple[int, ...]) -> Edit:
        """The edit that a cell stands for.

        Raises:
            ValueError: there is no such tensor to set, or it has no such cell.
        """
        return self._place(path).edit(index)

    def _place(self, path: str) -> _Place:
        """Where cells of a matrix are: looked up once for all of them."""
        matrix = matrix_address(path)
        shape = self.shape(matrix.stored)
        if shape is None:
            raise ValueError(f"{path} has no numbers that can be set.")
        return _Place(matrix, shape, self.vocabulary_of(matrix.stored))

    def overrides(self) -> dict[str, dict[tuple[int, ...], float]]:
        """The edits as the mathematics takes them; those of absent tokens or places rest."""
        found: dict[str, dict[tuple[int, ...], float]] = {}
        axes: dict[str, Axes] = {}
        for edit, value in self.edits.items():
            path = edit.path
            if path not in axes:
                axes[path] = Axes(path, self.shape(path), self.vocabulary_of(path))
            index = axes[path].index(edit.place)
            if index is not None:
                found.setdefault(path, {})[index] = value
        return found


class _Place(NamedTuple):
    """The matrix that edits are of."""

    matrix: MatrixAddress
    shape: tuple[int, ...]
    vocabulary: tuple[str, ...]

    def edit(self, index: tuple[int, ...]) -> Edit:
        """The edit that a cell stands for.

        Raises:
            ValueError: it has no such cell.
        """
        full = (*self.matrix.front, *index)
        fits = len(full) == len(self.shape)
        if not fits or any(not 0 <= i < n for i, n in zip(full, self.shape, strict=True)):
            raise ValueError(f"{self.matrix.path} has no cell {index}.")
        return edit_of(self.matrix.stored, full, self.vocabulary)


@functools.lru_cache(maxsize=64)  # asked for many times of each scenario, and edits change none
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


def checked_value(raw: Any) -> float:
    """A finite number within the limit.

    Raises:
        ValueError: one sentence that names the limit.
    """
    try:
        value = float(str(raw).strip().replace("−", "-").replace(",", "."))
    except ValueError:
        value = math.nan
    if not abs(value) <= MAX_VALUE:
        raise ValueError(f"Type a number from −{MAX_VALUE:g} to {MAX_VALUE:g}.")
    return value + 0.0  # −0 is 0
