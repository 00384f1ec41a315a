"""A beam search as the page shows it: the tree, its hypotheses, and one node in detail."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_math.decoding import BeamResult, Decoder, Node, beam_search, length_penalty
from transformer_math.ops import softmax

from .bars import bars
from .settings import DecodeSettings
from .task import DecodingTask, display_token
from .tree_layout import kept_rows, node_rows


class Search:
    """A search that was run; a node in it is known by the tokens that lead to it."""

    def __init__(self, task: DecodingTask, beam: BeamResult, alpha: float) -> None:
        self.task, self.beam, self.alpha = task, beam, alpha

    def find(self, path: tuple[int, ...] | None) -> Node:
        """The node at the end of these tokens; the best hypothesis if there is none."""
        if path is not None:
            for node in self.beam.nodes:
                if node.step == len(path) and tuple(self.beam.path(node)) == path:
                    return node
        return self.beam.best

    def to_dict(self) -> dict[str, Any]:
        """The tree and the hypotheses.

        Returns:
            ``nodes`` in order of step and rank, each with its place (``step``, ``row``), the
            logarithms of its own probability (``own``) and of all together (``total``), the
            length ``penalty``, its ``score`` and ``status``, and whether it is on the way to the
            ``best`` hypothesis; ``hypotheses``, the best first; how many ``rows`` the kept
            branches take, and why the search came to its end (``stop``).
        """
        beam, task = self.beam, self.task
        rows = node_rows(beam)
        best, node = set(), beam.best
        while node.parent is not None:
            best.add(node.id)
            node = beam.nodes[node.parent]
        best.add(node.id)
        nodes = [
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
                "penalty": length_penalty(node.step, self.alpha),
                "score": node.score,
                "status": node.status,
                "best": node.id in best,
            }
            for node in beam.nodes
        ]
        hypotheses = [
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
        }

    def detail(self, node: Node) -> dict[str, Any]:
        """One node: its text and the distribution that its token was taken from.

        The root was not taken from any; its distribution is that of the first token.
        """
        before = self.before(node)
        logits = Decoder(self.task.model, self.task.source, self.task.forbidden_tokens).step(
            [[self.task.start, *self.task.prefix, *before]]
        )
        chosen = None if node.parent is None else node.token
        return {
            "id": node.id,
            "text": self.task.text((*self.task.prefix, *self.beam.path(node))),
            "bars": bars(self.task, softmax(logits[0].astype(np.float64)), chosen),
        }

    def before(self, node: Node) -> tuple[int, ...]:
        """What had been written when a node's token was taken."""
        return tuple(self.beam.path(node)[:-1])

    def _own(self, node: Node) -> float:
        assert node.parent is not None
        return node.log_probability - self.beam.nodes[node.parent].log_probability


def search(task: DecodingTask, settings: DecodeSettings) -> Search:
    """Run a beam search."""
    beam = beam_search(**task.arguments, width=settings.beam_size, alpha=settings.alpha)
    return Search(task, beam, settings.alpha)
