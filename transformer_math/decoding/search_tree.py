"""The tree of a beam search, with all hypotheses, including dropped ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from transformer_math.checks import check_choice

Status = Literal["open", "finished", "dropped"]
Stop = Literal["nothing open", "nothing better", "enough", "limit"]
Style = Literal["textbook", "huggingface"]
STYLES = ("textbook", "huggingface")

PenaltyForm = Literal["paper", "huggingface"]
PENALTY_FORMS = ("paper", "huggingface")


def length_penalty(length: int, alpha: float, form: PenaltyForm = "paper") -> float:
    """Return the divisor lp(Y) of log P, which makes hypotheses of different lengths comparable.

    ``paper`` is ``((5 + |Y|) / 6)^α``, equation 14 of "Google's Neural Machine Translation System"
    (Wu et al., 2016); the Transformer uses α = 0.6 (Section 6.1). ``huggingface`` is ``|Y|^α``;
    in ``generate``, α is called ``length_penalty`` and is 1.0 by default. For the same α,
    ``huggingface`` favors long hypotheses more.

    Args:
        length: ``|Y|``, the number of tokens written, the end included.
        alpha: α.
        form: ``paper`` or ``huggingface``.

    Raises:
        ValueError: there is no such form.
    """
    check_choice("penalty_form", form, PENALTY_FORMS)
    if form == "huggingface":
        return float(length**alpha)
    return float(((5 + length) / 6) ** alpha)


@dataclass(frozen=True, slots=True)
class Node:
    """One token of a hypothesis, a node of the tree.

    Attributes:
        id: its index in ``BeamResult.nodes``; 0 for the root.
        parent: the id of the previous token's node, None for the root.
        token: the token; the start token for the root.
        step: the number of tokens up to this one; 0 for the root.
        rank: the rank among all nodes of its step, from 1.
        probability: the probability of this token, given the previous tokens.
        log_probability: log P of all tokens up to this one.
        score: log P divided by the length penalty.
        status: ``finished`` if it ends a hypothesis, ``open`` if it is continued, else ``dropped``.
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
    """The tree of a beam search, and its best hypotheses.

    Attributes:
        nodes: every node, in order of step and rank.
        hypotheses: the last node of each hypothesis, best score first, at most ``beam_size``. Open
            nodes are included only if the search stopped at ``max_length``.
        stop: why the search stopped: ``nothing open``, ``nothing better`` possible, ``enough``
            finished, or the ``limit`` of the length.
    """

    nodes: tuple[Node, ...]
    hypotheses: tuple[Node, ...]
    stop: Stop

    @property
    def best(self) -> Node:
        """The last node of the hypothesis with the best score."""
        return self.hypotheses[0]

    def path(self, node: Node) -> list[int]:
        """Return the tokens up to a node, without the start token."""
        tokens = []
        while node.parent is not None:
            tokens.append(node.token)
            node = self.nodes[node.parent]
        return tokens[::-1]
