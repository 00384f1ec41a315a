"""Runs beam search; returns its tree for drawing, its hypotheses, and the details of one node."""

from typing import TypedDict

import numpy as np

from transformer_math.decoding import BeamResult, Decoder, Node, beam_search, length_penalty
from transformer_math.decoding.search_tree import PenaltyForm, Style
from transformer_math.ops import softmax

from .bars import Bars, bars
from .settings import DecodingSettings
from .task import DecodingTask, display_token
from .tree_layout import kept_rows, node_rows

# The length penalty of each style.
PENALTIES: dict[Style, PenaltyForm] = {"textbook": "paper", "huggingface": "huggingface"}


class TreeNode(TypedDict):
    """A node of the drawn tree, in the column ``step`` and the row ``row``.

    ``own`` is the log-probability of the token and ``total`` that of the text; ``penalty`` is the
    length penalty. ``best`` is set on the path to the best hypothesis.
    """

    id: int
    parent: int | None
    token: str
    step: int
    row: float
    rank: int
    p: float
    own: float
    total: float
    penalty: float
    score: float
    status: str
    best: bool


class Hypothesis(TypedDict):
    """A text that the search returned."""

    id: int
    text: str
    finished: bool


class SearchTree(TypedDict):
    """The tree, and the hypotheses in descending order of score.

    ``nodes`` are in order of step and rank; ``rows`` is the number of rows of the kept branches,
    ``stop`` is the reason why the search ended, and ``style`` the style of the search.
    """

    given: list[str]
    nodes: list[TreeNode]
    hypotheses: list[Hypothesis]
    rows: int
    stop: str
    alpha: float
    style: Style


class NodeDetail(TypedDict):
    """A node: its text, the text before its token, and the distribution of its token."""

    id: int
    before: str
    text: str
    bars: Bars


class Search:
    """A finished search; a node is identified by the tokens on its path from the root."""

    def __init__(self, task: DecodingTask, beam: BeamResult, alpha: float, style: Style) -> None:
        self.task, self.beam, self.alpha, self.style = task, beam, alpha, style

    def find(self, path: tuple[int, ...] | None) -> Node:
        """Return the node with this path of tokens; if there is none, the best hypothesis."""
        if path is not None:
            for node in self.beam.nodes:
                if node.step == len(path) and tuple(self.beam.path(node)) == path:
                    return node
        return self.beam.best

    def at_step(self, step: int) -> Node | None:
        """Return the best hypothesis's node at a step; None if the hypothesis is shorter."""
        node = self.beam.best
        if not 0 < step <= node.step:
            return None
        while node.step > step:
            assert node.parent is not None
            node = self.beam.nodes[node.parent]
        return node

    def to_dict(self) -> SearchTree:
        """Return the tree and the hypotheses as plain data, for drawing."""
        beam, task = self.beam, self.task
        rows = node_rows(beam)
        best, node = set(), beam.best
        while node.parent is not None:
            best.add(node.id)
            node = beam.nodes[node.parent]
        best.add(node.id)
        nodes: list[TreeNode] = [
            {
                "id": node.id,
                "parent": node.parent,
                "token": display_token(task.words([node.token])[0]),
                "step": node.step,
                "row": rows[node.id],
                "rank": node.rank,
                "p": node.probability,
                "own": 0.0 if node.parent is None else self._own(node),
                "total": node.log_probability,
                "penalty": self._penalty(node),
                "score": node.score,
                "status": node.status,
                "best": node.id in best,
            }
            for node in beam.nodes
        ]
        hypotheses: list[Hypothesis] = [
            {
                "id": node.id,
                "text": task.text((*task.prefix, *beam.path(node))),
                "finished": node.status == "finished",
            }
            for node in beam.hypotheses
        ]
        given = [display_token(token) for token in task.words((task.start, *task.prefix))]
        return {
            "given": given,
            "nodes": nodes,
            "hypotheses": hypotheses,
            "rows": kept_rows(beam),
            "stop": beam.stop,
            "alpha": self.alpha,
            "style": self.style,
        }

    def detail(self, node: Node) -> NodeDetail:
        """Return the text of a node, and the distribution from which its token was chosen.

        For the root, which has no token, the distribution is that of the first token.
        """
        before = self.before(node)
        logits = Decoder(self.task.model, self.task.source, self.task.forbidden_tokens).step(
            [[self.task.start, *self.task.prefix, *before]]
        )
        chosen = None if node.parent is None else node.token
        words = self.task.scenario.target_vocabulary
        return {
            "id": node.id,
            "before": self.task.text((*self.task.prefix, *before)),
            "text": self.task.text((*self.task.prefix, *self.beam.path(node))),
            "bars": bars(words, softmax(logits[0].astype(np.float64)), chosen),
        }

    def before(self, node: Node) -> tuple[int, ...]:
        """Return the tokens before a node's own token."""
        return tuple(self.beam.path(node)[:-1])

    def _penalty(self, node: Node) -> float:
        """Return the length penalty of a node; the root, which has no length, counts as 1."""
        return length_penalty(max(node.step, 1), self.alpha, PENALTIES[self.style])

    def _own(self, node: Node) -> float:
        assert node.parent is not None
        return node.log_probability - self.beam.nodes[node.parent].log_probability


def search(task: DecodingTask, settings: DecodingSettings) -> Search:
    """Run a beam search."""
    beam = beam_search(
        **task.arguments,
        beam_size=settings.beam_size,
        alpha=settings.alpha,
        style=settings.beam_style,
    )
    return Search(task, beam, settings.alpha, settings.beam_style)
