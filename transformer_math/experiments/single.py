"""Finds each number that alone, moved within a range, makes a token the likeliest.

Sweeps set each number to values on both sides of its present value, denser near it. Bisection
refines the border between the last value that fails and the first that succeeds, to three figures
of the move. If the slope of the curve beside a gap between two values suggests a success within the
gap, more values there are tried; a success without this sign can be missed.

In a larger model, the numbers are tried in the order of their gradients up to a budget of work, and
the result has the count of tried numbers. The gradient also estimates how far each number must
move, so that a few values near that estimate are enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_above, check_whole, naming
from transformer_math.experiments.borders import brackets, gaps
from transformer_math.experiments.margins import Likeliest, Margins, Numbers
from transformer_math.experiments.pull_problem import Free
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer, checked_ids
from transformer_math.ops.embedding import Embed
from transformer_math.ops.tensor import Index, Tensor

SPAN = 4.0  # the farthest that a number is moved, up and down
STEPS = 16  # values tried in each direction
CLOSER, LOOKS = 6, 4  # parts into which a gap is divided; maximum number of repetitions
BISECTIONS = 40  # maximum number; ten are enough unless the border is very near
FIGURES = 3  # precision of a border, in figures of the move
# Work is measured in bytes computed. A second computes about a gigabyte of a small model.
WORK = 2 << 30
PART = 64 << 20  # bytes between two states of the search
# Multiples of the move that the gradient predicts; the last is the largest possible move.
NEAR = (1.05, 1.6, 3.0, 8.0, np.inf)
TRIES = len(NEAR) + 11  # values that are tried for a number of a large model, also at its border
AT_ONCE = 16  # minimum count of numbers of a large model between two states
MOST = 20_000  # maximum count of numbers that are tried in a large model


class SingleNumber(NamedTuple):
    """A number, and the value nearest to its present value that grants the wish.

    Attributes:
        path: the path of the stored tensor.
        cell: the index of the number in the tensor.
        now: the value in the pass.
        value: the value that grants the wish; if none does, the value that comes nearest.
        margin: the logit of the wished-for token minus the largest other logit at ``value``; or the
            same for an earlier token if that is smaller; negative if the wish is not granted.
    """

    path: str
    cell: Index
    now: float
    value: float
    margin: float

    @property
    def move(self) -> float:
        """The change of the number, above 0 if it moves up."""
        return self.value - self.now


class SingleNumbers(NamedTuple):
    """The state of a search.

    Attributes:
        wish: the wish.
        span: every number was moved by at most this much, up and down.
        tried: the count of tried numbers so far.
        planned: the count of numbers to try within the budget.
        of: the count of all numbers.
        found: the numbers that grant the wish alone, smallest move first.
        nearest: if there are none, the number that comes nearest; None if the answer depends on
            none of the tried numbers.
        ended: whether the search is over; if ``tried`` is less than ``of``, the budget was spent.
    """

    wish: Likeliest
    span: float
    tried: int
    planned: int
    of: int
    found: tuple[SingleNumber, ...]
    nearest: SingleNumber | None
    ended: bool


@checked()
def single_numbers(  # noqa: PLR0913 - the options of a search, by keyword
    model: Transformer,
    wish: Likeliest,
    trace: Trace,
    *,
    free: Free | None = None,
    span: float = SPAN,
    never: Collection[int] = (),
    work: int = WORK,
) -> SingleNumbers:
    """Return every number that alone makes a token the likeliest, the least move first.

    Args:
        model: the model.
        wish: the position and the token.
        trace: a pass of the model, of one example. Its overrides and dropout masks are kept, except
            the override of the moved number.
        free: the numbers to try: path -> Boolean array, or None for a whole tensor. By default all
            parameters. A computed tensor is changed as by an override.
        span: the maximum move of a number, up or down.
        never: ids of tokens that are never written, such as that of the padding.
        work: the bytes that may be computed. If all numbers take more, those with the smallest
            gradients are not tried.

    Raises:
        KeyError: no such path.
        ValueError: there is no such position or token, the token is the likeliest already or never
            written, there is no number to try, a mask does not fit, or the pass is not of one
            example.
    """
    *_, end = single_numbers_so_far(
        model, wish, trace, free=free, span=span, never=never, work=work
    )
    return end


@checked()
def single_numbers_so_far(  # noqa: PLR0913
    model: Transformer,
    wish: Likeliest,
    trace: Trace,
    *,
    free: Free | None = None,
    span: float = SPAN,
    never: Collection[int] = (),
    work: int = WORK,
) -> Iterator[SingleNumbers]:
    """Yield the states of the search of ``single_numbers``; the last state is complete.

    Arguments and errors as for ``single_numbers``.
    """
    free = dict.fromkeys(model.parameters) if free is None else free
    check_whole("work", work, 0)
    check_above("span", span, 0)
    words = model.config.output_vocabulary
    never = checked_ids("never", list(never), words).tolist() if len(never) else []
    has_order = model.config.decoder_layers > 0  # in an encoder, only one position counts
    return _Search(wish, trace, free, span, never, has_order).run(work)


class _Search:
    """The search; see the module's docstring."""

    def __init__(
        self,
        wish: Likeliest,
        trace: Trace,
        free: Free,
        span: float,
        never: Collection[int],
        has_order: bool,
    ) -> None:
        check_one_text(trace)
        with naming("free"):
            self._masks = {path: _mask(trace, path, mask) for path, mask in free.items()}
            self._of = sum(int(mask.sum()) for mask in self._masks.values())
            if not self._of:
                raise ValueError("There is no number to try.")
        self._wish, self._span, self._trace = wish, float(span), trace
        self._tensors = [tensor for path, tensor in trace.tensors.items() if path in self._masks]
        with naming("wish"):
            paths = list(map(_path, self._tensors))
            self._margins = Margins(wish, trace, paths, never, has_order)
        # Denser near the present value, where the least move is.
        steps = np.arange(-STEPS, STEPS + 1) / STEPS
        self._grid = self._span * np.sign(steps) * steps**2

    def run(self, work: int) -> Iterator[SingleNumbers]:
        read = [self._masks[x.path] & _read(self._trace, x) for x in self._tensors]
        costs = self._margins.frame_bytes * [int(mask.sum()) for mask in read] * len(self._grid)
        return self._all_of(read) if costs.sum() <= work else self._steepest(read, work)

    def _all_of(self, read: list[np.ndarray]) -> Iterator[SingleNumbers]:
        """Try all numbers, each at many values."""
        found: list[SingleNumber] = []
        nearest: SingleNumber | None = None
        numbers = _numbers(self._tensors, read)
        cost = self._margins.frame_bytes[numbers.path] * len(self._grid)
        # Numbers that no op reads have no effect, and count as tried.
        tried = self._of - len(numbers.path)
        for part in _parts(cost):
            more, best = self._try(numbers.take(part))
            found += more
            nearest = _better(nearest, best)
            tried += len(part)
            yield self._state(tried, self._of, found, nearest)
        if not len(cost):
            yield self._state(self._of, self._of, found, nearest)

    def _steepest(self, read: list[np.ndarray], work: int) -> Iterator[SingleNumbers]:
        """Try the numbers with the largest gradients, near the moves that the gradients predict."""
        found: list[SingleNumber] = []
        nearest: SingleNumber | None = None
        numbers, slopes = self._by_slope(read)
        cost = self._margins.frame_bytes[numbers.path] * TRIES
        planned = min(max(1, int((np.cumsum(cost) <= work).sum())), len(cost))
        tried = 0
        while tried < planned:
            count = max(AT_ONCE, int((np.cumsum(cost[tried:]) <= PART).sum()))
            part = np.arange(tried, min(tried + count, planned))
            part = part[np.lexsort((numbers.cell[part], numbers.path[part]))]
            more, best = self._try_near(numbers.take(part), slopes[part])
            found += more
            nearest = _better(nearest, best)
            tried += len(part)
            yield self._state(tried, planned, found, nearest)
        if not planned:  # the answer depends on no number
            yield self._state(0, 0, found, nearest)

    def _by_slope(self, read: list[np.ndarray]) -> tuple[Numbers, np.ndarray]:
        """Return the numbers with the largest gradients, the largest first, and those gradients."""
        gradients = self._margins.slopes()
        kept, slopes = Numbers(*np.empty((3, 0), int)), np.empty(0)
        least = 0.0  # smaller gradients cannot be among the largest
        for k, (tensor, mask) in enumerate(zip(self._tensors, read, strict=True)):
            slope = gradients[tensor.path].ravel()
            cells = np.flatnonzero((np.abs(slope) > least) & mask.ravel())
            cells = cells[np.isfinite(tensor.value.ravel()[cells])]
            more = Numbers(np.full(len(cells), k), cells, _now(tensor, cells))
            kept = _joined([kept, more])
            slopes = np.concatenate([slopes, slope[cells].astype(np.float64)])
            if len(slopes) > MOST:
                largest = np.sort(np.argpartition(-np.abs(slopes), MOST)[:MOST])
                kept, slopes = kept.take(largest), slopes[largest]
                least = float(np.abs(slopes).min())
        order = np.argsort(-np.abs(slopes), kind="stable")
        return kept.take(order), slopes[order]

    def _try_near(
        self, numbers: Numbers, slopes: np.ndarray
    ) -> tuple[list[SingleNumber], SingleNumber]:
        """Try numbers as ``_try`` does, at a few values around the predictions of the gradients."""
        foretold = np.clip(-self._margins.now / slopes, -self._span, self._span)
        ways, last = np.arange(len(slopes)), np.zeros(len(slopes))
        crossings: list[tuple[np.ndarray, ...]] = []
        best: SingleNumber | None = None
        for times in NEAR:
            moves = np.clip(times * foretold[ways], -self._span, self._span)
            is_new = np.abs(moves) > np.abs(last[ways])
            ways, moves = ways[is_new], moves[is_new]
            if not len(ways):
                break
            margins = self._margins.along(numbers.take(ways), moves[:, None])
            best = _better(best, self._best(numbers.take(ways), moves[:, None], margins))
            holds = margins[:, 0] > 0
            crossings.append((ways[holds], last[ways[holds]], moves[holds]))
            ways, moves = ways[~holds], moves[~holds]
            last[ways] = moves
        assert best is not None  # every number was moved
        which, low, high = (np.concatenate(each) for each in zip(*crossings, strict=True))
        order = np.argsort(which, kind="stable")
        found = self._refined(numbers.take(which[order]), low[order], high[order])
        return found, best

    def _state(
        self, tried: int, planned: int, found: list[SingleNumber], nearest: SingleNumber | None
    ) -> SingleNumbers:
        none, ended = None if found else nearest, tried == planned
        found.sort(key=_far)
        return SingleNumbers(
            self._wish, self._span, tried, planned, self._of, tuple(found), none, ended
        )

    def _try(self, numbers: Numbers) -> tuple[list[SingleNumber], SingleNumber]:
        """Return the numbers among these that grant the wish, and the number that comes nearest."""
        which = np.arange(len(numbers.path))
        moves = np.tile(self._grid, (len(which), 1))
        crossings: list[tuple[np.ndarray, ...]] = []
        best: SingleNumber | None = None
        for looked in range(1 + LOOKS):
            margins = self._margins.along(numbers.take(which), moves)
            best = _better(best, self._best(numbers.take(which), moves, margins))
            crossings.append(brackets(which, moves, margins))
            rows, columns = gaps(moves, margins)
            if looked == LOOKS or not len(rows):
                break
            left, right = moves[rows, columns][:, None], moves[rows, columns + 1][:, None]
            which, moves = which[rows], left + (right - left) * np.linspace(0, 1, CLOSER + 1)
        which, low, high = (np.concatenate(each) for each in zip(*crossings, strict=True))
        order = np.argsort(which, kind="stable")  # a sweep takes them in the order of the pass
        found = self._refined(numbers.take(which[order]), low[order], high[order])
        assert best is not None  # every number was moved
        return _least_of_each(found), best

    def _best(self, numbers: Numbers, moves: np.ndarray, margins: np.ndarray) -> SingleNumber:
        """Return the number and the move with the largest margin."""
        k, m = divmod(int(margins.argmax()), margins.shape[1])
        return self._named(numbers, k, numbers.now[k] + moves[k, m], margins[k, m])

    def _refined(self, numbers: Numbers, low: np.ndarray, high: np.ndarray) -> list[SingleNumber]:
        """Return the numbers at their borders between failing (low) and successful (high) moves."""
        if not len(low):
            return []
        enough = 0.5 * 10.0**-FIGURES
        for _ in range(BISECTIONS):
            wide = np.flatnonzero(np.abs(high - low) > enough * np.abs(high))
            if not len(wide):
                break
            middle = (low[wide] + high[wide]) / 2
            holds = self._margins.along(numbers.take(wide), middle[:, None])[:, 0] > 0
            high[wide] = np.where(holds, middle, high[wide])
            low[wide] = np.where(holds, low[wide], middle)
        exact = numbers.now + high
        unit = 10.0 ** (np.floor(np.log10(np.abs(high))) - FIGURES + 1)
        short = np.where(high > 0, np.ceil(exact / unit), np.floor(exact / unit)) * unit
        margins = self._margins.at(numbers, short)
        # If the successful values are closer than a digit, the border itself is taken.
        kept = (margins > 0) & (np.abs(short - numbers.now) <= self._span)
        value = np.where(kept, short, exact)
        margins = np.where(kept, margins, self._margins.at(numbers, exact))
        return [
            self._named(numbers, k, value[k], margins[k])
            for k in range(len(value))
            if margins[k] > 0
        ]

    def _named(self, numbers: Numbers, k: int, value: float, margin: float) -> SingleNumber:
        tensor = self._tensors[numbers.path[k]]
        cell = tuple(int(i) for i in np.unravel_index(numbers.cell[k], tensor.value.shape))
        # Multiples of 0.001 are not exact in binary; a double has 15 digits.
        value = float(f"{value:.15g}")
        return SingleNumber(tensor.path, cell, float(numbers.now[k]), value, float(margin))


