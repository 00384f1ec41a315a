"""The whole Transformer (Section 3, Figure 1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from transformer_math import initialization, masks
from transformer_math.arguments import checked
from transformer_math.attention import UNMASKED, Masking, unprojected
from transformer_math.checks import described, naming
from transformer_math.config import Config
from transformer_math.graph.overrides import Hooks, Overrides, by_stored_path, check_all_used
from transformer_math.graph.replay import ReplayPlan, replay, replay_plan
from transformer_math.graph.scope import ForwardPass, Scope, Traced, Untraced, Value
from transformer_math.graph.table import table
from transformer_math.graph.trace import Trace
from transformer_math.layers import Layers
from transformer_math.ops.loss import Labels
from transformer_math.ops.override import Override
from transformer_math.read_only import ReadOnly
from transformer_math.suggestions import PASS

if TYPE_CHECKING:
    from transformer_math.checkpoints.given_files import Files
    from transformer_math.checkpoints.names import Names
    from transformer_math.checkpoints.state import ReadState

READ_ONLY = (
    "The parameters of a model are read-only: model.with_parameters({path: array}) returns a "
    "changed model, and overrides={path: array} change them for one pass."
)


class EncoderOutput(NamedTuple):
    """The output of the encoder, and other inputs of the decoder.

    Attributes:
        memory: (…, n, d), the output of the last layer.
        mask: hides the padding of the source from cross-attention.
        table: the embedding table of the source, which the decoder may share.
    """

    memory: Value
    mask: Masking
    table: Value


class Transformer:
    """A Transformer with its parameters; ``with_parameters`` makes a changed copy.

    Attributes:
        config: the settings.
        parameters: path -> array, read-only, in the order of the forward pass.
        layers: the layers, which hold no parameters.
    """

    @checked()
    def __init__(
        self, config: Config, parameters: Mapping[str, ArrayLike], *, shared: bool = False
    ) -> None:
        """Create a model with given parameters.

        Args:
            config: the settings.
            parameters: path -> array. Writable arrays are copied, so that the model and its traces
                do not change with them.
            shared: whether to use arrays of the right dtype and memory layout without a copy. The
                model and its traces then change with them.

        Raises:
            ValueError: a parameter is missing, unknown, or does not have the config's shape.
        """
        self.config = config
        self.parameters = ReadOnly(_checked(config, parameters, shared), READ_ONLY)
        self.layers = Layers(config)
        self._replay_plans: dict[tuple[Any, ...], ReplayPlan] = {}  # by the kind of pass
        self._pair_mask = self._make_pair_mask(0)  # grows to the longest target so far

    @classmethod
    @checked()
    def create(
        cls,
        config: Config,
        seed: int = 0,
        source_tokens: Sequence[str] | None = None,
        target_tokens: Sequence[str] | None = None,
    ) -> Transformer:
        """Return a model with random parameters; see ``initialization``.

        A parameter depends only on the seed and its path, so an added layer changes no other. Given
        the tokens of a vocabulary, a token's row of the embedding table and its column of the
        output weights depend only on the seed and that token.

        Args:
            config: the settings.
            seed: seed of the random numbers, any integer.
            source_tokens: the tokens of the source's vocabulary, in the order of their ids.
            target_tokens: the tokens of the target's vocabulary, likewise.

        Raises:
            ValueError: there are more or fewer tokens than the vocabulary has.
        """
        return cls(config, initialization.parameters(config, seed, source_tokens, target_tokens))

    @classmethod
    def load(
        cls,
        path: Files,
        heads: int | None = None,
        names: Names | None = None,
        **settings: Any,
    ) -> Transformer:
        """Return the model in a file or a folder, whose kind follows from the content.

        Args:
            path: a file of ``save``; a file of PyTorch or in safetensors format with the weights of
                a ``torch.nn.Transformer`` or of another known family; a folder of Hugging Face; or
                the content of these files by name.
            heads: the number of heads, which no shape shows, if no file contains it.
            names: for other models: name of an array -> path here, or a JSON file with this
                mapping, which ``tinkerformer names`` writes.
            settings: settings of ``Config`` that no shape shows, such as ``norm="pre"``. The dtype
                defaults to float64 if the weights have it, else to float32.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is damaged or not a model, or something does not fit; the message
                is one sentence. If the number of heads is unknown, the message has the possible
                numbers.
        """
        from transformer_math.checkpoints.read_files import read_files

        return cls._of(read_files(path, heads, names, **settings))

    @classmethod
    def from_torch(
        cls,
        state: Mapping[str, Any],
        config: Config | None = None,
        *,
        heads: int | None = None,
        names: Names | None = None,
        **settings: Any,
    ) -> Transformer:
        """Return a model with the weights of a state dict of PyTorch.

        Args:
            state: name -> array or PyTorch tensor, with the names of a ``torch.nn.Transformer`` and
                embeddings and an output layer around it, or of another known family.
            config: the settings; without it they are read from the shapes of the state. Final
                norms, biases and tied tables are always those of the state.
            heads: the number of heads, which no shape shows; required without a config.
            names: for other models: name of an array -> path here, as for ``load``.
            settings: other settings of ``Config`` that no shape shows, such as ``norm="pre"``. The
                dtype defaults to float64 if the weights have it, else to float32.

        Raises:
            ValueError: a weight is missing, does not fit or is not used, or the number of heads is
                not given.
        """
        from transformer_math.checkpoints.names import custom_layout
        from transformer_math.checkpoints.state import SHOWN, read_state

        if config is not None:
            if heads is not None or settings:
                raise ValueError("Give a config or single settings, not both.")
            fields = (field.name for field in dataclasses.fields(config))
            settings = {name: getattr(config, name) for name in fields if name not in SHOWN}
        else:
            settings["heads"] = heads
        layout, told = (None, {}) if names is None else custom_layout(names)
        return cls._of(read_state(state, layout, told=told, **settings))

    @classmethod
    def from_marian(cls, files: Files, dtype: str = "float32") -> Transformer:
        """Return the model in a folder of Hugging Face's ``MarianMTModel``, or in its content."""
        return cls._of_family("marian", files, dtype)

    @classmethod
    def from_gpt2(cls, files: Files, dtype: str = "float32") -> Transformer:
        """Return the model in a folder of Hugging Face's ``GPT2LMHeadModel``, or in its content."""
        return cls._of_family("gpt2", files, dtype)

    @classmethod
    def from_bert(cls, files: Files, dtype: str = "float32") -> Transformer:
        """Return the model in a folder of Hugging Face's ``BertForMaskedLM``, or in its content."""
        return cls._of_family("bert", files, dtype)

    @classmethod
    def _of_family(cls, family: str, files: Files, dtype: str) -> Transformer:
        """Return a model in Hugging Face's files with a ``config.json`` of this type.

        Args:
            family: the ``model_type``.
            files: a folder with ``config.json`` and weights, perhaps in parts, or name -> content.
            dtype: the dtype of the model, ``float32`` or ``float64``.

        Raises:
            FileNotFoundError: there is no such folder.
            ValueError: the files are damaged or of an unsupported model; one sentence.
        """
        from transformer_math.checkpoints.read_files import read_files

        return cls._of(read_files(files, family=family, dtype=dtype))

    @classmethod
    def _of(cls, found: ReadState) -> Transformer:
        return cls(found.config, found.parameters)

    @checked()
    def save(self, where: str | PathLike[str]) -> None:
        """Write the model and its config to a safetensors file, without rounding.

        Args:
            where: the file, if the name ends in ``.safetensors``; else a folder, in which the file
                is called ``model.safetensors``.

        Raises:
            OSError: the file could not be written; an existing file is unchanged.
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

    @checked()
    def with_parameters(self, changed: Mapping[str, ArrayLike]) -> Transformer:
        """Return a copy of the model with some parameters replaced.

        Args:
            changed: path -> array of each parameter that is replaced.

        Raises:
            ValueError: there is no such parameter, or it has another shape.
        """
        with naming("changed"):
            return Transformer(self.config, {**self.parameters, **changed})

    @checked(PASS, what="A pass")
    def __call__(  # noqa: PLR0913 - the options of a pass, by keyword
        self,
        source_ids: ArrayLike | None = None,
        target_ids: ArrayLike | None = None,
        *,
        training: bool = False,
        seed: int | None = None,
        overrides: Overrides | None = None,
        hooks: Hooks | None = None,
        with_unprojected: bool = False,
        labels: Labels | ArrayLike | None = None,
        with_probabilities: bool = True,
        before: Trace | None = None,
    ) -> Trace:
        """Compute one forward pass, and return the trace of all its tensors.

        Args:
            source_ids: (n,) or (batch, n); None for a decoder-only model.
            target_ids: (m,) or (batch, m), shifted right; None for an encoder-only model.
            training: whether dropout is on.
            seed: seed of the dropout masks, 0 by default.
            overrides: path -> array, or path -> {index: number} for single cells, used instead of
                the parameter or the computed value. In a batch, an array may have a leading axis,
                and a number may be an array, with one value for each example.
            hooks: path -> function of a copy of the value, which returns the value to use instead,
                of the same shape. If it returns None, the copy is used, changed or not. Cells that
                the function changes count as overridden.
            with_unprojected: whether to also compute attention of the embeddings without
                projections, at ``source.unprojected`` (``target.unprojected`` without an encoder).
            labels: the correct token at each position, as ids or with label smoothing as
                ``Labels``; adds ``output.loss``.
            with_probabilities: whether to compute the last softmax, which the loss does not need.
            before: an earlier pass of this model, whose parameters have not changed since; its
                arrays are used again if they would be the same.

        Raises:
            ValueError: ids or labels are missing, empty, not in the vocabulary, or of different
                batch sizes; or an override or a hook does not fit.
            NoSuchPath: there is no tensor to override, or to hook, of that path.
            UnknownSetting: there is no such setting; the message suggests a setting.
        """
        if labels is not None and not isinstance(labels, Labels):
            with naming("labels"):
                labels = Labels(labels)
        source, target = self._ids(source_ids, target_ids)
        changed = by_stored_path(overrides, hooks)
        examples = _examples(source, target)
        forward_pass = ForwardPass(
            self._parameters_for_pass(), changed, training, seed or 0, examples
        )
        if training or not self._are_of_parameters(changed):
            self._run(forward_pass, source, target, labels, with_unprojected, with_probabilities)
            check_all_used(changed, forward_pass.trace)
            return forward_pass.trace
        inputs = self._inputs(source, target, labels)
        smoothing = None if labels is None else (labels.smoothing, labels.form)
        kind = (examples is None, *inputs, with_unprojected, with_probabilities, smoothing)
        plan = self._replay_plans.get(kind)
        if plan is None:
            self._run(forward_pass, source, target, labels, with_unprojected, with_probabilities)
            forward_pass.trace.plan = self._replay_plans[kind] = replay_plan(forward_pass.trace)
        else:
            leaves = {**forward_pass.parameters, **inputs}
            replay(plan, leaves, forward_pass.trace, changed, before)
        check_all_used(changed, forward_pass.trace)
        return forward_pass.trace

    def _are_of_parameters(self, overrides: Mapping[str, Override]) -> bool:
        """Return whether overrides set only numbers of parameters, so that a plan stays valid."""
        known = self.parameters
        return all(
            path in known and each.is_plain(known[path].ndim) for path, each in overrides.items()
        )

    def _run(
        self,
        forward_pass: ForwardPass,
        source: np.ndarray | None,
        target: np.ndarray | None,
        labels: Labels | None,
        with_unprojected: bool,
        with_probabilities: bool,
    ) -> None:
        """Compute all tensors of a pass, layer by layer, into its trace."""
        scope = Traced(forward_pass)
        logits = self._logits(scope, source, target, with_unprojected)
        output = scope.sub("output")
        if with_probabilities:
            self.layers.probabilities(output, logits)
        if labels is not None:
            read = target if target is not None else source
            assert read is not None
            ids = self._label_ids(labels, read.shape)
            self._overridden_ids(output, "labels", ids, self.config.output_vocabulary)
            self.layers.loss(output, logits, ids, labels)

    @checked(PASS, what="A pass without a trace")
    def logits(
        self,
        source_ids: ArrayLike | None = None,
        target_ids: ArrayLike | None = None,
        *,
        training: bool = False,
        seed: int | None = None,
        overrides: Overrides | None = None,
        hooks: Hooks | None = None,
    ) -> np.ndarray:
        """Return the logits (…, n, vocabulary) of the same pass, without a trace.

        Args:
            source_ids: (n,) or (batch, n); None for a decoder-only model.
            target_ids: (m,) or (batch, m), shifted right; None for an encoder-only model.
            training: whether dropout is on.
            seed: seed of the dropout masks, 0 by default.
            overrides: as for a pass with a trace.
            hooks: as for a pass with a trace.

        Raises:
            ValueError: ids are missing, empty or not in the vocabulary, or an override or a hook
                does not fit.
            NoSuchPath: there is no tensor to override, or to hook, of that path.
        """
        source, target = self._ids(source_ids, target_ids)
        changed = by_stored_path(overrides, hooks)
        examples = _examples(source, target)
        forward_pass = ForwardPass(self.parameters, changed, training, seed or 0, examples)
        logits: np.ndarray = self._logits(Untraced(forward_pass), source, target, False)
        check_all_used(changed, self.parameters)
        return logits

    def _logits(
        self,
        scope: Scope,
        source: np.ndarray | None,
        target: np.ndarray | None,
        with_unprojected: bool,
    ) -> Value:
        """Compute Figure 1 from bottom to top, without the last softmax."""
        encoded = None if source is None else self.encode(scope, source, with_unprojected)
        if target is not None:
            return self.decode(scope, target, encoded, with_unprojected and encoded is None)
        assert encoded is not None
        return self._output(scope, encoded.memory, encoded.table)

    def encode(
        self, scope: Scope, source: np.ndarray, with_unprojected: bool = False
    ) -> EncoderOutput:
        """Compute the left half of Figure 1, for checked ids (…, n)."""
        side = scope.sub("source")
        table = side.parameter("W_e")
        read = self._overridden_ids(side, "ids", source, self.config.source_vocabulary)
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
        """Compute the right half of Figure 1: checked ids (…, n) give logits (…, n, vocabulary).

        In a decoder-only model ``encoded`` is None, and there is no cross-attention.
        """
        config, layers = self.config, self.layers
        memory, memory_mask, table = encoded or (None, UNMASKED, None)
        side = scope.sub("target")
        read = self._overridden_ids(side, "ids", target, config.target_vocabulary)
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
        return self._output(scope, x, table)  # (target, vocabulary)

    def _output(self, scope: Scope, x: Value, table: Value) -> Value:
        """Return the logits of the last layer's output x, with ``table`` if the output is tied."""
        return self.layers.output(scope.sub("output"), x, table if self.config.tie_output else None)

    def inputs(
        self, source_ids: ArrayLike | None, target_ids: ArrayLike | None, labels: Labels
    ) -> dict[str, np.ndarray]:
        """Return path -> array of a pass's leaves other than parameters: ids, masks and labels.

        Raises:
            ValueError: ids or labels are not valid, as in a pass.
        """
        return self._inputs(*self._ids(source_ids, target_ids), labels)

    def _inputs(
        self, source: np.ndarray | None, target: np.ndarray | None, labels: Labels | None
    ) -> dict[str, np.ndarray]:
        """Return ``inputs`` for checked ids."""
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

    def _parameters_for_pass(self) -> Mapping[str, np.ndarray]:
        """Return the parameters that the next pass keeps in its trace."""
        return self.parameters

    def _overridden_ids(
        self, scope: Scope, name: str, ids: np.ndarray, vocabulary: int
    ) -> np.ndarray:
        """Return ids with their overrides applied, from which the masks are computed.

        Raises:
            ValueError: an override is not in the vocabulary, or has another shape than the ids.
        """
        read = scope.overridden_input(name, ids)
        if read is not ids:
            if read.shape != ids.shape:
                raise ValueError(f"{name} are set as an array of the shape {ids.shape}.")
            checked_ids(name, read, vocabulary)
        return read

    def _padding_mask(self, source: np.ndarray) -> np.ndarray | None:
        """Return the mask that hides the padding of the source as keys; None without padding."""
        pad = self.config.source_pad
        if pad is None or not (source == pad).any():
            return None
        return masks.padding(source, pad, self.config.dtype)

    def _target_mask(self, target: np.ndarray) -> np.ndarray:
        """Return the look-ahead mask, combined with a mask of the padding, if any (Section 3.1)."""
        n, pad = target.shape[-1], self.config.target_pad
        if n > len(self._pair_mask):
            self._pair_mask = self._make_pair_mask(2 * n)
        mask = self._pair_mask[:n, :n]
        if pad is not None and (target == pad).any():
            mask = masks.combined(mask, masks.padding(target, pad, self.config.dtype))
        return mask

    def _make_pair_mask(self, n: int) -> np.ndarray:
        """Return the mask (n, n) of n target positions; nothing is hidden without causal mask."""
        which = masks.look_ahead if self.config.causal_mask else masks.nothing_hidden
        mask = which(n, self.config.dtype)
        mask.flags.writeable = False
        return mask

    def _ids(
        self, source: ArrayLike | None, target: ArrayLike | None
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return checked ids of source and target; None for a stack that the model lacks."""
        s, t = self._ids_of("source", source), self._ids_of("target", target)
        if s is not None and t is not None and s.shape[:-1] != t.shape[:-1]:
            raise ValueError(
                f"source_ids {s.shape} and target_ids {t.shape} do not belong to one batch."
            )
        return s, t

    def _ids_of(self, side: str, ids: ArrayLike | None) -> np.ndarray | None:
        """Return checked ids of one side; None if the model has no stack that reads them.

        Raises:
            ValueError: ids are given for a stack that the model lacks, or they are invalid.
        """
        kind, name = self.config.kind, f"{side}_ids"
        if kind == {"source": "decoder-only", "target": "encoder-only"}[side]:
            if ids is None:
                return None
            read = "target_ids" if side == "source" else "source_ids"
            raise ValueError(
                f"{name} is given, but this model is {kind} and reads {read} alone: "
                f"write {read}=… without {name}."
            )
        return _own(checked_ids(name, ids, getattr(self.config, f"{side}_vocabulary")), ids)

    def _label_ids(self, labels: Labels, shape: tuple[int, ...]) -> np.ndarray:
        """Return checked labels of a shape (…, n)."""
        array = checked_ids("labels", labels.ids, self.config.output_vocabulary)
        if array.shape != shape:
            raise ValueError(f"labels have the shape {array.shape}, the logits ask for {shape}.")
        return _own(array, labels.ids)


def checked_ids(name: str, ids: ArrayLike | None, vocabulary: int) -> np.ndarray:
    """Return ids as an array (n,) or (batch, n).

    Raises:
        ValueError: the ids are missing, empty, not integers, or not in the vocabulary.
    """
    if ids is None:
        raise ValueError(f"{name} is missing, and this model has a stack that reads it.")
    array = np.asarray(ids)
    if array.ndim not in (1, 2) or not array.size or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} holds whole numbers in one row or a batch of rows, at least one in each."
        )
    array = array.astype(np.intp, copy=False)
    # As an unsigned integer a negative id is huge, so that one comparison finds both errors.
    if array.view(np.uintp).max() >= vocabulary:
        raise ValueError(f"{name} lie from 0 to {vocabulary - 1}, the last id of the vocabulary.")
    return array


def _own(ids: np.ndarray, given: ArrayLike | None) -> np.ndarray:
    """Return ids as another array than the caller's, by a copy if necessary."""
    return ids.copy() if ids is given else ids


def _examples(source: np.ndarray | None, target: np.ndarray | None) -> int | None:
    """Return the size of the batch, None without a batch."""
    ids = target if source is None else source
    assert ids is not None
    return len(ids) if ids.ndim > 1 else None


def _checked(
    config: Config, parameters: Mapping[str, ArrayLike], shared: bool
) -> dict[str, np.ndarray]:
    """Return the parameters in the config's order, dtype and the model's memory layout, read-only.

    Raises:
        ValueError: a parameter is missing, unknown, or does not have the config's shape.
    """
    shapes = config.parameter_shapes()
    unknown = [path for path in parameters if path not in shapes]
    if unknown:
        raise ValueError(f"The config has no parameters called {', '.join(unknown[:5])}.")
    checked = {}
    for path, shape in shapes.items():
        if path not in parameters:
            raise ValueError(f"{path} {shape} is missing among the parameters.")
        array = np.asarray(parameters[path])
        if array.shape != shape or array.dtype.kind not in "biuf":
            raise ValueError(
                f"{path} among the parameters is {described(array)}, and the config asks for the "
                f"shape {shape}."
            )
        checked[path] = _frozen(_packed(array.astype(config.dtype, copy=False)), shared)
    return checked


def _frozen(array: np.ndarray, shared: bool = False) -> np.ndarray:
    """Return the array, read-only; copied if it can be written to, unless it is to be shared.

    A copy keeps the memory layout, on which the rounding of products depends.
    """
    if shared:
        array = array.view()
    elif _can_change(array):
        array = array.copy(order="K")
    array.flags.writeable = False
    return array


def _can_change(array: Any) -> bool:
    """Return whether an array, or any array that it is a view of, can be written to."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return False


def _packed(array: np.ndarray) -> np.ndarray:
    """Lay out weights of heads (h, d, k) in memory as (d, h, k), to be one matrix (d, h·k)."""
    if array.ndim != 3 or array.transpose(1, 0, 2).flags.c_contiguous:
        return array
    return np.ascontiguousarray(array.transpose(1, 0, 2)).transpose(1, 0, 2)
