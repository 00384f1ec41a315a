"""All that the visitor chose, in one frozen value. Pure: no panel, nothing computed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from app.settings import LIMITS, VALUE_LIMIT, Settings
from transformer_math import Config
from transformer_math.tensor import split_head

Side = Literal["source", "target"]

SOS, EOS, PAD = "<sos>", "<eos>", "<pad>"

# A cell's place as it is remembered: rows and columns that belong to a token are kept by the
# token, so that an edit stays with its token when the vocabulary around it changes.
Place = tuple[int | str, ...]

TOKEN_AXIS = {"W_e": 0, "W_out": 1, "b_out": 0}


@dataclass(frozen=True, slots=True)
class Edit:
    """One cell set by hand."""

    path: str
    place: Place


@dataclass(frozen=True, slots=True)
class View:
    """How matrices are drawn."""

    palette: str = "blue-red"
    scale: str = "fixed"
    numbers: str = "scientific"


VIEW_CHOICES = {
    "palette": ("blue-red", "safe"),
    "scale": ("fixed", "matrix"),
    "numbers": ("scientific", "decimal"),
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """The tokens, the settings, what was edited, the masks and the view.

    Every method gives a new scenario and leaves this one as it is.

    Attributes:
        answers: words that the model may answer with, beside those of the target.
        edits: cell -> the value it was set to.
        training: whether dropout is on.
        mask_seed: which dropout masks are drawn.
        keep_masks: whether a change keeps the masks, or draws new ones as a training step does.
    """

    source: tuple[str, ...] = ("the", "cat", "sat", "on", "the", "mat")
    target: tuple[str, ...] = (SOS, "le", "chat")
    answers: tuple[str, ...] = (SOS, EOS, "le", "chat", "est", "assis", "sur", "tapis")
    settings: Settings = field(default_factory=Settings)
    edits: Mapping[Edit, float] = field(default_factory=lambda: MappingProxyType({}))
    training: bool = False
    mask_seed: int = 1
    keep_masks: bool = True
    view: View = field(default_factory=View)

    # -- what follows from the choices at once -----------------------------------------------

    @property
    def source_vocabulary(self) -> tuple[str, ...]:
        """The distinct tokens of the source, in order of appearance."""
        return tuple(dict.fromkeys(self.source))

    @property
    def target_vocabulary(self) -> tuple[str, ...]:
        """The words to answer with, then those that only the target has."""
        return tuple(dict.fromkeys((*self.answers, *self.target)))

    @property
    def output_vocabulary(self) -> tuple[str, ...]:
        """The words which the probabilities run over."""
        return self.target_vocabulary if self.settings.decoder_layers else self.source_vocabulary

    @property
    def config(self) -> Config:
        """The configuration of the model; padding is masked where a token is ``<pad>``."""
        source, target = self.source_vocabulary, self.target_vocabulary
        return self.settings.config(
            len(source),
            len(target),
            source_pad=source.index(PAD) if PAD in source else None,
            target_pad=target.index(PAD) if PAD in target else None,
        )

    def vocabulary_of(self, path: str) -> tuple[str, ...]:
        """The tokens along the token axis of a parameter such as ``source.W_e``."""
        if path == "source.W_e":
            return self.source_vocabulary
        if path == "target.W_e":
            return self.target_vocabulary
        return self.output_vocabulary

    # -- changes -----------------------------------------------------------------------------

    def with_tokens(self, side: Side, tokens: Iterable[str]) -> Scenario:
        """Other tokens on one side.

        Raises:
            ValueError: too many, too long, or none; one sentence that names the limit.
        """
        new = _checked_tokens(tokens, side)
        return self._next(**{side: new})

    def with_answers(self, tokens: Iterable[str]) -> Scenario:
        """Other words to answer with; each counts once.

        Raises:
            ValueError: as for ``with_tokens``.
        """
        return self._next(answers=tuple(dict.fromkeys(_checked_tokens(tokens, "vocabulary"))))

    def with_setting(self, name: str, raw: Any) -> Scenario:
        """One setting replaced. Edits stay where the parameter keeps its shape.

        Raises:
            ValueError: one sentence that names the limit.
        """
        settings = self.settings.changed(name, raw)
        new = self._next(settings=settings)
        config = new.config  # checks that the settings fit one another
        if name == "seed":
            return dataclasses.replace(new, edits=MappingProxyType({}))
        before, after = self.config.parameter_shapes(), config.parameter_shapes()
        kept = {e: x for e, x in self.edits.items() if after.get(e.path) == before.get(e.path)}
        return dataclasses.replace(new, edits=MappingProxyType(kept))

    def with_value(self, path: str, index: tuple[int, ...], value: Any) -> Scenario:
        """One editable cell set to a number; ``value`` may be the text that was typed.

        Raises:
            ValueError: not a finite number within the limit, or no such editable cell.
        """
        edit = self.edit_at(path, index)
        return self._next(edits=MappingProxyType({**self.edits, edit: checked_value(value)}))

    def without_value(self, path: str, index: tuple[int, ...]) -> Scenario:
        """One cell back to what it was."""
        edit = self.edit_at(path, index)
        return self._next(
            edits=MappingProxyType({e: x for e, x in self.edits.items() if e != edit})
        )

    def without_edits(self) -> Scenario:
        """Every cell back to what it was."""
        return self._next(edits=MappingProxyType({}))

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
        if value not in VIEW_CHOICES.get(name, ()):
            raise ValueError(f"The {name} of the view cannot be {value!r}.")
        return dataclasses.replace(self, view=dataclasses.replace(self.view, **{name: value}))

    def _next(self, **changes: Any) -> Scenario:
        """A change of what is computed: without kept masks it draws new ones."""
        if self.training and not self.keep_masks:
            changes["mask_seed"] = self.mask_seed + 1
        return dataclasses.replace(self, **changes)

    # -- edits by place ----------------------------------------------------------------------

    def edit_at(self, path: str, index: tuple[int, ...]) -> Edit:
        """The edit that a cell of a parameter stands for.

        Raises:
            ValueError: the path is no parameter, or it has no such cell.
        """
        stored, head = split_head(path)
        shape = self.config.parameter_shapes().get(stored)
        if shape is None:
            raise ValueError(f"{path} is computed, not a parameter; it cannot be edited.")
        full = index if head is None else (head, *index)
        if len(full) != len(shape) or any(not 0 <= i < n for i, n in zip(full, shape, strict=True)):
            raise ValueError(f"{path} has no cell {index}.")
        place: list[int | str] = list(full)
        axis = TOKEN_AXIS.get(stored.rpartition(".")[2])
        if axis is not None:
            place[axis] = self.vocabulary_of(stored)[full[axis]]
        return Edit(stored, tuple(place))

    def overrides(self) -> dict[str, dict[tuple[int, ...], float]]:
        """The edits as the mathematics takes them; those of absent tokens rest."""
        shapes = self.config.parameter_shapes()
        found: dict[str, dict[tuple[int, ...], float]] = {}
        for edit, value in self.edits.items():
            index = self._index_of(edit)
            if edit.path in shapes and index is not None:
                found.setdefault(edit.path, {})[index] = value
        return found

    def _index_of(self, edit: Edit) -> tuple[int, ...] | None:
        vocabulary = self.vocabulary_of(edit.path)
        if any(isinstance(i, str) and i not in vocabulary for i in edit.place):
            return None
        return tuple(vocabulary.index(i) if isinstance(i, str) else i for i in edit.place)


def checked_value(raw: Any) -> float:
    """A finite number within the limit.

    Raises:
        ValueError: one sentence that names the limit.
    """
    try:
        value = float(str(raw).strip().replace("−", "-"))
    except ValueError:
        value = math.nan
    if not abs(value) <= VALUE_LIMIT:
        raise ValueError(f"Type a number from −{VALUE_LIMIT:g} to {VALUE_LIMIT:g}.")
    return value


def _checked_tokens(tokens: Iterable[str], what: str) -> tuple[str, ...]:
    new = tuple(str(token) for token in tokens)
    least, most = LIMITS["tokens"]
    longest = LIMITS["token_length"][1]
    if len(new) < least:
        raise ValueError(f"The {what} keeps at least {least} token.")
    if len(new) > most:
        raise ValueError(f"The {what} has room for {most} tokens, not {len(new)}.")
    for token in new:
        if len(token) > longest:
            raise ValueError(f"A token has at most {longest} characters, not {len(token)}.")
    return new