def _path(tensor: Tensor) -> str:
    return tensor.path


def _far(one: SingleNumber) -> float:
    return abs(one.move)


def _better(one: SingleNumber | None, other: SingleNumber) -> SingleNumber:
    return other if one is None or other.margin > one.margin else one


def _least_of_each(found: Sequence[SingleNumber]) -> list[SingleNumber]:
    """Keep, of the two directions of each number, the direction with the smaller move."""
    least: dict[tuple[str, Index], SingleNumber] = {}
    for one in found:
        known = least.get((one.path, one.cell))
        if known is None or abs(one.move) < abs(known.move):
            least[one.path, one.cell] = one
    return list(least.values())


def _mask(trace: Trace, path: str, mask: np.ndarray | None) -> np.ndarray:
    """Return the mask of the numbers of a tensor to try."""
    tensor = trace[path]  # raises if there is none
    if trace.tensors.get(path) is not tensor:
        raise ValueError(f"{path} is a part of a tensor; name the tensor, and give a mask.")
    if tensor.value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers, which cannot move a little.")
    found = np.ones(tensor.value.shape, bool) if mask is None else np.asarray(mask, bool)
    if found.shape != tensor.value.shape:
        raise ValueError(
            f"The mask of {path} has the shape {found.shape}, not {tensor.value.shape}."
        )
    return found


