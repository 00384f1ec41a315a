"""Plants in the dragged pictures of ideas, and in the computation of the landscape."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from tinkerformer.ideas import landscape

from tests.benchmarks import idea_drags
from tests.benchmarks.idea_drags import PICTURES, PLACES
from tests.benchmarks.planted.page import PAGE, Visited, visited
from tests.benchmarks.planted.plant import Plant, delayed, more, slower_frames
from tests.benchmarks.serving import opened

EDIT, SURVEY = 0.2, 1.0  # seconds


def plants() -> Iterator[Plant]:
    """Of opening each picture, of dragging in it, and of the landscape alone."""
    with visited() as at:
        for name, dragged in PICTURES.items():
            what = f"{name}: from its address until it is drawn"
            yield at.server.seen(what, "s", functools.partial(_seconds, at, name), page=PAGE)
            page = opened(at.browser, at.url, f"idea:{name}")
            moving = functools.partial(idea_drags.moving, page, dragged, at.pid)
            yield Plant(
                f"{name}: updates a second while {dragged.what} is dragged; an edit {EDIT:.1f} s",
                "",
                lambda moving=moving: moving()[0],  # type: ignore[misc]
                functools.partial(at.server.plant, edit=EDIT),
                slower_frames(1000 * EDIT),
            )
            page.context.close()
    for what, ground in idea_drags.grounds().items():
        yield Plant(
            f"the loss over {what}; its computation {SURVEY:.0f} s",
            "s",
            lambda ground=ground: landscape.survey(ground, PLACES).seconds,  # type: ignore[misc]
            functools.partial(delayed, landscape, "losses", SURVEY),
            more(SURVEY),
        )


def _seconds(at: Visited, name: str) -> float:
    seconds, page = idea_drags.opening(at.browser, at.url, name)
    page.context.close()
    return seconds
