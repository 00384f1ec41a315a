"""The stage of Train: what the last layers attend to, in pictures without digits."""

from __future__ import annotations

from transformer_math import Trace

from ..manifest import Manifest
from ..matrices.attention import scopes
from ..scenario.scenario import Scenario
from . import texts
from .attention import all_heads, completed, pictures
from .sheet import Sheet, Viewport, row, stage


def manifest(
    scenario: Scenario, trace: Trace, version: int, viewport: Viewport | None = None
) -> Manifest:
    """The structure of Train: of each kind of attention the heads of the last layer.

    All other matrices are listed behind these, so that each can be read by its path.
    """
    sheet = Sheet(scenario, trace)
    last: dict[tuple[str, str], str] = {}  # of a stack and a kind, in order of computation
    for scope in scopes(trace):
        stack, _, kind = scope.split(".")
        last[stack, kind] = scope
    weights = {scope: all_heads(sheet, f"{scope}.weights") for scope in last.values()}
    heading = "Train", "Watch it learn"
    stages = [stage("learn", heading, texts.LEARN, [row(pictures(sheet, weights, opens=True))])]
    found = completed(version, sheet, stages, viewport)
    found["only_pictures"] = True
    return found