def _numbers(tensors: Sequence[Tensor], masks: Sequence[np.ndarray]) -> Numbers:
    """Return the numbers to sweep: the finite numbers in the masks."""
    found = []
    for k, (tensor, mask) in enumerate(zip(tensors, masks, strict=True)):
        cells = np.flatnonzero(mask & np.isfinite(tensor.value))
        found.append(Numbers(np.full(len(cells), k), cells, _now(tensor, cells)))
    return _joined(found)


def _now(tensor: Tensor, cells: np.ndarray) -> np.ndarray:
    now: np.ndarray = tensor.value.ravel()[cells].astype(np.float64)
    return now


def _joined(numbers: Sequence[Numbers]) -> Numbers:
    return Numbers(*(np.concatenate(each) for each in zip(*numbers, strict=True)))


def _parts(cost: np.ndarray) -> list[np.ndarray]:
    """Divide numbers with these costs into parts; each part is an array of indices."""
    if not len(cost):
        return []
    part = (np.cumsum(cost) // PART).astype(int)
    return np.split(np.arange(len(cost)), np.flatnonzero(np.diff(part)) + 1)


def _read(trace: Trace, tensor: Tensor) -> np.ndarray:
    """Return the mask of the numbers that an op reads: in an embedding table, the texts' rows."""
    readers = trace.readers(tensor.path)
    if not readers or not all(isinstance(reader.op, Embed) for reader, _ in readers):
        return np.ones(tensor.value.shape, bool)
    read = np.zeros(tensor.value.shape, bool)
    for reader, _ in readers:
        read[reader.inputs[0].value.ravel()] = True
    return read
