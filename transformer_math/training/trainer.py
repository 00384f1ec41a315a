"""Training by teacher forcing (Sections 3.1 and 5): an iterator that yields after each step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from transformer_math.checks import check_whole, plain
from transformer_math.config import Config, DropoutRates
from transformer_math.data.pairs import Pairs
from transformer_math.graph.backward import LOSS, BackwardPass
from transformer_math.graph.replay import drop_values, recompute
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.loss import Labels
from transformer_math.ops.tensor import Index, check_cell
from transformer_math.training import run_file
from transformer_math.training.optimizer import Adam, AdamState, clip_gradient
from transformer_math.training.parameter_vector import ParameterVector
from transformer_math.training.recipe import Recipe
from transformer_math.training.run_file import SavedRun

MapShards = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

# What overflows is reported by ``Diverged``.
_QUIET = np.errstate(over="ignore", invalid="ignore", divide="ignore")


class Progress(NamedTuple):
    """One step that was taken.

    Attributes:
        step: its number, from 1.
        loss: the mean cross-entropy of its batch, before the step.
        learning_rate: that of the step.
        norm: the gradient's norm, before it was clipped.
        tokens_per_second: tokens of the target that counted, by the time the step took.
        seconds: the time the step took.
    """

    step: int
    loss: float
    learning_rate: float
    norm: float
    tokens_per_second: float
    seconds: float


class _Pass(NamedTuple):
    """A pass that can be recomputed with leaves of the same shapes, and the way back through it.

    Attributes:
        shapes: of the leaves that come from a batch.
        trace: without its values.
        backward: for the gradients of all parameters.
    """

    shapes: dict[str, tuple[int, ...]]
    trace: Trace
    backward: BackwardPass


class _InTraining(Transformer):
    """A model whose parameters change, and whose passes keep those of the moment of the pass."""

    def _of_a_pass(self) -> Mapping[str, np.ndarray]:
        vector = ParameterVector(self.parameters)
        vector.flat.flags.writeable = False
        return vector.views(vector.flat)


class Diverged(ArithmeticError):
    """A step in which a number was no longer finite; the parameters are the last good ones.

    Attributes:
        step: the step that was not taken.
        what: what became NaN or infinite.
    """

    def __init__(self, step: int, what: str) -> None:
        super().__init__(
            f"Training stopped at step {step:,}: {what} is no longer a finite number. "
            "The parameters are those of the last good step."
        )
        self.step = step
        self.what = what


class Trainer:
    """Trains a model on pairs, one step at each ``next``.

    It can be left at any step and gone on with, here or after ``save`` and ``load``: on one
    machine the numbers are bit for bit those of a run that was never stopped, for what a step
    draws depends on the seed and its number alone.

    Attributes:
        model: the model in training; its parameters change with each step.
        pairs: what is trained on.
        recipe: how.
        step: how many steps were taken.
    """

    def __init__(
        self,
        model: Transformer,
        pairs: Pairs,
        recipe: Recipe | None = None,
        *,
        shards: int = 1,
        map_shards: MapShards = map,
    ) -> None:
        """A trainer for a copy of the model.

        Args:
            model: where to start from; it is not changed.
            pairs: what to train on.
            recipe: how; that of the date translator unless given.
            shards: into how many parts a batch is cut.
            map_shards: runs a function on each shard, as ``map`` does; that of a pool of
                threads runs them at the same time, as NumPy lets other threads work.

        Raises:
            ValueError: the model has no decoder or no encoder, another vocabulary or padding
                than the pairs, or too few learned positions; or there are no shards.
        """
        _check_fit(model.config, pairs)
        shards = plain(shards)
        check_whole("shards", shards, 1)
        self.pairs = pairs
        self.recipe = recipe or Recipe()
        self._vector = ParameterVector(model.parameters)
        self.model: Transformer = _InTraining(model.config, self._vector.arrays, shared=True)
        self._live = Transformer(model.config, self._vector.arrays, shared=True)
        self._adam = Adam(
            self._vector.flat, self.recipe.beta_1, self.recipe.beta_2, self.recipe.epsilon
        )
        self._good = self._vector.flat.copy()
        self._has_dropout = model.config.dropout != DropoutRates()
        self._gradients = [ParameterVector(model.parameters) for _ in range(shards)]
        self._passes: dict[int, _Pass] = {}  # of each shard, to be recomputed
        self._learning_rates = self.recipe.learning_rate_schedule(model.config.d_model)
        self._shards = shards
        self._side_by_side = map_shards

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self._adam.steps

    def __iter__(self) -> Iterator[Progress]:
        return self

    @_QUIET
    def __next__(self) -> Progress:
        """Take a step.

        Raises:
            StopIteration: the recipe's steps are taken.
            Diverged: the loss or the gradient is not finite; nothing was changed but that the
                parameters went back to the last ones that gave a finite loss and gradient.
        """
        step = self.step + 1
        if step > self.recipe.steps:
            raise StopIteration
        start = time.perf_counter()
        source, target = self.pairs.batch(step, self.recipe.batch, self.recipe.seed)
        loss, gradient, count = self._loss_and_gradient(step, source, target)
        norm = _norm(gradient, self.recipe.clip)
        for what, value in (("the loss", loss), ("the gradient's norm", norm)):
            if not math.isfinite(value):
                self._vector.flat[...] = self._good
                raise Diverged(step, what)
        self._good[...] = self._vector.flat
        learning_rate = self._learning_rates(step)
        self._adam.step(self._vector.flat, gradient, learning_rate)
        seconds = time.perf_counter() - start
        return Progress(step, loss, learning_rate, norm, count / seconds, seconds)

    def parameters(self) -> dict[str, np.ndarray]:
        """A copy of the parameters as they are now."""
        return self._vector.views(self._vector.flat.copy())

    def set_cell(self, path: str, index: Index | int, value: float) -> None:
        """Set one number of the model; the next step goes on from it.

        Raises:
            ValueError: there is no such parameter or no such cell in it.
        """
        array = self._vector.arrays.get(path)
        if array is None:
            raise ValueError(f"The model has no parameter {path}.")
        check_cell(path, array.shape, index)
        array[index] = value

    # -- a step --------------------------------------------------------------------------------

    def _loss_and_gradient(
        self, step: int, source: np.ndarray, target: np.ndarray
    ) -> tuple[float, np.ndarray, int]:
        """The loss of a batch, its gradient as one vector, and how many tokens counted."""
        count = self._counted(target[:, 1:])
        shards = min(self._shards, len(source))

        def run(shard: int) -> tuple[float, np.ndarray]:
            rows = slice(shard * len(source) // shards, (shard + 1) * len(source) // shards)
            return self._shard(shard, step * shards + shard, source[rows], target[rows], count)

        losses, flats = zip(*self._side_by_side(run, range(shards)), strict=True)
        gradient = flats[0]
        for flat in flats[1:]:
            gradient += flat
        return float(sum(losses)), gradient, count

    @_QUIET  # here again, for a thread of a pool has settings of its own
    def _shard(
        self, shard: int, draw: int, source: np.ndarray, target: np.ndarray, count: int
    ) -> tuple[float, np.ndarray]:
        """What a shard of a batch adds to the loss and to the gradient.

        Teacher forcing: the decoder reads the right tokens up to each position, whatever it
        would have written itself, and is asked for the next.
        """
        ids = target[:, 1:]
        labels = Labels(ids, self.recipe.smoothing, self.recipe.smoothing_form)
        trace, backward = self._trace(shard, draw, source, target[:, :-1], labels)
        loss = trace[LOSS].value
        mine = self._counted(ids) / max(count, 1)
        found = backward.gradients(np.full_like(loss, mine))
        drop_values(trace)
        return float(loss) * mine, self._gradients[shard].write(found)

    def _trace(
        self, shard: int, draw: int, source: np.ndarray, target: np.ndarray, labels: Labels
    ) -> tuple[Trace, BackwardPass]:
        """A pass and the way back through it: that of the step before, if only its ids differ.

        Dropout draws a mask for each step, which an op holds, so that its pass is made anew.
        """
        given = self._live.given(source, target, labels)
        shapes = {path: array.shape for path, array in given.items()}
        before = self._passes.get(shard)
        if before is not None and before.shapes == shapes:
            recompute(before.trace, given)
            return before.trace, before.backward
        trace = self._live(
            source,
            target,
            training=self._has_dropout,
            seed=(self.recipe.seed << 40) + draw,
            labels=labels,
            with_probabilities=False,
        )
        backward = BackwardPass(trace, self.model.parameters)
        if not self._has_dropout:
            self._passes[shard] = _Pass(shapes, trace, backward)
        return trace, backward

    def _counted(self, labels: np.ndarray) -> int:
        """How many labels are no padding."""
        return int(np.count_nonzero(labels != self.pairs.target_tokenizer.pad))

    # -- saving --------------------------------------------------------------------------------

    def save(self) -> bytes:
        """All that the next steps depend on, but the pairs, as a safetensors file."""
        step, m, v = self._adam.state()
        views = self._vector.views
        return run_file.save_run(
            SavedRun(self.model.config, self.recipe, step, self._vector.arrays, views(m), views(v))
        )

    @classmethod
    def load(
        cls, data: bytes, pairs: Pairs, *, shards: int = 1, map_shards: MapShards = map
    ) -> Trainer:
        """A trainer that goes on where ``save`` was called.

        Raises:
            ValueError: the file is damaged or of something else, or the pairs do not fit it.
        """
        run = run_file.load_run(data)
        model = Transformer(run.config, run.parameters)
        trainer = cls(model, pairs, run.recipe, shards=shards, map_shards=map_shards)
        trainer.go_on_from(run.step, run.m, run.v)
        return trainer

    def means(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Copies of Adam's running means, of the gradient and of its square: path -> array."""
        _, m, v = self._adam.state()
        return self._vector.views(m), self._vector.views(v)

    def go_on_from(
        self, step: int, m: Mapping[str, np.ndarray], v: Mapping[str, np.ndarray]
    ) -> None:
        """Go on from a step with what ``means`` gave after it.

        Raises:
            ValueError: these are not the means of this model's parameters.
        """
        gather = self._vector.gather
        self._adam.load(AdamState(step, gather(m), gather(v)))


