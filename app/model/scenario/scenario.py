"""Everything the user chose, in one frozen value; it holds no computed numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from typing import Any

from ...typed_text import quoted
from .descent_settings import DescentSettings
from .edited_choices import EditedChoices
from .edits import NO_EDITS, Edit, frozen
from .model_settings import ModelSettings
from .recipe_settings import RecipeSettings
from .tokens import checked_tokens
from .view_settings import ViewSettings
from .vocabulary import Side
from .weights import Weights


class Scenario(EditedChoices):
    """The tokens, settings, edits, dropout masks and view that the user chose.

    A scenario is immutable: every method that changes something returns a new one. Each change that
    a user can make has a method here that checks the change, so that no invalid scenario exists.
    """

    def with_tokens(self, side: Side, tokens: Iterable[str]) -> Scenario:
        """Replace the tokens of one side.

        Raises:
            ValueError: there are no tokens or too many, or a token is too long or unknown to the
                model; one sentence names the limit.
        """
        new = self.vocabulary.checked(side, tokens)
        if self.settings.positions == "learned" and len(new) > self.locked.max_positions:
            most = self.locked.max_positions
            raise ValueError(f"The model has learned {most} positions, and these are {len(new)}.")
        if side == "target":
            return self._next(target=new, writes_itself=False)
        return self._next(source=new)

    def with_written(self, tokens: tuple[str, ...]) -> Scenario:
        """Replace the target with what the model wrote, keeping the dropout masks."""
        return dataclasses.replace(self, target=tokens)

    def with_writing(self, on: bool) -> Scenario:
        """Choose whether the model writes the target itself; ``ValueError`` if it cannot."""
        if on and not self.can_write:
            raise ValueError(
                "Only a model with an encoder, a decoder, a start and an end token can write "
                "its target. A decoder alone continues its text in How it writes."
            )
        return dataclasses.replace(self, writes_itself=bool(on))

    @property
    def as_trained(self) -> Scenario:
        """This scenario with the choices that its weights were trained with."""
        was = self.trained_with
        if was is None:
            return self
        return dataclasses.replace(self, **was._asdict(), trained_with=None)

    def with_answers(self, tokens: Iterable[str]) -> Scenario:
        """Replace the target vocabulary; a repeated word is kept once."""
        answers = tuple(dict.fromkeys(checked_tokens(tokens, "vocabulary")))
        return self._next(answers=answers)._writing_if_it_can()

    def with_expected(self, word: str) -> Scenario:
        """Replace the word that should follow the target."""
        if word not in self.output_vocabulary:
            side = "target" if self.settings.has_decoder else "source"
            raise ValueError(f"{quoted(word[:24])} is not in the {side} vocabulary.")
        return self._next(expected=word)

    def with_label(self, position: int, word: str) -> Scenario:
        """Replace the correct token at a position of the output.

        With a decoder this is the next token of the target, which the model then no longer writes;
        the end token cuts the target off. The last label is the expected word.

        Raises:
            ValueError: nothing can be chosen there, or the word is not in the vocabulary.
        """
        if position not in self.open_labels:
            raise ValueError("No word can be chosen there.")
        if not self.settings.has_decoder or position == max(self.asked):
            new = self.with_expected(word)
            # If the model wrote the target itself, it would overwrite the change.
            return dataclasses.replace(new, writes_itself=False)
        before, after = self.target[: position + 1], self.target[position + 2 :]
        if word == self.vocabulary.end:
            return self.with_tokens("target", before).with_expected(word)
        return self.with_tokens("target", (*before, word, *after))

    def with_setting(self, name: str, raw: Any) -> Scenario:
        """Replace one setting; ``raw`` may be typed text."""
        return self.with_settings(self.settings.changed(name, raw))

    def with_settings(self, settings: ModelSettings) -> Scenario:
        """Replace the settings, keeping edits of parameters whose shape stays the same.

        Weights from a file are kept while they fit and the seed is unchanged. A model with locked
        sizes keeps its sizes.

        Raises:
            ValueError: one sentence that names the limit.
        """
        new = self._next(settings=settings)._writing_if_it_can()
        other_seed = settings.seed != self.settings.seed
        config = new.config  # raises if the settings contradict one another
        if self.locked.why:
            of_weights = other_seed and self.weights is not None
            if of_weights or config.parameter_shapes() != self.config.parameter_shapes():
                raise ValueError(self.locked.why)
        elif other_seed:
            return new.with_weights(None)
        if self.weights and self.weights.mismatches(config):
            new = new.trained(None, 0)
        kept = {e: x for e, x in self.edits.items() if new.shape(e.path) == self.shape(e.path)}
        there = tuple(each for each in self.silences if new.has_part(each))
        new = dataclasses.replace(new, edits=frozen(kept), silences=there)
        return new.after_choices_of(self)

    def with_recipe(self, recipe: RecipeSettings) -> Scenario:
        """Replace the training recipe."""
        return dataclasses.replace(self, recipe=recipe).after_choices_of(self)

    def trained(
        self, weights: Weights | None, steps: int, without: Collection[Edit] = ()
    ) -> Scenario:
        """Return the model after some training steps; ``weights`` is None before the first step.

        The edits in ``without`` are removed; all others stay.
        """
        edits = self.edits
        if without:
            edits = frozen({edit: x for edit, x in edits.items() if edit not in without})
        return dataclasses.replace(
            self, weights=weights, steps_taken=steps, trained_with=None, descents=0, edits=edits
        )

    def with_descent(self, descent: DescentSettings) -> Scenario:
        """Replace the settings of gradient descent."""
        return dataclasses.replace(self, descent=descent)

    def descended(self, weights: Weights) -> Scenario:
        """Return the model after one more step of gradient descent on the text; edits stay."""
        return self._next(weights=weights, descents=self.descents + 1)

    def with_weights(self, weights: Weights | None) -> Scenario:
        """Replace the weights, by those of the seed if ``weights`` is None, and undo all edits.

        Raises:
            ValueError: their shapes do not match the settings, or the model is fixed to its
                weights.
        """
        if weights is None and self.weights and self.locked.why:
            raise ValueError(self.locked.why)
        if weights and (wrong := weights.mismatches(self.config)):
            raise ValueError(f"The weights do not fit: {'; '.join(wrong)}.")
        return dataclasses.replace(self.trained(weights, 0), edits=NO_EDITS, silences=())

    def with_training(self, on: bool) -> Scenario:
        """Turn dropout on or off."""
        if bool(on) == self.training:
            return self
        return dataclasses.replace(self, training=bool(on)).after_choices_of(self)

    def with_keep_masks(self, keep: bool) -> Scenario:
        """Choose whether later changes keep the dropout masks."""
        return dataclasses.replace(self, keep_masks=bool(keep))

    def resampled(self) -> Scenario:
        """Draw new dropout masks."""
        return dataclasses.replace(self, mask_seed=self.mask_seed + 1)

    def with_view(self, name: str, value: str | bool) -> Scenario:
        """Replace one view setting, such as palette, scale or notation."""
        return self.with_view_settings(self.view.changed(name, value))

    def with_view_settings(self, view: ViewSettings) -> Scenario:
        """Replace the view settings."""
        return dataclasses.replace(self, view=view)

    def after_choices_of(self, before: Scenario) -> Scenario:
        """Record how this scenario's weights, taken over from ``before``, were trained."""
        was = before.trained_with or before.choices
        is_kept = self.weights is not None and self.steps_taken and was != self.choices
        return dataclasses.replace(self, trained_with=was if is_kept else None)

    def _writing_if_it_can(self) -> Scenario:
        stops = self.writes_itself and not self.can_write
        return dataclasses.replace(self, writes_itself=False) if stops else self
