"""Measures how far a wish for a token is from being granted, if single numbers change.

Each frame of a sweep has one changed number, so that one sweep tries many numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math.experiments.nudges import Nudge, nudges
from transformer_math.graph.backward import gradients
from transformer_math.graph.sweep import sweep_by
from transformer_math.graph.trace import Trace

PIECE = 1 << 20  # bytes of a sweep's frames, so that they fit the processor's cache
AT_LEAST, MEMORY = 16, 128 << 20  # but at least 16 frames, if they fit in 128 MB

LOGITS = "output.logits"


class Likeliest(NamedTuple):
    """The wish that a token be the likeliest at a position.

    At every earlier position of a decoder, the likeliest token must stay the same, so that the
    answer keeps its beginning; in an encoder-only model, only the position itself counts.

    Attributes:
        position: the row of the logits, counted from 0.
        token: the id of the token.
    """

    position: int
    token: int


class Numbers(NamedTuple):
    """Some of the numbers, in the order of the pass.

    Attributes:
        path: (k,), for each number the index of its tensor in the list of paths.
        cell: (k,), the index in the flattened tensor.
        now: (k,), the value in the pass.
    """

    path: np.ndarray
    cell: np.ndarray
    now: np.ndarray

    def take(self, which: np.ndarray) -> Numbers:
        return Numbers(self.path[which], self.cell[which], self.now[which])


class Margins:
    """Sweeps numbers of a pass, and computes the margin of a wish in each frame."""

    def __init__(
        self,
        wish: Likeliest,
        trace: Trace,
        paths: Sequence[str],
        never: Collection[int],
        has_order: bool,
    ) -> None:
        """
        Args:
            wish: the wish.
            trace: the pass, of one example.
            paths: the stored tensors whose numbers are swept, in the order of the pass.
            never: ids of tokens that are never written.
            has_order: whether earlier positions are written earlier, so that they must stay.

        Raises:
            ValueError: there is no such position or token, or the token is the likeliest already or
                never written.
        """
        self._wish, self._paths, self._never = wish, paths, list(never)
        trace.locate(LOGITS, (wish.position, wish.token))  # raises if there is no such cell
        self._trace = trace = _up_to(trace, LOGITS, paths)
        if wish.token in self._never:
            raise ValueError("The wished-for token is never written.")
        logits = self._allowed(trace[LOGITS].value)
        self._earlier = logits[: wish.position if has_order else 0].argmax(-1)
        if logits[wish.position].argmax() == wish.token:
            raise ValueError("The wished-for token is the likeliest one already.")
        self._nudges = [nudges(trace, path) for path in paths]
        self.frame_bytes = np.array(
            [
                _bytes(trace, path, way is None)
                for path, way in zip(paths, self._nudges, strict=True)
            ],
            np.float64,
        )

    def along(self, numbers: Numbers, moves: np.ndarray) -> np.ndarray:
        """Return the margins of numbers (k,) along their moves (k, n): (k, n)."""
        values = numbers.now[:, None] + moves
        many = numbers.take(np.repeat(np.arange(len(moves)), moves.shape[1]))
        return self.at(many, values.ravel()).reshape(moves.shape)

    def at(self, numbers: Numbers, values: np.ndarray) -> np.ndarray:
        """Return the margin with each number alone at its value; −∞ if it cannot be computed.

        Args:
            numbers: (k,), in the order of the pass; a number may occur several times.
            values: (k,).

        Returns:
            (k,).
        """
        found, start = np.empty(len(values)), 0
        while start < len(values):
            bytes_of_one = int(self.frame_bytes[numbers.path[start]])
            at_once = max(1, PIECE // bytes_of_one, min(AT_LEAST, MEMORY // bytes_of_one))
            piece = np.arange(start, min(start + at_once, len(values)))
            found[piece] = self._swept(numbers.take(piece), values[piece])
            start += at_once
        return found

    def slopes(self) -> dict[str, np.ndarray]:
        """Return the gradient of the wished-for token's lead at the numbers of each tensor."""
        row, token = self._wish
        logits = self._trace[LOGITS].value
        others = self._allowed(logits)[row].copy()
        others[token] = -np.inf
        seed = np.zeros_like(logits)
        seed[row, token], seed[row, others.argmax()] = 1, -1
        return dict(gradients(self._trace, tuple(self._paths), LOGITS, seed))

    @property
    def now(self) -> float:
        """The margin of the pass itself."""
        return float(self._read(self._trace[LOGITS].value, 1)[0])

    def _swept(self, numbers: Numbers, values: np.ndarray) -> np.ndarray:
        """Return the margins of ``at``, in one sweep."""
        changes: dict[str, list[Callable[[np.ndarray], None]]] = {}
        for k in np.unique(numbers.path).tolist():
            frames = np.flatnonzero(numbers.path == k)
            path, ways = self._paths[k], self._nudges[k]
            cells = np.unravel_index(numbers.cell[frames], self._trace[path].value.shape)
            if ways is None:
                changes.setdefault(path, []).append(_Setter(frames, cells, values[frames]))
                continue
            by = values[frames] - numbers.now[frames]
            for way in ways:
                changes.setdefault(way.reader.path, []).append(_Adder(way, frames, cells, by))
        setters = {path: _together(each) for path, each in changes.items()}
        with np.errstate(all="ignore"):  # a number far off may overflow
            swept = sweep_by(self._trace, len(values), setters)
            return self._read(swept[LOGITS].value, len(values))

    def _read(self, logits: np.ndarray, count: int) -> np.ndarray:
        """Return the margins of frames of logits (…, positions, vocabulary)."""
        row = self._wish.position
        logits = self._allowed(np.broadcast_to(logits, (count, *logits.shape[-2:])))
        margins = _leads(logits[:, [row]], np.array([self._wish.token]))
        if len(self._earlier):
            begins = _leads(logits[:, : len(self._earlier)], self._earlier)
            margins = np.concatenate([margins, begins], axis=-1)
        margin: np.ndarray = margins.min(-1)
        margin[np.isnan(margin)] = -np.inf
        return margin

    def _allowed(self, logits: np.ndarray) -> np.ndarray:
        """Return the logits, with −∞ for tokens that are never written."""
        if not self._never:
            return logits
        logits = logits.copy()
        logits[..., self._never] = -np.inf
        return logits


