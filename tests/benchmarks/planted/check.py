"""Something known is planted where it is known, and the row that measures it has to show it.

So a row that counts something else, or nothing, is found: a time that ends before the picture is
drawn, a pass that is not computed, frames in which nothing is new, a process that is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.benchmarks.planted import idea_drags, mathematics, page, panel_page, sockets, static
from tests.benchmarks.planted.plant import Plant, is_seen, print_head

GROUPS: dict[str, Callable[[], Iterator[Plant]]] = {
    "forward": mathematics.forward_plants,
    "peak": mathematics.peak_plants,
    "training": mathematics.training_plants,
    "visits": page.visits_plants,
    "page": page.page_plants,
    "whole": page.whole_plants,
    "panel": panel_page.plants,
    "idea_drags": idea_drags.plants,
    "learning": page.learning_plants,
    "pull": mathematics.pull_plants,
    "static": static.plants,
    "growth": mathematics.growth_plants,
    "load": sockets.plants,
}


def check(group: str, rounds: int) -> bool:
    """Print what a group's rows say without and with what is planted; whether all show it."""
    print_head(group)
    seen = [is_seen(each, rounds) for each in GROUPS[group]()]
    return all(seen)
