"""The loss: cross-entropy on logits, with label smoothing (Section 5.4; Szegedy et al., 2016)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checks import check_choice, check_fraction, plain
from transformer_math.ops.base import Gradients, Op, row_sums
from transformer_math.ops.expression import (
    Apply,
    Cell,
    Difference,
    Expression,
    Named,
    Number,
    Product,
    Quotient,
    Sum,
)
from transformer_math.ops.softmax import exponentials
from transformer_math.ops.tensor import Index, Tensor

SmoothingForm = Literal["paper", "torch"]
SMOOTHING_FORMS = ("paper", "torch")
REDUCTIONS = ("mean", "sum", "none")


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """What is right at each position, and how sure of it the loss wants the model to be.

    Attributes:
        ids: the token that is right, of the shape of the ids that the logits belong to. Padding
            does not count.
        smoothing: ε, the share that the right token gives up for all the others (Section 5.4).
        form: how that share is dealt out; see ``smoothed_targets``.

    Raises:
        ValueError: ε is not in [0, 1), or there is no such form.
    """

    ids: ArrayLike
    smoothing: float = 0.0
    form: SmoothingForm = "paper"

    def __post_init__(self) -> None:
        object.__setattr__(self, "smoothing", plain(self.smoothing))
        smoothed_targets(self.smoothing, self.form, 2)


def smoothed_targets(smoothing: float, form: SmoothingForm, size: int) -> tuple[float, float]:
    """The shares of the target distribution: what the right class gets, and every other one.

    ``paper``: 1 − ε and ε / (V − 1). ``torch``: ε is spread over all V classes alike, so that
    the right one has 1 − ε + ε / V.

    Raises:
        ValueError: ε is not in [0, 1), or there is no such form.
    """
    check_fraction("Label smoothing", smoothing)
    check_choice("smoothing_form", form, SMOOTHING_FORMS)
    if size == 1:
        return 1.0, 0.0
    other = smoothing / (size - 1 if form == "paper" else size)
    return 1 - (size - 1) * other, other


def token_losses(
    logits: np.ndarray, labels: np.ndarray, smoothing: float = 0.0, form: SmoothingForm = "paper"
) -> np.ndarray:
    """−Σ_v t_v log p_v for each token: logits (…, V) and labels (…,) give (…,).

    As log Σ exp x − Σ_v t_v x_v, which is the same because t sums to 1.
    """
    right, other = smoothed_targets(smoothing, form, logits.shape[-1])
    _, total, peak = exponentials(logits)
    wanted = logits.take(_right_cells(logits.shape, labels))[..., None]
    if smoothing:
        wanted = (right - other) * wanted + other * row_sums(logits)
    losses: np.ndarray = (np.log(total) + peak - wanted)[..., 0]
    return losses


def _right_cells(shape: tuple[int, ...], labels: np.ndarray) -> np.ndarray:
    """(…,): of logits (…, V) the cell of each label, counted through all of them."""
    size = shape[-1]
    cells: np.ndarray = np.arange(0, math.prod(shape), size).reshape(shape[:-1]) + labels
    return cells


def cross_entropy(  # noqa: PLR0913 - the arguments that PyTorch and ONNX have
    logits: np.ndarray,
    labels: np.ndarray,
    *,
    smoothing: float = 0.0,
    form: SmoothingForm = "paper",
    ignore: int | None = None,
    weights: np.ndarray | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> np.ndarray:
    """The cross-entropy of labels (…,) under logits (…, V).

    Args:
        logits: before any softmax.
        labels: the right class of each place.
        smoothing: ε, what the right class gives up for the others.
        form: how ε is shared out; see ``smoothed_targets``.
        ignore: a label that does not count, usually padding.
        weights: (V,), how much a place counts by its label.
        reduction: the mean over what counts (by weight), the sum, or each place by itself.

    Raises:
        ValueError: a setting is out of range.
    """
    check_choice("reduction", reduction, REDUCTIONS)
    counts = np.ones(labels.shape, bool) if ignore is None else labels != ignore
    known = np.where(counts, labels, 0)
    weight = counts.astype(logits.dtype) if weights is None else np.where(counts, weights[known], 0)
    losses = token_losses(logits, known, smoothing, form) * weight
    if reduction == "none":
        return losses
    total: np.ndarray = losses.sum()
    if reduction == "mean":
        total = total / max(weight.sum(), np.finfo(weight.dtype).tiny)
    return total


class TokenLoss(Op):
    """How surprised each position is by the token that comes: logits (…, n, V), labels (…, n).

    The softmax is inside, as log p = x − log Σ exp x. A position whose label is padding has 0.

    Attributes:
        smoothing: ε of label smoothing.
        form: how ε is shared out; see ``smoothed_targets``.
        pad: the label that does not count, None if all do.
    """

    __slots__ = ("form", "pad", "smoothing")

    def __init__(self, smoothing: float, form: SmoothingForm, pad: int | None) -> None:
        self.smoothing = smoothing
        self.form: SmoothingForm = form
        self.pad = pad

    @property
    def note(self) -> str:
        """What the target distribution t is."""
        if not self.smoothing:
            return "log Σ exp runs over all words of the row; the right word's logit is taken off."
        rest = "V − 1" if self.form == "paper" else "V"
        return (
            f"Label smoothing: t gives every word {self.smoothing:g} / ({rest}) "
            "and the right one the rest."
        )

    def forward(self, logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
        losses = token_losses(logits, labels, self.smoothing, self.form)
        return losses if self.pad is None else losses * (labels != self.pad)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dL = g (p − t): what was expected less what should have been."""
        logits, labels = values
        right, other = smoothed_targets(self.smoothing, self.form, logits.shape[-1])
        if self.pad is not None:
            g = g * (labels != self.pad)
        dx, total, _ = exponentials(logits)
        dx /= total
        if other:
            dx -= other
        dx = np.ascontiguousarray(dx)  # so that a change of its cells in a row is one of it
        dx.reshape(-1)[_right_cells(dx.shape, labels)] -= right - other
        dx *= g[..., None]
        return dx, None

    def explain(self, output: Tensor, index: Index) -> Expression:
        logits, labels = output.inputs
        (n,) = index
        label = int(labels.value[n])
        if label == self.pad:
            return Number(0.0, "0 (padding does not count)", exact=True)
        right, other = smoothed_targets(self.smoothing, self.form, logits.value.shape[-1])
        cells = [Cell(logits, (n, v)) for v in range(logits.value.shape[-1])]
        normalizer = Named("log Σ exp", _log_sum_exp(cells))
        if not other:
            return Difference(normalizer, cells[label])
        return Difference(
            normalizer,
            Sum(
                [Product((_share(right), cells[label]))]
                + [Product((_share(other), cell)) for v, cell in enumerate(cells) if v != label]
            ),
        )

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        logits, labels = output.inputs
        n, v = index
        label = int(labels.value[n])
        if label == self.pad:
            return Number(0.0, "0 (padding does not count)", exact=True)
        right, other = smoothed_targets(self.smoothing, self.form, logits.value.shape[-1])
        cells = [Cell(logits, (n, w)) for w in range(logits.value.shape[-1])]
        probability = Named("p", Apply("exp", math.exp, Difference(cells[v], _log_sum_exp(cells))))
        wanted = _share(right if v == label else other)
        return Product((Cell(flow, (n,)), Difference(probability, wanted)))

    def latex(self, logits: str, labels: str) -> str:
        return rf"-\sum_{{v}} t_{{v}} \log \mathrm{{softmax}}({logits})_{{v}}"


