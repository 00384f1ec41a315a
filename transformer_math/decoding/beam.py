"""Beam search, which follows several hypotheses to find a likelier target than greedy decoding.

Each step continues every open hypothesis with every token, and ranks the 2 · beam_size likeliest
results. Within a step all lengths are equal, so log P is compared; finished hypotheses of different
lengths are compared by their score. There are two styles:

* ``textbook``: the ``beam_size`` likeliest results are kept. A result that ends with ``end`` is
  finished, and takes a place in that step only; others are open.
* ``huggingface``, that of ``generate(num_beams=…)``: the ``beam_size`` likeliest results without
  ``end`` are open, so that a finished result takes no place. A result with ``end`` is finished only
  if it is among the ``beam_size`` likeliest results.

The rest is recorded in the tree as dropped.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.checks import check_choice, check_number, check_whole, plain
from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.search_tree import (
    STYLES,
    BeamResult,
    Node,
    PenaltyForm,
    Status,
    Stop,
    Style,
    length_penalty,
)
from transformer_math.decoding.settings import Decoding
from transformer_math.model import Transformer
from transformer_math.suggestions import DECODED

EarlyStopping = bool | Literal["never"]


@checked(DECODED, ranges=True)
def beam_search(  # noqa: PLR0913 - the settings of a search, by keyword
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    *,
    beam_size: int,
    alpha: float | None = None,
    penalty_form: PenaltyForm | None = None,
    style: Style = "textbook",
    early_stopping: EarlyStopping | None = None,
) -> BeamResult:
    """Search for the hypotheses with the best scores.

    A beam size of 1 is greedy decoding. Further tokens do not increase log P, and the length
    penalty is at most lp(max_length), so no continuation of an open hypothesis scores above its
    log P / lp(max_length). In the textbook's style the search stops when no open hypothesis can
    reach the ``beam_size`` best finished hypotheses. At ``max_length``, open hypotheses compete
    with finished hypotheses.

    Args:
        model: the model.
        source_ids: (n,), one source; None for a decoder-only model.
        decoding: the start, the end and the maximal length of a target.
        beam_size: the number of hypotheses kept in each step, from 1.
        alpha: the strength of the length penalty, from 0 (none) to 10; in the style of Hugging
            Face from −10, its ``length_penalty``. By default 0.6, or 1 in that style.
        penalty_form: the form of the length penalty, by default that of the style; see
            ``length_penalty``.
        style: ``textbook`` or ``huggingface``; see above.
        early_stopping: when a search in the style of Hugging Face stops after ``beam_size``
            hypotheses are finished: immediately (True); when the likeliest open hypothesis does not
            score above the worst finished one at its present length (False, the default), although
            it might at a greater length; or when it cannot at any possible length (``"never"``).

    Raises:
        ValueError: the model has no decoder; ids, settings, beam_size or alpha do not fit; or the
            logits are not finite.
    """
    check_choice("style", style, STYLES)
    is_textbook = style == "textbook"
    if is_textbook and early_stopping is not None:
        raise ValueError('early_stopping belongs to style="huggingface".')
    if early_stopping not in (None, True, False, "never"):
        raise ValueError(f'early_stopping is True, False or "never", not {early_stopping!r}.')
    beam_size, alpha = plain(beam_size), plain(alpha)
    alpha = (0.6 if is_textbook else 1.0) if alpha is None else alpha
    check_whole("beam_size", beam_size, 1)
    check_number("alpha", alpha, 0 if is_textbook else -10, 10)
    form = penalty_form or ("paper" if is_textbook else "huggingface")
    decoder, logits = prefill(model, source_ids, decoding, one=True)
    kind = _Search if is_textbook else _HuggingFaceSearch
    search = kind(decoding, beam_size, alpha, form, early_stopping or False)
    while search.grow(logits):
        decoder.reorder(search.rows)
        logits = decoder.step([node.token for node in search.open])
    return search.result()


class _Search:
    """The state of a search in the textbook's style.

    Attributes:
        nodes: the nodes of the tree so far.
        open: the last nodes of the open hypotheses.
        rows: for each open node, the index of its parent among the open nodes of the step before.
        finished: the last nodes of the finished hypotheses.
        stop: the reason why the search is over; None while it continues.
    """

    def __init__(
        self,
        decoding: Decoding,
        beam_size: int,
        alpha: float,
        form: PenaltyForm,
        early_stopping: EarlyStopping,
    ) -> None:
        self.log_probabilities = decoding.log_probabilities
        self.form: PenaltyForm = form
        self.end, self.max_length = decoding.end, decoding.max_length
        self.beam_size, self.alpha, self.early_stopping = beam_size, alpha, early_stopping
        self.nodes = [Node(0, None, decoding.start, 0, 1, 1.0, 0.0, 0.0, "open")]
        self.open = self.nodes[:]
        self.rows: list[int] = [0]
        self.finished: list[Node] = []
        self.stop: Stop | None = None

    def grow(self, logits: np.ndarray) -> bool:
        """Take a step, given the logits (rows, V) after each open node; False after the last."""
        log_probabilities = self.log_probabilities(logits)
        before = np.array([node.log_probability for node in self.open])
        totals = before[:, None] + log_probabilities
        step = self.open[0].step + 1
        penalty = length_penalty(step, self.alpha, self.form)
        parents, self.open, self.rows = self.open, [], []
        for rank, (row, token) in enumerate(_largest(totals, logits, 2 * self.beam_size), 1):
            total, own = float(totals[row, token]), float(log_probabilities[row, token])
            node = Node(
                id=len(self.nodes),
                parent=parents[row].id,
                token=token,
                step=step,
                rank=rank,
                probability=float(np.exp(own)),
                log_probability=total,
                score=total / penalty,
                status=self._status(rank, token),
            )
            self.nodes.append(node)
            if node.status == "finished":
                self.finished.append(node)
            elif node.status == "open":
                self.open.append(node)
                self.rows.append(row)
        self.stop = self._stop(step)
        return self.stop is None

    def _status(self, rank: int, token: int) -> Status:
        """Return the status of the result of a rank, after the results of lower ranks."""
        if rank > self.beam_size:
            return "dropped"
        return "finished" if token == self.end else "open"

    def _stop(self, step: int) -> Stop | None:
        """Return the reason why the search stops after this step; None if it continues."""
        if not self.open:
            return "nothing open"
        if self._has_better(self.max_length):
            return "nothing better"
        return "limit" if step == self.max_length else None

    def _has_better(self, length: int) -> bool:
        """Return whether no open hypothesis of this length improves the result."""
        bound = self.open[0].log_probability / length_penalty(length, self.alpha, self.form)
        return sum(node.score >= bound for node in self.finished) >= self.beam_size

    def result(self) -> BeamResult:
        """Return the tree and the best hypotheses; among equal scores, the earliest is first."""
        assert self.stop is not None
        ends = self.finished + (self.open if self.stop == "limit" else [])
        ends = sorted(ends, key=lambda node: -node.score)
        return BeamResult(tuple(self.nodes), tuple(ends[: self.beam_size]), self.stop)


class _HuggingFaceSearch(_Search):
    """The state of a search in the style of Hugging Face's ``generate``."""

    def _status(self, rank: int, token: int) -> Status:
        if token == self.end:
            return "finished" if rank <= self.beam_size else "dropped"
        return "open" if len(self.open) < self.beam_size else "dropped"

    def _stop(self, step: int) -> Stop | None:
        if not self.open:
            return "nothing open"
        if step == self.max_length:  # open hypotheses compete, even if enough are finished
            return "limit"
        if self.early_stopping is True and len(self.finished) >= self.beam_size:
            return "enough"
        as_long_as_can_be = self.early_stopping == "never" and self.alpha > 0
        better = self._has_better(self.max_length if as_long_as_can_be else step)
        return "nothing better" if better else None


def _largest(totals: np.ndarray, logits: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Return row and token of the largest totals (rows, V) in descending order, without any −∞.

    Totals that are equal by rounding are ordered by their logits, as in greedy decoding; after
    that by row and token.
    """
    flat = totals.ravel()
    least = -np.inf if count >= flat.size else np.partition(flat, -count)[-count]
    candidates = np.flatnonzero((flat >= least) & (flat > -np.inf))
    order = np.lexsort((-logits.ravel()[candidates], -flat[candidates]))[:count]
    rows, tokens = np.divmod(candidates[order], totals.shape[1])
    return list(zip(rows.tolist(), tokens.tolist(), strict=True))
