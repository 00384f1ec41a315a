"""Lays out the tree of a beam search: one column per step, and no two lines cross."""

from itertools import groupby

from transformer_math.decoding import BeamResult, Node


def node_rows(beam: BeamResult) -> list[float]:
    """Return the row of each node, counted from 0 at the top; the step of a node is its column.

    Kept branches are at the top, each near its parent. Dropped branches are below all kept ones,
    the likeliest first, so that kept branches stay in place when dropped branches are drawn.
    """
    kept = [node for node in beam.nodes if node.status != "dropped"]
    dropped = [node for node in beam.nodes if node.status == "dropped"]
    columns = [list(nodes) for _, nodes in groupby(kept, key=_step)]
    height = kept_rows(beam)
    rows = [0.0] * len(beam.nodes)
    for column in columns:
        _place(column, rows, height)
    for _, nodes in groupby(dropped, key=_step):
        for at, node in enumerate(nodes):
            rows[node.id] = float(height + at)
    return rows


def kept_rows(beam: BeamResult) -> int:
    """Return the number of rows of the kept branches."""
    kept = [node for node in beam.nodes if node.status != "dropped"]
    return max(len(list(nodes)) for _, nodes in groupby(kept, key=_step))


def _place(column: list[Node], rows: list[float], height: int) -> None:
    """Assign rows to the nodes of one step, as near to the rows of their parents as possible."""
    preferred: list[tuple[float, Node]] = []
    by_parent = sorted(column, key=lambda n: (-1.0 if n.parent is None else rows[n.parent], n.rank))
    for parent, group in groupby(by_parent, key=lambda node: node.parent):
        children = list(group)
        middle = (height - 1) / 2 if parent is None else rows[parent]
        preferred += [(middle + k - (len(children) - 1) / 2, n) for k, n in enumerate(children)]
    # Each row must be at least 1 below the previous one, so a preferred row minus its index must
    # not decrease. Where it would, adjacent nodes get the mean (isotonic regression by pooling).
    pools: list[list[float]] = []
    for k, (row, _) in enumerate(preferred):
        pools.append([row - k])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    offsets = [_mean(pool) for pool in pools for _ in pool]
    for k, (_, node) in enumerate(preferred):
        rows[node.id] = k + min(max(offsets[k], 0.0), float(height - len(preferred)))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _step(node: Node) -> int:
    return node.step
