"""The whole Transformer (Section 3, Figure 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from transformer_math import initialization, masks
from transformer_math.attention import UNMASKED, Masking, unprojected
from transformer_math.config import Config
from transformer_math.graph.overrides import Hooks, Overrides, by_stored_path, check_all_used
from transformer_math.graph.replay import ReplayPlan, replay, replay_plan
from transformer_math.graph.scope import ForwardPass, Scope, Traced, Untraced, Value
from transformer_math.graph.table import table
from transformer_math.graph.trace import Trace
from transformer_math.layers import Layers
from transformer_math.ops.loss import Labels


class EncoderOutput(NamedTuple):
    """What the encoder hands on.

    Attributes:
        memory: (…, n, d), the output of its last layer.
        mask: hides the source's padding as keys.
        table: the source's embedding table.
    """

    memory: Value
    mask: Masking
    table: Value


class Transformer:
    """An encoder-decoder with its parameters; ``with_parameters`` makes a changed one.

    Attributes:
        config: its settings.
        parameters: path -> array, read-only, in the order of the forward pass.
    """

    def __init__(
        self, config: Config, parameters: Mapping[str, ArrayLike], *, shared: bool = False
    ) -> None:
        """A model with given parameters.

        Args:
            config: its settings.
            parameters: path -> array. One that can be written to is copied, so that whoever has it
                does not change the model and the passes that it left behind.
            shared: whether no array is copied that has the config's type and the model's layout:
                the model, and what its passes kept, then change with the arrays.

        Raises:
            ValueError: a parameter is missing, unknown, or of another shape than the config's.
        """
        self.config = config
        self.parameters = _checked(config, parameters, shared)
        self.layers = Layers(config)
        self._replay_plans: dict[tuple[Any, ...], ReplayPlan] = {}  # by the kind of pass
        self._pair_mask = self._pairs(0)

    @classmethod
    def create(
        cls,
        config: Config,
        seed: int = 0,
        source_tokens: Sequence[str] | None = None,
        target_tokens: Sequence[str] | None = None,
    ) -> Transformer:
        """A model with random parameters (see ``initial``).

        Each parameter depends on the seed and its path alone, so a further layer leaves the
        others as they were. With the tokens of a vocabulary given, a token's row of the
        embedding and its column of the output weights depend on the seed and that token alone.
        """
        return cls(config, initialization.parameters(config, seed, source_tokens, target_tokens))

    @classmethod
    def from_torch(
        cls,
        state: Mapping[str, Any],
        config: Config | None = None,
        *,
        heads: int | None = None,
        **settings: Any,
    ) -> Transformer:
        """A model with the weights of a ``torch.nn.Transformer``; see ``from_torch``.

        Args:
            state: arrays or tensors of PyTorch's by the names of that module, with
                ``source_embedding.weight``, ``target_embedding.weight`` and ``generator.weight``
                beside; ``transformer.`` and the like may stand before them.
            config: the model's settings; without it they are read off the state.
            heads: how many there are, which no shape shows; needed without a config.
            settings: of ``Config``, what no shape shows either, such as ``norm="pre"``. The dtype
                is that of the weights unless it is given: float64 or, of all others, float32.

        Raises:
            ValueError: a weight is missing, does not fit or is left over, or the heads are not
                given.
        """
        from transformer_math.checkpoints import torch

        if config is None:
            if heads is None:
                raise ValueError("How many heads the model has no shape shows: heads=… is needed.")
            settings.setdefault("dtype", torch.dtype_of(state))
            config = torch.config_of(state, heads, **settings)
        elif heads is not None or settings:
            raise ValueError("Settings are given by a config or one by one, not by both.")
        return cls(*torch.from_torch(state, config))

    @classmethod
    def load(cls, where: str | PathLike[str]) -> Transformer:
        """The model that ``save`` wrote, out of its file or its folder.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is damaged or of something else; one sentence.
        """
        from transformer_math.checkpoints import own_file

        return cls(*own_file.load(where))

    def save(self, where: str | PathLike[str]) -> None:
        """Write the model with its config as a safetensors file, bit for bit.

        Args:
            where: the file, if it ends in ``.safetensors``; else a folder, in which the file is
                called ``model.safetensors``.

        Raises:
            OSError: it could not be written; what was there before is as it was.
        """
        from transformer_math.checkpoints import own_file

        own_file.save(where, self.config, self.parameters)

    def __repr__(self) -> str:
        config = self.config
        layers = f"{config.encoder_layers} + {config.decoder_layers} layers"
        head = (
            f"Transformer({config.kind}, d_model {config.d_model}, {config.heads} heads, {layers}, "
            f"{config.parameter_count():,} parameters, {config.dtype})"
        )
        rows = ((path, str(array.shape)) for path, array in self.parameters.items())
        return f"{head}\n{table(rows)}"

    @classmethod
    def from_marian(
        cls, files: str | PathLike[str] | Mapping[str, bytes], dtype: str = "float32"
    ) -> Transformer:
        """A model of Hugging Face's ``MarianMTModel``; see ``marian_files``.

        Args:
            files: a folder with ``config.json`` and ``model.safetensors``, or both by name.
            dtype: what is computed in.
        """
        from transformer_math.checkpoints.marian_folder import read_model

        return cls(*read_model(files, dtype))

    def with_parameters(self, changed: Mapping[str, ArrayLike]) -> Transformer:
        """The same model with some parameters replaced."""
        return Transformer(self.config, {**self.parameters, **changed})

    def __call__(  # noqa: PLR0913 - the switches of a pass, each by its keyword
        self,
        source_ids: ArrayLike | None,
        target_ids: ArrayLike | None,
        *,
        training: bool = False,
        seed: int | None = None,
        overrides: Overrides | None = None,
        hooks: Hooks | None = None,
        with_unprojected: bool = False,
        labels: Labels | None = None,
        with_probabilities: bool = True,
    ) -> Trace:
        """One forward pass with every intermediate kept.

        Args:
            source_ids: (n,) or (batch, n); None for a decoder-only model.
            target_ids: (m,) or (batch, m), shifted right; None for an encoder-only model.
            training: whether dropout is on.
            seed: which dropout masks are drawn; 0 when not given.
            overrides: path -> an array, or cells {index: number}, to be used instead of what
                is stored or computed there, from the moment it is named. With a batch an axis in
                front of the array, or an array for the number, has a value for each example.
            hooks: path -> a function that is given the value there, a copy, and gives the one to go
                on with, of the same shape; or nothing, where it only looks or changed the copy.
                What it changed counts as overridden.
            with_unprojected: also compute attention before projections, of the embeddings with
                themselves, under ``source.unprojected`` (``target.`` without an encoder).
            labels: what is right at each position; with them there is an ``output.loss``.
            with_probabilities: whether the last softmax is computed; the loss needs it not.

        Raises:
            ValueError: ids or labels are missing, empty, out of the vocabulary, or of unequal
                batches; or an override or a hook does not fit.
        """
        source, target = self._ids(source_ids, target_ids)
        changed = by_stored_path(overrides, hooks)
        examples = _examples(source, target)
        forward_pass = ForwardPass(self._of_a_pass(), changed, training, seed or 0, examples)
        if training or changed:
            self._run(forward_pass, source, target, labels, with_unprojected, with_probabilities)
            check_all_used(changed)
            return forward_pass.trace
        given = self._given(source, target, labels)
        smoothing = None if labels is None else (labels.smoothing, labels.form)
        kind = (examples is None, *given, with_unprojected, with_probabilities, smoothing)
        plan = self._replay_plans.get(kind)
        if plan is None:
            self._run(forward_pass, source, target, labels, with_unprojected, with_probabilities)
            self._replay_plans[kind] = replay_plan(forward_pass.trace)
        else:
            replay(plan, {**forward_pass.parameters, **given}, forward_pass.trace)
        return forward_pass.trace

    def _run(
        self,
        forward_pass: ForwardPass,
        source: np.ndarray | None,
        target: np.ndarray | None,
        labels: Labels | None,
        with_unprojected: bool,
        with_probabilities: bool,
    ) -> None:
        """A pass layer by layer, as the paper has it."""
        scope = Traced(forward_pass)
        logits = self._logits(scope, source, target, with_unprojected)
        output = scope.sub("output")
        if with_probabilities:
            self.layers.probabilities(output, logits)
        if labels is not None:
            read = target if target is not None else source
            assert read is not None
            ids = self._label_ids(labels, read.shape)
            self._as_set(output, "labels", ids, self.config.output_vocabulary)
            self.layers.loss(output, logits, ids, labels)

    def logits(
        self,
        source_ids: ArrayLike | None,
        target_ids: ArrayLike | None,
        *,
        training: bool = False,
        seed: int | None = None,
        overrides: Overrides | None = None,
        hooks: Hooks | None = None,
    ) -> np.ndarray:
        """The logits (…, n, vocabulary) alone: the same pass, with nothing kept."""
        source, target = self._ids(source_ids, target_ids)
        changed = by_stored_path(overrides, hooks)
        examples = _examples(source, target)
        forward_pass = ForwardPass(self.parameters, changed, training, seed or 0, examples)
        logits: np.ndarray = self._logits(Untraced(forward_pass), source, target, False)
        check_all_used(changed)
        return logits

    def _logits(
        self,
        scope: Scope,
        source: np.ndarray | None,
        target: np.ndarray | None,
        with_unprojected: bool,
    ) -> Value:
        """Figure 1, from the bottom to the top but the last softmax."""
        encoded = None if source is None else self.encode(scope, source, with_unprojected)
        if target is not None:
            return self.decode(scope, target, encoded, with_unprojected and encoded is None)
        assert encoded is not None
        return self._read_out(scope, encoded.memory, encoded.table)

    def encode(
        self, scope: Scope, source: np.ndarray, with_unprojected: bool = False
    ) -> EncoderOutput:
        """The left half of Figure 1, for ids (…, n) that are known to be in the vocabulary."""
        side = scope.sub("source")
        table = side.parameter("W_e")
        read = self._as_set(side, "ids", source, self.config.source_vocabulary)
        x = self.layers.embedding(side, side.input("ids", source), table)  # (source, d_model)
        padding = self._padding_mask(read)
        mask = Masking.keys(None if padding is None else side.input("mask", padding))
        if with_unprojected:
            unprojected(side.sub("unprojected"), x, self.config.d_model, mask)
        for n in range(self.config.encoder_layers):
            x = self.layers.encoder_layer(scope.sub(f"encoder.{n}"), x, mask)  # (source, d_model)
        if self.config.has_final_norm:
            x = self.layers.normalize(scope.sub("encoder.final"), x)
        return EncoderOutput(x, mask, table)

    def decode(
        self,
        scope: Scope,
        target: np.ndarray,
        encoded: EncoderOutput | None,
        with_unprojected: bool = False,
    ) -> Value:
        """The right half of Figure 1: ids (…, n) give the logits (…, n, vocabulary).

        Without an encoder there is nothing encoded, and the decoder reads its own tokens alone.
        """
        config, layers = self.config, self.layers
        memory, memory_mask, table = encoded or (None, UNMASKED, None)
        side = scope.sub("target")
        read = self._as_set(side, "ids", target, config.target_vocabulary)
        if table is None or not config.share_embeddings:
            table = side.parameter("W_e")
        x = layers.embedding(side, side.input("ids", target), table)  # (target, d_model)
        mask = Masking.pairs(side.input("mask", self._target_mask(read)))
        if with_unprojected:
            unprojected(side.sub("unprojected"), x, config.d_model, mask)
        for n in range(config.decoder_layers):
            layer = scope.sub(f"decoder.{n}")
            x = layers.decoder_layer(layer, x, memory, mask, memory_mask)  # (target, d_model)
        if config.has_final_norm:
            x = layers.normalize(scope.sub("decoder.final"), x)
        return self._read_out(scope, x, table)  # (target, vocabulary)

    def _read_out(self, scope: Scope, x: Value, table: Value) -> Value:
        return self.layers.output(scope.sub("output"), x, table if self.config.tie_output else None)

    def given(
        self, source_ids: ArrayLike | None, target_ids: ArrayLike | None, labels: Labels
    ) -> dict[str, np.ndarray]:
        """Path -> array of the leaves of a pass that come from its ids: ids, masks and labels.

        Raises:
            ValueError: as a pass itself.
        """
        return self._given(*self._ids(source_ids, target_ids), labels)

    def _given(
        self, source: np.ndarray | None, target: np.ndarray | None, labels: Labels | None
    ) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        if source is not None:
            found["source.ids"] = source
            padding = self._padding_mask(source)
            if padding is not None:
                found["source.mask"] = padding
        if target is not None:
            found["target.ids"] = target
            found["target.mask"] = self._target_mask(target)
        if labels is not None:
            ids = source if target is None else target
            assert ids is not None
            found["output.labels"] = self._label_ids(labels, ids.shape)
        return found

    def _of_a_pass(self) -> Mapping[str, np.ndarray]:
        """The parameters that a pass keeps."""
        return self.parameters

    def _as_set(self, scope: Scope, name: str, ids: np.ndarray, vocabulary: int) -> np.ndarray:
        """Ids as the pass reads them, with what is overridden in them.

        Raises:
            ValueError: what is set is not in the vocabulary, or not for the examples there are.
        """
        read = scope.overridden_input(name, ids)
        if read is not ids:
            if read.shape != ids.shape:
                raise ValueError(f"{name} are set as an array of the shape {ids.shape}.")
            checked_ids(name, read, vocabulary)
        return read

    def _padding_mask(self, source: np.ndarray) -> np.ndarray | None:
        """Padding of the source is hidden as keys; without any there is nothing to mask."""
        pad = self.config.source_pad
        if pad is None or not (source == pad).any():
            return None
        return masks.padding(source, pad, self.config.dtype)

    def _target_mask(self, target: np.ndarray) -> np.ndarray:
        """Look-ahead, and padding where there is any (Section 3.1)."""
        n, pad = target.shape[-1], self.config.target_pad
        if n > len(self._pair_mask):
            self._pair_mask = self._pairs(2 * n)
        mask = self._pair_mask[:n, :n]
        if pad is not None and (target == pad).any():
            mask = masks.combined(mask, masks.padding(target, pad, self.config.dtype))
        return mask

    def _pairs(self, n: int) -> np.ndarray:
        """Which of n target positions see which; all see all where the config says so."""
        which = masks.look_ahead if self.config.causal_mask else masks.nothing_hidden
        mask = which(n, self.config.dtype)
        mask.flags.writeable = False
        return mask

    def _ids(
        self, source: ArrayLike | None, target: ArrayLike | None
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        config, s, t = self.config, None, None
        if config.encoder_layers:
            s = _own(checked_ids("source_ids", source, config.source_vocabulary), source)
        if config.decoder_layers:
            t = _own(checked_ids("target_ids", target, config.target_vocabulary), target)
        if s is not None and t is not None and s.shape[:-1] != t.shape[:-1]:
            raise ValueError(
                f"source_ids {s.shape} and target_ids {t.shape} do not belong to one batch."
            )
        return s, t

    def _label_ids(self, labels: Labels, shape: tuple[int, ...]) -> np.ndarray:
        array = checked_ids("labels", labels.ids, self.config.output_vocabulary)
        if array.shape != shape:
            raise ValueError(f"labels have the shape {array.shape}, the logits ask for {shape}.")
        return _own(array, labels.ids)


def checked_ids(name: str, ids: ArrayLike | None, vocabulary: int) -> np.ndarray:
    """Ids as an array (n,) or (batch, n).

    Raises:
        ValueError: they are missing, empty, no whole numbers, or out of the vocabulary.
    """
    if ids is None:
        raise ValueError(f"{name} is missing, and this model has a stack that reads it.")
    array = np.asarray(ids)
    if array.ndim not in (1, 2) or not array.size or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} holds whole numbers in one row or a batch of rows, at least one in each."
        )
    array = array.astype(np.intp, copy=False)
    # Seen as unsigned a negative id is a huge one, so that one comparison finds both.
    if array.view(np.uintp).max() >= vocabulary:
        raise ValueError(f"{name} lie from 0 to {vocabulary - 1}, the vocabulary's last.")
    return array


def _own(ids: np.ndarray, given: ArrayLike | None) -> np.ndarray:
    """Ids that stay as they are whatever the caller does with the array that was given."""
    return ids.copy() if ids is given else ids


def _examples(source: np.ndarray | None, target: np.ndarray | None) -> int | None:
    """How many examples a batch has, None where there is none."""
    ids = target if source is None else source
    assert ids is not None
    return len(ids) if ids.ndim > 1 else None


def _checked(
    config: Config, parameters: Mapping[str, ArrayLike], shared: bool
) -> dict[str, np.ndarray]:
    shapes = config.parameter_shapes()
    unknown = [path for path in parameters if path not in shapes]
    if unknown:
        raise ValueError(f"The config has no parameter {', '.join(unknown[:5])}.")
    checked = {}
    for path, shape in shapes.items():
        if path not in parameters:
            raise ValueError(f"The parameter {path} {shape} is missing.")
        array = np.asarray(parameters[path])
        if array.shape != shape:
            raise ValueError(f"{path} has the shape {array.shape}, the config asks for {shape}.")
        checked[path] = _frozen(_packed(array.astype(config.dtype, copy=False)), shared)
    return checked


def _frozen(array: np.ndarray, shared: bool = False) -> np.ndarray:
    """The array, read-only: a copy of one that somebody could write to, unless it is to be shared.

    The order of its cells in memory stays, by which products round.
    """
    if shared:
        array = array.view()
    elif _can_change(array):
        array = array.copy(order="K")
    array.flags.writeable = False
    return array


def _can_change(array: Any) -> bool:
    """Whether an array, or one that it is a view of, can be written to."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return False


def _packed(array: np.ndarray) -> np.ndarray:
    """Per-head weights (h, d, k) stored as (d, h, k), so that all heads are one product."""
    if array.ndim != 3 or array.transpose(1, 0, 2).flags.c_contiguous:
        return array
    return np.ascontiguousarray(array.transpose(1, 0, 2)).transpose(1, 0, 2)