class MeanLoss(Op):
    """The mean over the positions that count: losses (…, n), labels (…, n) give one number.

    A batch is one number, too; the frames of a sweep keep one each.

    Attributes:
        pad: the label that does not count, None if all do.
    """

    __slots__ = ("pad",)

    def __init__(self, pad: int | None) -> None:
        self.pad = pad

    def forward(self, losses: np.ndarray, labels: np.ndarray) -> np.ndarray:
        if self.pad is not None:  # one may have been overridden
            losses = np.where(labels != self.pad, losses, 0)
        total = losses.sum(tuple(range(-labels.ndim, 0)))
        mean: np.ndarray = total / losses.dtype.type(self._count(labels))
        return mean

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        losses, labels = values
        each = np.asarray(g) / losses.dtype.type(self._count(labels))
        counts = np.ones(labels.shape, bool) if self.pad is None else labels != self.pad
        return each[(..., *(None,) * labels.ndim)] * counts, None

    def explain(self, output: Tensor, index: Index) -> Expression:
        losses, labels = output.inputs
        cells = [Cell(losses, (n,)) for n in range(labels.value.size) if self._counts(labels, n)]
        count = self._count(labels.value)
        if not cells:
            return Number(0.0, "0 (padding does not count)", exact=True)
        return Quotient(Sum(cells), Number(count, str(count), exact=True))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        labels = output.inputs[1]
        if not self._counts(labels, index[0]):
            return Number(0.0, "0 (padding does not count)", exact=True)
        count = self._count(labels.value)
        return Quotient(Cell(flow, ()), Number(count, str(count), exact=True))

    def latex(self, losses: str, labels: str) -> str:
        return rf"\frac{{1}}{{n}}\sum_{{i}} {losses}_{{i}}"

    def _counts(self, labels: Tensor, n: int) -> bool:
        return self.pad is None or int(labels.value[n]) != self.pad

    def _count(self, labels: np.ndarray) -> int:
        """How many positions count; at least 1, so that nothing but padding gives 0."""
        counted = labels.size if self.pad is None else int(np.count_nonzero(labels != self.pad))
        return max(counted, 1)


def _log_sum_exp(cells: list[Cell]) -> Expression:
    peak = Number(max(cell.evaluate() for cell in cells), "max")
    terms = [Apply("exp", math.exp, Difference(cell, peak)) for cell in cells]
    return Sum((peak, Apply("log", math.log, Sum(terms))))


def _share(share: float) -> Number:
    return Number(share, f"{share:.3g}")
