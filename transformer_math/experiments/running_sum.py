"""A word's logit as a running sum along the residual stream.

The logit lens reads the stream h after each sublayer: ℓ = u·h + b for the column u of a word. With
pre-norm the sublayer's output a is added: h' = h + a. With post-norm a layer norm follows this sum:
h' = γ(h + a − μ)/σ + β. Layer norm is not linear, but with the σ of this pass it is affine.
The change of ℓ is then a sum: the contributions of a and of β, and the norm's change of the
contribution of h. A final norm is treated in the same way. The parts of a are those of the heads,
because the output projection is linear.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_choice, check_whole
from transformer_math.experiments.lens import stream
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.ops import ADD, CONCAT_HEADS, IDENTITY, TIED_LINEAR, Dropout
from transformer_math.ops.layer_norm import LayerNorm
from transformer_math.ops.tensor import Tensor

# If the parts leave a larger share of a step unexplained, cells were set by hand; a smaller share
# is rounding in float32.
ROUNDING = 1e-4


class Spread(NamedTuple):
    """The dependence of a norm's divisor for a row on one part of the row.

    If the part is multiplied by f, the row is divided by
    √(``own`` f² + 2 ``shared`` f + ``rest``) + ``outside``.

    Attributes:
        own: the variance of the part.
        shared: the covariance of the part and the rest of the row.
        rest: the variance of the rest, with ε if that is under the root.
        outside: ε if it is added to the root.
    """

    own: float
    shared: float
    rest: float
    outside: float = 0.0

    def deviation(self, factor: float) -> float:
        """Return the divisor of the row if the part is multiplied by a factor."""
        variance = (self.own * factor + 2 * self.shared) * factor + self.rest
        return math.sqrt(variance) + self.outside


NO_NORM = Spread(0.0, 0.0, 1.0)


class Part(NamedTuple):
    """A summand of the stream.

    Attributes:
        name: ``embedding``, ``positions``, ``head``, ``network``, ``bias``; ``beta``, which the
            norm adds; ``kept``, the change in the contribution of the stream before the step; or
            ``rest``, the unexplained remainder.
        head: the head of an attention, counted from 0.
        path: the tensor in which the part is linear, such as the context of a head or the
            activation; empty if there is none.
        length: the length of the added vector; 0 for ``kept``, which is not a vector.
        logit: the contribution to the word's logit.
        spread: the dependence of the part's divisor on the part; ``NO_NORM`` without a divisor;
            None for several divisors.
    """

    name: str
    head: int | None
    path: str
    length: float
    logit: float
    spread: Spread | None = NO_NORM

    def at(self, factor: float) -> float:
        """Return the contribution of the part times a factor, with everything else unchanged.

        Raises:
            ValueError: the part goes through several norms.
        """
        if self.spread is None:
            raise ValueError("Through several norms, only a forward pass shows what a part adds.")
        return factor * self.logit * self.spread.deviation(1) / self.spread.deviation(factor)


class Level(NamedTuple):
    """The stream at one depth.

    Attributes:
        path: the path of the stream.
        sublayer: the sublayer before it, such as ``decoder.0.self_attn``; empty at the embeddings.
        parts: the changes of the logit; their sum is ``logit`` minus that of the level before, or
            minus the bias at the embeddings. ``kept`` is the first part, if it exists.
        added: the length of the vector that the sublayer adds.
        length: the length of the stream.
        logit: the word's logit by the lens at this level; if parts are carried, their sum so far.
        is_set: whether the parts leave a rest larger than rounding, because cells are set by hand.
        stood: the contribution of the stream before the step, as the level before reads it.
        deviation: the divisor of the norm that reads the stream here; None without a norm.
        keeps: whether the step adds to the stream before it; without a residual connection, the
            output of the sublayer replaces that stream.
    """

    path: str
    sublayer: str
    parts: tuple[Part, ...]
    added: float
    length: float
    logit: float
    is_set: bool
    stood: float = 0.0
    deviation: float | None = None
    keeps: bool = True


class RunningSum(NamedTuple):
    """The levels of the stream at one position for one word.

    Attributes:
        bias: the bias of the output layer for the word.
        levels: the levels from the embeddings to the output.
        is_post_norm: whether a norm follows each sublayer.
        is_carried: whether each part is followed through all later norms.
    """

    bias: float
    levels: tuple[Level, ...]
    is_post_norm: bool
    is_carried: bool = False

    @property
    def logit(self) -> float:
        """The model's logit: ``bias`` plus all parts of all levels."""
        return self.levels[-1].logit