def config_for(pairs: Pairs, preset: str = "dates", **settings: Any) -> Config:
    """The preset's config with the pairs' vocabularies and padding."""
    source, target = pairs.source_tokenizer, pairs.target_tokenizer
    return Config.preset(
        preset,
        **{
            "source_vocabulary": source.size,
            "target_vocabulary": target.size,
            "source_pad": source.pad,
            "target_pad": target.pad,
            "max_positions": max(pairs.source_length, pairs.target_length),
            **settings,
        },
    )


def _check_fit(config: Config, pairs: Pairs) -> None:
    if config.kind != "encoder-decoder":
        raise ValueError(f"Pairs train an encoder-decoder, and this model is {config.kind}.")
    for side, tokenizer in (("source", pairs.source_tokenizer), ("target", pairs.target_tokenizer)):
        size, pad = getattr(config, f"{side}_vocabulary"), getattr(config, f"{side}_pad")
        if (size, pad) != (tokenizer.size, tokenizer.pad):
            raise ValueError(
                f"The {side} of the pairs has {tokenizer.size} tokens with padding {tokenizer.pad},"
                f" and that of the model has {size} with {pad}."
            )
    longest = max(pairs.source_length, pairs.target_length - 1)  # the decoder reads all but the end
    if config.positions == "learned" and longest > config.max_positions:
        raise ValueError(
            f"The pairs have up to {longest} tokens, the model's learned positions end at "
            f"{config.max_positions}."
        )


def _norm(gradient: np.ndarray, limit: float | None) -> float:
    """The gradient's norm; where there is a limit the gradient is scaled down to it in place."""
    return clip_gradient(gradient, math.inf if limit is None else limit)
