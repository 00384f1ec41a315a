"""The places of the nodes of a beam search: a column for each step, and no two lines that cross."""

from __future__ import annotations

from itertools import groupby

from transformer_math.decoding import BeamResult, Node


def node_rows(beam: BeamResult) -> list[float]:
    """The row of each node, counted from 0 at the top; its column is its step.

    Branches that were kept stand above, each near the one it grew from. Those that were dropped
    stand below all of them, the likeliest on top, so that the tree stays as it is whether they
    are drawn or not.
    """
    kept = [node for node in beam.nodes if node.status != "dropped"]
    dropped = [node for node in beam.nodes if node.status == "dropped"]
    columns = [list(nodes) for _, nodes in groupby(kept, key=_step)]
    room = kept_rows(beam)
    rows = [0.0] * len(beam.nodes)
    for column in columns:
        _place(column, rows, room)
    for _, nodes in groupby(dropped, key=_step):
        for at, node in enumerate(nodes):
            rows[node.id] = float(room + at)
    return rows


def kept_rows(beam: BeamResult) -> int:
    """How many rows the branches that were kept take."""
    kept = [node for node in beam.nodes if node.status != "dropped"]
    return max(len(list(nodes)) for _, nodes in groupby(kept, key=_step))


def _place(column: list[Node], rows: list[float], room: int) -> None:
    """Give the nodes of one step their rows, as near to their parents' as they have room."""
    preferred: list[tuple[float, Node]] = []
    by_parent = sorted(column, key=lambda n: (-1.0 if n.parent is None else rows[n.parent], n.rank))
    for parent, group in groupby(by_parent, key=lambda node: node.parent):
        children = list(group)
        middle = (room - 1) / 2 if parent is None else rows[parent]
        preferred += [(middle + k - (len(children) - 1) / 2, n) for k, n in enumerate(children)]
    # In order and one row apart: what the preferences are beyond that may not fall. Where it does,
    # neighbors meet halfway (isotonic regression by pooling them).
    pools: list[list[float]] = []
    for k, (row, _) in enumerate(preferred):
        pools.append([row - k])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    offsets = [_mean(pool) for pool in pools for _ in pool]
    for k, (_, node) in enumerate(preferred):
        rows[node.id] = k + min(max(offsets[k], 0.0), float(room - len(preferred)))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _step(node: Node) -> int:
    return node.step
