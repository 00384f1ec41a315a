"""The tree of a beam search: what was tried, what was dropped, and what came out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from transformer_math.checks import check_choice

Status = Literal["open", "finished", "dropped"]
Stop = Literal["nothing open", "nothing better", "limit"]


PenaltyForm = Literal["paper", "huggingface"]
PENALTY_FORMS = ("paper", "huggingface")


def length_penalty(length: int, alpha: float, form: PenaltyForm = "paper") -> float:
    """lp(Y), which log P is divided by to compare unequal lengths.

    ``|Y|`` counts the tokens written, the end included. ``paper``: ``((5 + |Y|) / 6)^α``, equation
    14 of "Google's Neural Machine Translation System" (Wu et al., 2016); the Transformer took
    α = 0.6 (Section 6.1). ``huggingface``: ``|Y|^α``, what ``generate`` calls ``length_penalty``
    and has at 1.0: log P for each token. It favors long hypotheses more than the paper's at the
    same α.

    Raises:
        ValueError: there is no such form.
    """
    check_choice("penalty_form", form, PENALTY_FORMS)
    if form == "huggingface":
        return float(length**alpha)
    return float(((5 + length) / 6) ** alpha)


@dataclass(frozen=True, slots=True)
class Node:
    """A token in the tree.

    Attributes:
        id: its place in ``BeamResult.nodes``; the root's is 0.
        parent: the id of the node before it, None for the root.
        token: the token, at the root the one that every target begins with.
        step: how many tokens lead to it, its own included; 0 for the root.
        rank: its place among all children of its step, from 1.
        probability: of this token after those before it.
        log_probability: of all the tokens that lead to it together.
        score: log P over the length penalty.
        status: ``finished`` if it ends a hypothesis; ``dropped`` if its rank is beyond the
            beam size; else ``open``: it went on, or could have when the search stopped.
    """

    id: int
    parent: int | None
    token: int
    step: int
    rank: int
    probability: float
    log_probability: float
    score: float
    status: Status


@dataclass(frozen=True, slots=True)
class BeamResult:
    """The tree of a beam search and the hypotheses it ended with.

    Attributes:
        nodes: every node, in order of step and rank.
        hypotheses: the last node of each, the best score first, as many as the search was wide
            at most. Open nodes are among them only if the search came to its limit.
        stop: why it stopped: ``nothing open`` to go on from, ``nothing better`` to be found, or
            the ``limit``.
    """

    nodes: tuple[Node, ...]
    hypotheses: tuple[Node, ...]
    stop: Stop

    @property
    def best(self) -> Node:
        """The last node of the hypothesis with the best score."""
        return self.hypotheses[0]

    def path(self, node: Node) -> list[int]:
        """The tokens that lead to a node, its own included and the root's not."""
        tokens = []
        while node.parent is not None:
            tokens.append(node.token)
            node = self.nodes[node.parent]
        return tokens[::-1]
