"""The loss: cross-entropy on logits, with label smoothing (Section 5.4; Szegedy et al., 2016)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked_settings
from transformer_math.checks import check_choice, check_fraction, described, plain
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
from transformer_math.suggestions import LABELS

SmoothingForm = Literal["paper", "torch"]
SMOOTHING_FORMS = ("paper", "torch")
REDUCTIONS = ("mean", "sum", "none")


@checked_settings("Labels", LABELS)
@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The target of the loss: the correct token at each position, and the label smoothing.

    Attributes:
        ids: the correct tokens, in the shape of the ids to which the logits belong. Padding does
            not count.
        smoothing: ε, the probability that is taken from the correct token (Section 5.4).
        form: how ε is shared among the tokens; see ``smoothed_targets``.

    Raises:
        ValueError: ε is not in [0, 1), or the form is unknown.
    """

    ids: ArrayLike
    smoothing: float = 0.0
    form: SmoothingForm = "paper"

    def __post_init__(self) -> None:
        object.__setattr__(self, "smoothing", plain(self.smoothing))
        smoothed_targets(self.smoothing, self.form, 2)
        ids = np.asarray(self.ids)
        if ids.size and ids.dtype.kind not in "iu":
            raise ValueError(f"ids holds whole numbers, not {described(self.ids)}.")


def smoothed_targets(smoothing: float, form: SmoothingForm, size: int) -> tuple[float, float]:
    """Return the target probability of the correct class, and that of every other class.

    ``paper``: 1 − ε and ε / (V − 1). ``torch``: ε is spread evenly over all V classes, so the
    correct class gets 1 − ε + ε / V.

    Raises:
        ValueError: ε is not in [0, 1), or the form is unknown.
    """
    check_fraction("smoothing", smoothing)
    check_choice("form", form, SMOOTHING_FORMS)
    if size == 1:
        return 1.0, 0.0
    other = smoothing / (size - 1 if form == "paper" else size)
    return 1 - (size - 1) * other, other


def smallest_loss(smoothing: float, form: SmoothingForm, size: int) -> float:
    """Return the smallest loss of a token in nats: the entropy of its smoothed target, Σ −t log t.

    Raises:
        ValueError: as for ``smoothed_targets``.
    """
    right, other = smoothed_targets(smoothing, form, size)
    return -right * math.log(right) - ((size - 1) * other * math.log(other) if other else 0)


def token_losses(
    logits: np.ndarray, labels: np.ndarray, smoothing: float = 0.0, form: SmoothingForm = "paper"
) -> np.ndarray:
    """Return −Σ_v t_v log p_v for each token: logits (…, V) and labels (…,) give (…,).

    Computed as log Σ exp x − Σ_v t_v x_v, which is equal because t sums to 1.
    """
    right, other = smoothed_targets(smoothing, form, logits.shape[-1])
    _, total, peak = exponentials(logits)
    wanted = logits.take(_right_cells(logits.shape, labels))[..., None]
    if smoothing:
        wanted = (right - other) * wanted + other * row_sums(logits)
    losses: np.ndarray = (np.log(total) + peak - wanted)[..., 0]
    return losses


def _right_cells(shape: tuple[int, ...], labels: np.ndarray) -> np.ndarray:
    """Return the flat index of each label's cell in logits of a shape (…, V): (…,)."""
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
    """Return the cross-entropy of labels (…,) under logits (…, V).

    Args:
        logits: unnormalized log-probabilities.
        labels: the correct classes.
        smoothing: ε of label smoothing.
        form: how ε is shared among the classes; see ``smoothed_targets``.
        ignore: a label that does not count, usually padding.
        weights: (V,), the weight of each class.
        reduction: the (weighted) mean, the sum, or "none" for the loss of each label.

    Raises:
        ValueError: a setting is out of range.
    """
    check_choice("reduction", reduction, REDUCTIONS)
    _check_labels(logits, labels, ignore)
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


def _check_labels(logits: np.ndarray, labels: np.ndarray, ignore: int | None) -> None:
    """Check that there is a label for each row of logits.

    Raises:
        ValueError: the shapes differ, or a label is no class.
    """
    if labels.shape != logits.shape[:-1]:
        raise ValueError(
            f"labels has the shape {labels.shape}, and logits {logits.shape} asks for "
            f"{logits.shape[:-1]}."
        )
    classes = logits.shape[-1]
    counted = labels[labels != ignore] if ignore is not None else labels
    if labels.dtype.kind not in "iu" or ((counted < 0) | (counted >= classes)).any():
        raise ValueError(f"labels holds whole numbers from 0 to {classes - 1}, the classes.")


class TokenLoss(Op):
    """The cross-entropy at each position: logits (…, n, V) and labels (…, n) give (…, n).

    The softmax is included, as log p = x − log Σ exp x. Where the label is padding, the loss is 0.

    Attributes:
        smoothing: ε of label smoothing.
        form: how ε is shared among the tokens; see ``smoothed_targets``.
        pad: the label that does not count, None if all do.
    """

    __slots__ = ("form", "pad", "smoothing")

    def __init__(self, smoothing: float, form: SmoothingForm, pad: int | None) -> None:
        self.smoothing = smoothing
        self.form: SmoothingForm = form
        self.pad = pad

    @property
    def note(self) -> str:
        """The target distribution t, in words."""
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
        """dL = g (p − t): the predicted distribution minus the target distribution."""
        logits, labels = values
        right, other = smoothed_targets(self.smoothing, self.form, logits.shape[-1])
        if self.pad is not None:
            g = g * (labels != self.pad)
        dx, total, _ = exponentials(logits)
        dx /= total
        if other:
            dx -= other
        dx = np.ascontiguousarray(dx)  # so that reshape returns a view, through which dx changes
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
    """The mean over all positions whose label is not padding: losses and labels (…, n).

    A whole batch gives one number; a sweep gives one number for each frame.

    Attributes:
        pad: the label that does not count, None if all do.
    """

    __slots__ = ("pad",)

    def __init__(self, pad: int | None) -> None:
        self.pad = pad

    def forward(self, losses: np.ndarray, labels: np.ndarray) -> np.ndarray:
        if self.pad is not None:  # the loss at a padded position may have been overridden
            losses = np.where(labels != self.pad, losses, 0)
        total = losses.sum(tuple(range(-labels.ndim, 0)))
        return np.asarray(total / losses.dtype.type(self._count(labels)))

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
        """Return the number of positions that count, at least 1, so that padding alone gives 0."""
        counted = labels.size if self.pad is None else int(np.count_nonzero(labels != self.pad))
        return max(counted, 1)


def _log_sum_exp(cells: list[Cell]) -> Expression:
    peak = Number(max(cell.evaluate() for cell in cells), "max")
    terms = [Apply("exp", math.exp, Difference(cell, peak)) for cell in cells]
    return Sum((peak, Apply("log", math.log, Sum(terms))))


def _share(share: float) -> Number:
    return Number(share, f"{share:.3g}")
