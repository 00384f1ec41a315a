"""Training by teacher forcing (Sections 3.1 and 5), as an iterator over steps."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_choice, check_whole, plain
from transformer_math.config import PRESETS, Config, DropoutRates
from transformer_math.data.pairs import Pairs, as_pairs
from transformer_math.graph.backward import LOSS, BackwardPass
from transformer_math.graph.replay import drop_values, recompute
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.loss import Labels
from transformer_math.ops.tensor import Index, check_cell
from transformer_math.training import run_file
from transformer_math.training.blas_threads import blas_threads
from transformer_math.training.optimizer import Adam, AdamState, clip_gradient
from transformer_math.training.parameter_vector import ParameterVector
from transformer_math.training.recipe import Recipe
from transformer_math.training.run_file import SavedRun

# Up to this d_model a step computes its products in one thread, because threads for small products
# mostly wait for one another, especially on a busy machine.
ONE_THREAD_WIDTH = 64

MapShards = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

# Overflows raise ``Diverged`` instead of NumPy's warnings.
_NO_WARNINGS = np.errstate(over="ignore", invalid="ignore", divide="ignore")


class Progress(NamedTuple):
    """The figures of one training step.

    Attributes:
        step: the number of the step, from 1.
        loss: the mean cross-entropy of the batch, before the step.
        learning_rate: the learning rate of the step.
        norm: the norm of the gradient before clipping.
        tokens_per_second: labels without padding, divided by ``seconds``.
        seconds: the duration of the step.
    """

    step: int
    loss: float
    learning_rate: float
    norm: float
    tokens_per_second: float
    seconds: float


class _Pass(NamedTuple):
    """A forward and backward pass that can be computed again for inputs of the same shapes.

    Attributes:
        shapes: path -> shape of the inputs.
        trace: the trace, without its values.
        backward: computes the gradients of all parameters.
    """

    shapes: dict[str, tuple[int, ...]]
    trace: Trace
    backward: BackwardPass


class _ChangingModel(Transformer):
    """A model whose parameters change; each of its traces keeps a copy of them."""

    def _parameters_for_pass(self) -> Mapping[str, np.ndarray]:
        vector = ParameterVector(self.parameters)
        vector.flat.flags.writeable = False
        return vector.views(vector.flat)


class Diverged(ArithmeticError):
    """The loss or the gradient is no longer finite; the parameters keep their last finite values.

    Attributes:
        step: the number of the step, which was not taken.
        what: the number that is not finite, for the message.
    """

    def __init__(self, step: int, what: str) -> None:
        super().__init__(
            f"Training stopped at step {step:,}: {what} is no longer a finite number. "
            "The parameters are those of the last good step."
        )
        self.step = step
        self.what = what


class Trainer:
    """Trains a model on pairs, one step for each ``next``.

    Training can stop after any step and continue, also after ``save`` and ``load``. On the same
    machine the numbers equal those of an uninterrupted run bit for bit, because the random numbers
    of a step depend only on the seed and the number of the step.

    Attributes:
        model: the model in training; its parameters change with each step.
        pairs: the training data.
        recipe: the settings of training.
        step: the number of steps taken.
    """

    @checked()
    def __init__(
        self,
        model: Transformer,
        pairs: Any,
        recipe: Recipe | None = None,
        *,
        shards: int = 1,
        map_shards: MapShards = map,
    ) -> None:
        """Create a trainer for a copy of the model.

        Args:
            model: the initial model; it is not changed.
            pairs: the training data: a result of `pairs`, `next_words` or similar, or anything
                that `pairs` reads, such as a list of pairs.
            recipe: the settings of training, ``Recipe()`` by default; settings not given are the
                defaults of the data.
            shards: the number of parts that a batch is divided into.
            map_shards: runs a function on each shard, as ``map`` does. The ``map`` of a thread
                pool runs them in parallel, because NumPy releases the interpreter's lock.

        Raises:
            ValueError: the model is not of the kind that learns from the pairs, has another
                vocabulary or padding than the pairs, or too few learned positions; or shards is
                below 1.
        """
        self.pairs = as_pairs(pairs)
        _check_fit(model.config, self.pairs)
        shards = plain(shards)
        check_whole("shards", shards, 1)
        self.recipe = (recipe or Recipe()).for_data(self.pairs.name)
        self._vector = ParameterVector(model.parameters)
        self.model: Transformer = _ChangingModel(model.config, self._vector.arrays, shared=True)
        self._live = Transformer(model.config, self._vector.arrays, shared=True)
        self._adam = Adam(
            self._vector.flat, self.recipe.beta_1, self.recipe.beta_2, self.recipe.epsilon
        )
        self._last_good = self._vector.flat.copy()
        self._has_dropout = model.config.dropout != DropoutRates()
        self._gradients = [ParameterVector(model.parameters) for _ in range(shards)]
        self._passes: dict[int, _Pass] = {}  # by shard
        self._learning_rates = self.recipe.learning_rate_schedule(model.config.d_model)
        self._shards = shards
        self._map_shards = map_shards
        is_small = model.config.d_model <= ONE_THREAD_WIDTH
        self._threads = blas_threads().one if is_small else nullcontext

    @property
    def step(self) -> int:
        """The number of steps taken."""
        return self._adam.steps

    def __iter__(self) -> Iterator[Progress]:
        return self

    @_NO_WARNINGS
    def __next__(self) -> Progress:
        """Take a step.

        Raises:
            StopIteration: all steps of the recipe are taken.
            Diverged: the loss or the gradient is not finite; the parameters are reset to their last
                values with a finite loss and gradient.
        """
        step = self.step + 1
        if step > self.recipe.steps:
            raise StopIteration
        start = time.perf_counter()
        source, target = self.pairs.batch(step, self.recipe.batch, self.recipe.seed)
        with self._threads():
            loss, gradient, count = self._loss_and_gradient(step, source, target)
        norm = _norm(gradient, self.recipe.clip)
        for what, value in (("the loss", loss), ("the gradient's norm", norm)):
            if not math.isfinite(value):
                self._vector.flat[...] = self._last_good
                raise Diverged(step, what)
        self._last_good[...] = self._vector.flat
        learning_rate = self._learning_rates(step)
        self._adam.step(self._vector.flat, gradient, learning_rate)
        seconds = time.perf_counter() - start
        return Progress(step, loss, learning_rate, norm, count / seconds, seconds)

    def parameters(self) -> dict[str, np.ndarray]:
        """Return path -> copy of each parameter."""
        return self._vector.views(self._vector.flat.copy())

    @checked()
    def set_cell(self, path: str, index: Index | int, value: float) -> None:
        """Set one number of a parameter, before the next step.

        Raises:
            ValueError: there is no such parameter or cell.
        """
        array = self._vector.arrays.get(path)
        if array is None:
            raise ValueError(f"path names a parameter, and the model has none called {path}.")
        check_cell(path, array.shape, index)
        array[index] = value

    # -- a step --------------------------------------------------------------------------------

    def _loss_and_gradient(
        self, step: int, source: np.ndarray, target: np.ndarray
    ) -> tuple[float, np.ndarray, int]:
        """Return a batch's loss, its gradient (size,), and the number of labels without padding."""
        count = self._counted(self.pairs.lesson(source, target).labels)
        shards = min(self._shards, len(source))

        def run(shard: int) -> tuple[float, np.ndarray]:
            rows = slice(shard * len(source) // shards, (shard + 1) * len(source) // shards)
            return self._shard(shard, step * shards + shard, source[rows], target[rows], count)

        losses, flats = zip(*self._map_shards(run, range(shards)), strict=True)
        gradient = flats[0]
        for flat in flats[1:]:
            gradient += flat
        return float(sum(losses)), gradient, count

    @_NO_WARNINGS  # again, because every thread has its own settings
    def _shard(
        self, shard: int, draw: int, source: np.ndarray, target: np.ndarray, count: int
    ) -> tuple[float, np.ndarray]:
        """Return the part of a batch's loss and gradient that comes from one shard."""
        read, written, ids = self.pairs.lesson(source, target)
        labels = Labels(ids, self.recipe.smoothing, self.recipe.smoothing_form)
        trace, backward = self._trace(shard, draw, read, written, labels)
        loss = trace[LOSS].value
        share = self._counted(ids) / max(count, 1)
        found = backward.gradients(np.full_like(loss, share))
        drop_values(trace)
        return float(loss) * share, self._gradients[shard].write(found)

    def _trace(
        self,
        shard: int,
        draw: int,
        source: np.ndarray | None,
        target: np.ndarray | None,
        labels: Labels,
    ) -> tuple[Trace, BackwardPass]:
        """Return the forward and backward pass of a shard.

        If the inputs have the same shapes as in the previous step, its trace is computed again. A
        pass with dropout is new in each step, because its ops contain the masks.
        """
        inputs = self._live.inputs(source, target, labels)
        shapes = {path: array.shape for path, array in inputs.items()}
        before = self._passes.get(shard)
        if before is not None and before.shapes == shapes:
            recompute(before.trace, inputs)
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
        """Return the number of labels that are not padding."""
        return int(np.count_nonzero(labels != self.pairs.target_tokenizer.pad))

    # -- saving --------------------------------------------------------------------------------

    def save(self) -> bytes:
        """Return a safetensors file with all data for the next steps except the pairs."""
        step, m, v = self._adam.state()
        views = self._vector.views
        return run_file.save_run(
            SavedRun(self.model.config, self.recipe, step, self._vector.arrays, views(m), views(v))
        )

    @classmethod
    @checked()
    def load(
        cls, data: bytes, pairs: Pairs, *, shards: int = 1, map_shards: MapShards = map
    ) -> Trainer:
        """Return a trainer that continues from the state at ``save``.

        Raises:
            ValueError: the file is damaged or not a training run, or the pairs do not fit it.
        """
        run = run_file.load_run(data)
        model = Transformer(run.config, run.parameters)
        trainer = cls(model, pairs, run.recipe, shards=shards, map_shards=map_shards)
        trainer.go_on_from(run.step, run.m, run.v)
        return trainer

    def means(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Return copies of Adam's means of the gradient and of its square, each path -> array."""
        _, m, v = self._adam.state()
        return self._vector.views(m), self._vector.views(v)

    @checked()
    def go_on_from(
        self, step: int, m: Mapping[str, np.ndarray], v: Mapping[str, np.ndarray]
    ) -> None:
        """Continue from a step, given the ``means`` after it.

        Raises:
            ValueError: the means do not fit the model's parameters.
        """
        gather = self._vector.gather
        self._adam.load(AdamState(step, gather(m), gather(v)))


_TRAIN = {
    "encoder-decoder": "Pairs train an encoder-decoder",
    "decoder-only": "Next words train a decoder-only model",
    "encoder-only": "Blanks and classes train an encoder-only model",
}
# Kind of model -> the preset for data without one.
_OF_KIND = {"encoder-decoder": "dates", "decoder-only": "next-word", "encoder-only": "blanks"}


@checked()
def config_for(pairs: Any, preset: str | None = None, **settings: Any) -> Config:
    """Return a preset's config with the vocabularies, the padding and the lengths of the pairs.

    Args:
        pairs: the data, or anything that `pairs` reads, such as a list of pairs.
        preset: the preset; None for that of the data, which for the user's own data is ``dates``,
            ``next-word`` or ``blanks``, depending on the kind of model.
        settings: settings that replace those of the preset.

    Raises:
        ValueError: there is no such preset or setting, or a setting is out of range.
    """
    pairs = as_pairs(pairs)
    if preset is None:
        preset = pairs.name if pairs.name in PRESETS else _OF_KIND[pairs.kind]
    stacks = {}
    if pairs.kind != "encoder-decoder":
        stacks["decoder_layers" if pairs.kind == "encoder-only" else "encoder_layers"] = 0
    source, target = pairs.source_tokenizer, pairs.target_tokenizer
    check_choice("preset", preset, tuple(PRESETS))
    return Config.preset(
        preset,
        **{
            "source_vocabulary": source.size,
            "target_vocabulary": target.size,
            "source_pad": source.pad,
            "target_pad": target.pad,
            "max_positions": max(pairs.source_length, pairs.target_length),
            **stacks,
            **settings,
        },
    )


def _check_fit(config: Config, pairs: Pairs) -> None:
    """Check that a model of this config can be trained on the pairs.

    Raises:
        ValueError: the model cannot be trained on the pairs.
    """
    if config.kind != pairs.kind:
        raise ValueError(f"{_TRAIN[pairs.kind]}, and this model is {config.kind}.")
    sides = [("source", pairs.source_tokenizer)] * (config.encoder_layers > 0)
    sides += [("target", pairs.target_tokenizer)] * (config.decoder_layers > 0)
    for side, tokenizer in sides:
        size, pad = getattr(config, f"{side}_vocabulary"), getattr(config, f"{side}_pad")
        if (size, pad) != (tokenizer.size, tokenizer.pad):
            raise ValueError(
                f"The {side} of the pairs has {tokenizer.size} tokens with padding {tokenizer.pad},"
                f" and that of the model has {size} with {pad}: make it by config_for(pairs)."
            )
    longest = max(
        pairs.source_length if config.encoder_layers else 0,
        pairs.target_length - 1 if config.decoder_layers else 0,  # the end is not read
    )
    if config.positions == "learned" and longest > config.max_positions:
        raise ValueError(
            f"The pairs have up to {longest} tokens, the model's learned positions end at "
            f"{config.max_positions}."
        )


def _norm(gradient: np.ndarray, limit: float | None) -> float:
    """Return the norm of the gradient, which is clipped in place if there is a limit."""
    return clip_gradient(gradient, math.inf if limit is None else limit)