@checked()
def running_sum(
    trace: Trace, stack: str, position: int, token: int, *, carried: bool = False
) -> RunningSum:
    """Return the running sum of a word's logit at a position.

    Args:
        trace: a pass of one example.
        stack: the stack that the output reads: ``decoder``, or ``encoder`` without a decoder.
        position: the position, from 0.
        token: the id of the word, a column of the logits.
        carried: whether each part is followed through all later norms, with their present μ and σ,
            to the end. In this case there is no ``kept``, and the logits of the levels are partial
            sums; else they are the logits of the lens.

    Raises:
        ValueError: the output has a network of its own, so the logit is not a sum over the stream.
    """
    check_one_text(trace)
    check_choice("stack", stack, ("decoder" if "target.ids" in trace else "encoder",))
    rows, words = trace["output.logits"].shape
    check_whole("position", position, 0, rows - 1)
    check_whole("token", token, 0, words - 1)
    if "output.norm" in trace:
        raise ValueError(
            "The output of this model has a network of its own, so a logit is not a "
            "sum along the stream."
        )
    column, bias = _column(trace, token)
    final = trace.tensors.get(f"{stack}.final.norm")
    first, *later = (trace[path] for path in stream(trace, stack))
    read = _Reading(column, final)
    if final is not None:
        bias += float(column @ _float(final.inputs[2].value))
    steps = [_step(tensor, position) for tensor in later]
    reads = [read.at(_row(tensor, position)) for tensor in (first, *later)]
    if carried:
        reads = _carried(steps, reads[-1])
    now = _row(first, position)
    is_normed = final is not None or any(step.norm is not None for step in steps)
    through_many = carried and is_normed
    has_input_norm = isinstance(_dropout(first, position)[1].op, LayerNorm)
    parts = [
        part.read(reads[0], None if through_many or has_input_norm else read.spread(part, now))
        for part in _inputs(first, position)
    ]
    logit = bias + (sum(part.logit for part in parts) if carried else reads[0](now))
    levels = [_level(first, "", position, parts, now, logit, bias)]
    for step, tensor, to, last in zip(steps, later, reads[1:], reads, strict=False):
        before, now = now, _row(tensor, position)
        through = _through(step.norm, to)
        parts = [
            part.read(through, None if through_many else read.spread(part, now, step))
            for part in step.summands
        ]
        if step.norm is not None:
            beta = _Vector("beta", None, f"{step.sublayer}.beta", step.norm.beta)
            parts.append(beta.read(to, None if through_many else read.spread(beta, now)))
        if carried:
            done = to(step.rest(before, now))
            logit = levels[-1].logit + sum(part.logit for part in parts) + done
        else:
            if step.norm is not None or final is not None or not step.keeps:
                kept = (through(before) if step.keeps else 0.0) - last(before)
                parts.insert(0, Part("kept", None, "", 0.0, kept))
            logit = to(now) + bias
        found = _level(tensor, step.sublayer, position, parts, step.added, logit, levels[-1].logit)
        divided = read.deviation(now) if step.norm is None else step.norm.deviation
        levels.append(found._replace(stood=last(before), deviation=divided, keeps=step.keeps))
    return RunningSum(bias, tuple(levels), isinstance(later[-1].op, LayerNorm), carried)


Read = Callable[[np.ndarray], float]


