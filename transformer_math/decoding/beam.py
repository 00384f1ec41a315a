"""Beam search: several hypotheses at a time, in the hope of one likelier than the greedy one.

At each step every open branch is continued by every token. Of all these children the ``beam_size``
likeliest stay: one that is ``end`` finishes its hypothesis, the others are open and go on. The
next best, up to 2 · beam_size in all, are kept in the tree as dropped, to show what lost to what.
Children of one step are equally long, so log P and score put them in the same order; the score
is for comparing finished hypotheses of unequal length.
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
    """Looks for the hypothesis with the best score, ``beam_size`` branches at a time.

    A beam size of 1 is greedy decoding. Finished hypotheses wait for better ones. Further tokens
    make log P no larger, and nothing divides it by more than lp(max_length), so a branch
    never comes to a score above log P / lp(max_length). The search stops when no open branch can
    come into the ``beam_size`` best that way: going on would find the same. At ``max_length``
    the open branches are ranked as they are.

    Args:
        source_ids: (n,), one source; None for a decoder-only model.
        decoding: where a target starts and ends, and how long it is at most.
        beam_size: how many children stay at each step, from 1.
        alpha: the strength of the length penalty, from 0 (none) to 10.
        penalty_form: which length penalty; see ``length_penalty``. Hugging Face's ``generate`` also
            goes by ``early_stopping``; here a search always goes on until nothing better can come.

    Raises:
        ValueError: the model has no decoder; ids, the settings, beam_size or alpha do not fit; or
            the logits are not finite.
    """
    beam_size, alpha = plain(beam_size), plain(alpha)
    check_whole("beam_size", beam_size, 1)
    check_number("alpha", alpha, 0, 10)
    decoder, logits = prefill(model, source_ids, decoding, one=True)
    search = _Search(decoding, beam_size, alpha, penalty_form)
    while search.grow(logits):
        decoder.reorder(search.rows)
        logits = decoder.step([node.token for node in search.open])
    return search.beam()


class _Search:
    """A search under way.

    Attributes:
        nodes: the tree so far.
        open: the branches that go on.
        rows: for each of them, which of the open branches before it continues.
        finished: the ends of hypotheses.
        stop: why it is over, once it is.
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
        """One step, given the logits (rows, V) after each open branch: whether to go on."""
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
        if not self.open:
            return "nothing open"
        bound = self.open[0].log_probability / length_penalty(
            self.max_length, self.alpha, self.form
        )
        if sum(node.score >= bound for node in self.finished) >= self.beam_size:
            return "nothing better"
        return "limit" if step == self.max_length else None

    def beam(self) -> BeamResult:
        """The tree and the best hypotheses; at equal scores the one that was there first."""
        assert self.stop is not None
        ends = self.finished + (self.open if self.stop == "limit" else [])
        ends = sorted(ends, key=lambda node: -node.score)
        return BeamResult(tuple(self.nodes), tuple(ends[: self.beam_size]), self.stop)


def _largest(totals: np.ndarray, logits: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Row and token of the largest totals (rows, V), the largest first; −∞ is not among them.

    Sums can round to the same number where the logits still differ; those then decide, as they
    do in greedy decoding. What is equal all the same stays in order of row and token.
    """
    flat = totals.ravel()
    least = -np.inf if count >= flat.size else np.partition(flat, -count)[-count]
    candidates = np.flatnonzero((flat >= least) & (flat > -np.inf))
    order = np.lexsort((-logits.ravel()[candidates], -flat[candidates]))[:count]
    rows, tokens = np.divmod(candidates[order], totals.shape[1])
    return list(zip(rows.tolist(), tokens.tolist(), strict=True))