class _Setter:
    """Sets one cell in each of some frames of a tensor."""

    def __init__(self, frames: np.ndarray, cells: Sequence[np.ndarray], values: np.ndarray) -> None:
        self._where, self._values = (frames, *cells), values

    def __call__(self, frames: np.ndarray) -> None:
        frames[self._where] = self._values


class _Adder:
    """Adds, in each of some frames, the effect of one number to the tensors that read it."""

    def __init__(
        self, way: Nudge, frames: np.ndarray, cells: Sequence[np.ndarray], by: np.ndarray
    ) -> None:
        self._way, self._of = way, (frames, cells, by)

    def __call__(self, frames: np.ndarray) -> None:
        self._way.add(frames, *self._of)


def _together(changes: Sequence[Callable[[np.ndarray], None]]) -> Callable[[np.ndarray], None]:
    """Return several changes of the same tensor, in different frames, as one."""

    def change(frames: np.ndarray) -> None:
        for each in changes:
            each(frames)

    return change


def _leads(logits: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Return the lead of each position's token over the largest other logit (…, n, V): (…, n)."""
    rows = np.arange(len(tokens))
    others = logits.astype(np.float64)
    leads = others[..., rows, tokens].copy()
    others[..., rows, tokens] = -np.inf
    return np.asarray(leads - others.max(-1))


def _up_to(trace: Trace, path: str, kept: Sequence[str]) -> Trace:
    """Return the part of a pass from which a tensor was computed, and some further tensors."""
    wanted = {path, *trace.upstream(path), *kept}
    part = Trace(trace.leading)
    part.tensors = {name: tensor for name, tensor in trace.tensors.items() if name in wanted}
    return part


def _bytes(trace: Trace, path: str, is_swept: bool) -> int:
    """Return the bytes of a frame: all tensors computed from a path and, if swept, its own."""
    downstream = sum(trace[each].value.nbytes for each in trace.downstream(path))
    return max(1, downstream + (trace[path].value.nbytes if is_swept else 0))