class _Vector(NamedTuple):
    """A summand of the stream before it is read."""

    name: str
    head: int | None
    path: str
    vector: np.ndarray

    def read(self, read: Read, spread: Spread | None = NO_NORM) -> Part:
        length = float(np.linalg.norm(self.vector))
        return Part(self.name, self.head, self.path, length, read(self.vector), spread)

    def spread(self, row: np.ndarray, norm: LayerNorm) -> Spread:
        """Return the dependence of a norm's divisor on this vector, a summand of the norm's row."""
        rest = row - self.vector
        own, other = self.vector - self.vector.mean(), rest - rest.mean()
        d = len(row) - norm.is_sample
        variances = (
            float((a * b).sum()) / d for a, b in ((own, own), (own, other), (other, other))
        )
        found = Spread(*variances)
        if norm.is_sample:
            return found._replace(outside=norm.epsilon)
        return found._replace(rest=found.rest + norm.epsilon)


class _Frozen(NamedTuple):
    """x -> γ(x − mean(x))/σ, layer norm with the σ of one row and without β."""

    op: LayerNorm
    gamma: np.ndarray
    beta: np.ndarray
    deviation: float

    def __call__(self, x: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.gamma * (x - x.mean()) / self.deviation
        return found


class _Step(NamedTuple):
    """A sublayer: its summands, the vector that it adds, whether it keeps the stream, and its norm.

    ``normed`` is the row that the norm reads.
    """

    sublayer: str
    summands: list[_Vector]
    added: np.ndarray
    keeps: bool
    norm: _Frozen | None
    normed: np.ndarray

    def rest(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        """Return the stream after the step minus the stream before it and minus all summands."""
        total = sum((part.vector for part in self.summands), start=np.zeros_like(now))
        if self.keeps:
            total = total + before
        if self.norm is not None:
            total = self.norm(total) + self.norm.beta
        found: np.ndarray = now - total
        return found


def _step(tensor: Tensor, row: int) -> _Step:
    """Return the step that ends in a tensor of the stream."""
    residual, norm = tensor, None
    if isinstance(tensor.op, LayerNorm):
        residual = tensor.inputs[0]
        norm = _frozen(tensor, _row(residual, row))
    summands, added, keeps = _sublayer(residual, row)
    sublayer = tensor.path.rpartition(".")[0]
    return _Step(sublayer, summands, added, keeps, norm, _row(residual, row))


def _through(norm: _Frozen | None, to: Read) -> Read:
    """Return the function ``to`` of vectors, applied after a frozen norm."""
    return to if norm is None else lambda x: to(norm(x))


def _carried(steps: list[_Step], end: Read) -> list[Read]:
    """Return, for each level, a function that applies all later norms and ``end`` to vectors."""
    reads = [end]
    for step in reversed(steps):
        reads.append(_through(step.norm, reads[-1]) if step.keeps else lambda _: 0.0)
    return reads[::-1]


class _Reading(NamedTuple):
    """The output layer's function of the stream: a final norm, if any, and a word's column."""

    column: np.ndarray
    final: Tensor | None

    def at(self, row: np.ndarray) -> Read:
        """Return the function of vectors, with the σ of a row."""
        if self.final is None:
            return lambda x: float(self.column @ x)
        norm = _frozen(self.final, row)
        return lambda x: float(self.column @ norm(x))

    def deviation(self, row: np.ndarray) -> float | None:
        """Return the divisor of the final norm for a row; None without a final norm."""
        return None if self.final is None else _op(self.final).divisor(row)

    def spread(self, part: _Vector, row: np.ndarray, step: _Step | None = None) -> Spread | None:
        """Return the dependence of a part's divisor on the part; None after two norms."""
        if step is not None and step.norm is not None:
            return part.spread(step.normed, step.norm.op) if self.final is None else None
        return NO_NORM if self.final is None else part.spread(row, _op(self.final))


def _level(  # noqa: PLR0913 -- the fields of a level
    tensor: Tensor,
    sublayer: str,
    row: int,
    parts: list[Part],
    added: np.ndarray,
    logit: float,
    last: float,
) -> Level:
    """Return a level with the given parts, and a part ``rest`` for the unexplained remainder."""
    rest = logit - last - sum(part.logit for part in parts)
    size = 1 + abs(logit) + sum(abs(part.logit) for part in parts)
    parts = [*parts, Part("rest", None, "", 0.0, rest)]
    return Level(
        tensor.path,
        sublayer,
        tuple(parts),
        added=float(np.linalg.norm(added)),
        length=float(np.linalg.norm(_row(tensor, row))),
        logit=logit,
        is_set=abs(rest) > ROUNDING * size,
    )


def _inputs(tensor: Tensor, row: int) -> list[_Vector]:
    """Return the summands of a row at the embeddings: embedding, position and a norm's β."""
    keep, tensor = _dropout(tensor, row)
    names = {"embedding": "embedding", "positions": "positions"}
    found = []
    if isinstance(tensor.op, LayerNorm):  # affine with the σ of this pass, like the other norms
        norm, thinned = _frozen(tensor, _row(tensor.inputs[0], row)), keep
        found.append(_Vector("beta", None, tensor.inputs[2].path, thinned(norm.beta)))
        tensor = tensor.inputs[0]

        def keep(x: np.ndarray) -> np.ndarray:
            return thinned(norm(x))

    sources = tensor.inputs if tensor.op is ADD else (tensor,)
    for source in sources:
        source = _computed(source)
        name = names.get(source.path.rpartition(".")[2], "embedding")
        found.append(_Vector(name, None, source.path, keep(_row(source, row))))
    return found


def _sublayer(residual: Tensor, row: int) -> tuple[list[_Vector], np.ndarray, bool]:
    """Return the parts of a sublayer, the vector that it adds, and whether it keeps the stream."""
    keeps = residual.op is ADD
    added = residual.inputs[-1]
    keep, out = _dropout(added, row)
    x, weights, *bias = out.inputs
    # In the model's precision, because converting the weights of a large model would take longest.
    W, inner = weights.value, x.value[row]
    prefix = out.path.rpartition(".")[0]
    if x.op is CONCAT_HEADS:
        heads = len(x.inputs[0].value)
        width = len(inner) // heads
        found = [
            _Vector("head", h, f"{prefix}.head.{h}.context", keep(_float(inner[cut] @ W[cut])))
            for h in range(heads)
            for cut in (slice(h * width, (h + 1) * width),)
        ]
    else:
        found = [_Vector("network", None, _computed(x).path, keep(_float(inner @ W)))]
    found += [_Vector("bias", None, b.path, keep(_float(b.value))) for b in bias]
    return found, _row(added, row), keeps


def _computed(tensor: Tensor) -> Tensor:
    """Return the tensor whose op computes the numbers, before steps that are switched off."""
    while tensor.op is IDENTITY:
        (tensor,) = tensor.inputs
    return tensor


def _dropout(tensor: Tensor, row: int) -> tuple[Callable[[np.ndarray], np.ndarray], Tensor]:
    """Return the effect of dropout on vectors of a row, and the tensor before dropout."""
    if isinstance(tensor.op, Dropout):
        factors = tensor.op.kept[row] / (1 - tensor.op.rate)
        return (lambda x: x * factors), tensor.inputs[0]
    if tensor.op is IDENTITY:
        return (lambda x: x), tensor.inputs[0]
    return (lambda x: x), tensor


def _frozen(tensor: Tensor, row: np.ndarray) -> _Frozen:
    """Return a layer norm with the σ that it has for a row (d,)."""
    _, gamma, beta = tensor.inputs
    op = _op(tensor)
    return _Frozen(op, _float(gamma.value), _float(beta.value), op.divisor(row))


def _op(tensor: Tensor) -> LayerNorm:
    assert isinstance(tensor.op, LayerNorm)
    return tensor.op


def _column(trace: Trace, word: int) -> tuple[np.ndarray, float]:
    """Return the column of the output weights for a word, and its bias."""
    logits = trace["output.logits"]
    _, weights, *bias = logits.inputs
    W = _float(weights.value)
    column = W[word] if logits.op is TIED_LINEAR else W[:, word]
    return column, float(bias[0].value[word]) if bias else 0.0


def _row(tensor: Tensor, row: int) -> np.ndarray:
    return _float(tensor.value[row])


def _float(x: np.ndarray) -> np.ndarray:
    return np.asarray(x, np.float64)
