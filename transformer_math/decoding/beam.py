"""Beam search, which follows several hypotheses to find a likelier one than greedy decoding.

Each step continues every open hypothesis with every token, and keeps the ``beam_size`` likeliest
results. One that ends with ``end`` is finished; the others are open. The next best, up to
2 · beam_size in all, are recorded in the tree as dropped. Within a step all lengths are equal, so
log P is compared; finished hypotheses of different lengths are compared by their score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checks import check_number, check_whole, plain
from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.search_tree import (
    BeamResult,
    Node,
    PenaltyForm,
    Stop,
    length_penalty,
)
from transformer_math.decoding.settings import Decoding
from transformer_math.model import Transformer


def beam_search(
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    *,
    beam_size: int,
    alpha: float = 0.6,
    penalty_form: PenaltyForm = "paper",
) -> BeamResult:
    """Search for the hypotheses with the best scores.

    A beam size of 1 is greedy decoding. Further tokens do not increase log P, and the length
    penalty is at most lp(max_length), so no continuation of an open hypothesis scores above its
    log P / lp(max_length). The search stops when none can reach the ``beam_size`` best finished
    ones. At ``max_length``, open hypotheses compete with the finished ones.

    Args:
        model: the model.
        source_ids: (n,), one source; None for a decoder-only model.
        decoding: the start, the end and the maximal length of a target.
        beam_size: the number of hypotheses kept in each step, from 1.
        alpha: the strength of the length penalty, from 0 (none) to 10.
        penalty_form: the form of the length penalty; see ``length_penalty``. There is no equivalent
            of ``early_stopping`` of Hugging Face's ``generate``.

    Raises:
        ValueError: the model has no decoder; ids, settings, beam_size or alpha do not fit; or the
            logits are not finite.
    """
    beam_size, alpha = plain(beam_size), plain(alpha)
    check_whole("beam_size", beam_size, 1)
    check_number("alpha", alpha, 0, 10)
    decoder, logits = prefill(model, source_ids, decoding, one=True)
    search = _Search(decoding, beam_size, alpha, penalty_form)
    while search.grow(logits):
        decoder.reorder(search.rows)
        logits = decoder.step([node.token for node in search.open])
    return search.result()


class _Search:
    """The state of a search.

    Attributes:
        nodes: the nodes of the tree so far.
        open: the last nodes of the open hypotheses.
        rows: for each of them, the index of its parent among the open nodes of the step before.
        finished: the last nodes of the finished hypotheses.
        stop: why the search is over; None while it is not.
    """

    def __init__(self, decoding: Decoding, beam_size: int, alpha: float, form: PenaltyForm) -> None:
        self.log_probabilities = decoding.log_probabilities
        self.form: PenaltyForm = form
        self.end, self.max_length = decoding.end, decoding.max_length
        self.beam_size, self.alpha = beam_size, alpha
        self.nodes = [Node(0, None, decoding.start, 0, 1, 1.0, 0.0, 0.0, "open")]
        self.open = self.nodes[:]
        self.rows: list[int] = [0]
        self.finished: list[Node] = []
        self.stop: Stop | None = None

    def grow(self, logits: np.ndarray) -> bool:
        """Take a step, given the logits (rows, V) after each open node; False if it is the last."""
        log_probabilities = self.log_probabilities(logits)
        before = np.array([node.log_probability for node in self.open])
        totals = before[:, None] + log_probabilities
        step = self.open[0].step + 1
        penalty = length_penalty(step, self.alpha, self.form)
        parents, self.open, self.rows = self.open, [], []
        for rank, (row, token) in enumerate(_largest(totals, logits, 2 * self.beam_size), 1):
            total, own = float(totals[row, token]), float(log_probabilities[row, token])
            stays = rank <= self.beam_size
            node = Node(
                id=len(self.nodes),
                parent=parents[row].id,
                token=token,
                step=step,
                rank=rank,
                probability=float(np.exp(own)),
                log_probability=total,
                score=total / penalty,
                status="dropped" if not stays else "finished" if token == self.end else "open",
            )
            self.nodes.append(node)
            if node.status == "finished":
                self.finished.append(node)
            elif stays:
                self.open.append(node)
                self.rows.append(row)
        self.stop = self._stop(step)
        return self.stop is None

    def _stop(self, step: int) -> Stop | None:
        """Why the search stops after this step, None if it goes on."""
        if not self.open:
            return "nothing open"
        bound = self.open[0].log_probability / length_penalty(
            self.max_length, self.alpha, self.form
        )
        if sum(node.score >= bound for node in self.finished) >= self.beam_size:
            return "nothing better"
        return "limit" if step == self.max_length else None

    def result(self) -> BeamResult:
        """The tree and the best hypotheses; of equal scores, the earlier one comes first."""
        assert self.stop is not None
        ends = self.finished + (self.open if self.stop == "limit" else [])
        ends = sorted(ends, key=lambda node: -node.score)
        return BeamResult(tuple(self.nodes), tuple(ends[: self.beam_size]), self.stop)


def _largest(totals: np.ndarray, logits: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Row and token of the largest totals (rows, V) in descending order, without any −∞.

    Totals that are equal by rounding are ordered by their logits, as in greedy decoding; after
    that by row and token.
    """
    flat = totals.ravel()
    least = -np.inf if count >= flat.size else np.partition(flat, -count)[-count]
    candidates = np.flatnonzero((flat >= least) & (flat > -np.inf))
    order = np.lexsort((-logits.ravel()[candidates], -flat[candidates]))[:count]
    rows, tokens = np.divmod(candidates[order], totals.shape[1])
    return list(zip(rows.tolist(), tokens.tolist(), strict=True))
