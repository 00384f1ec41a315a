"""Prepares a film for a model: captions, words, parts and oscillating numbers.

The browser gets the whole film in one message, so that playing, pausing and seeking need no
server. Only changes of numbers need the server: oscillations, and the changes of scenes.
"""

import functools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from ..board.stages import picture
from ..board.stages.sheet import Viewport
from ..explain.opening_row import WordPosition
from ..files.catalog import first
from ..lessons.changes import changed
from ..lessons.format import Changes, Film, Scene, Text, as_json
from ..lessons.live_text import spoken
from ..lessons.numbers import LiveNumbers
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import CellAddress
from ..model.matrices.extent import LayerChoice
from ..model.scenario.scenario import Scenario
from . import casting
from .opening import opening_film


class PreparedScene(NamedTuple):
    """A scene with the numbers of a model.

    Attributes:
        scene: the declared scene.
        caption: its caption with the numbers inserted.
        scenario: the shown scenario, after the changes of this and earlier scenes.
        word: the followed word.
        parts: the ids of the parts that are highlighted in turn.
        swing: the number that oscillates.
        amplitude: the amplitude of the oscillation.
        way: the direction of the oscillation, 1 or −1; 0 for both.
    """

    scene: Scene
    caption: Text
    scenario: Scenario
    word: WordPosition | None
    parts: tuple[str, ...]
    swing: CellAddress | None
    amplitude: float
    way: int

    def to_json(self, start: Scenario) -> dict[str, Any]:
        """Encode the scene for the browser; ``acts`` is whether it needs the server."""
        scene = self.scene
        return {
            "caption": as_json(self.caption),
            "name": scene.name,
            "seconds": scene.seconds,
            "camera": scene.camera,
            "parts": list(self.parts),
            "lane": None if self.word is None else [*self.word],
            "lifts": scene.lifts,
            "carries": scene.carries,
            "writes": scene.writes,
            "swing": None if self.swing is None else [*self.swing],
            "way": self.way,
            "acts": self.swing is not None or self.scenario != start,
        }


@functools.lru_cache(maxsize=16)  # every visitor needs the scenes, and scenarios are immutable
def of_opening(model: str) -> tuple[PreparedScene, ...]:
    """Return the scenes of the film of the first view, with the initial numbers of a model.

    Raises:
        ValueError: there is no such model, or its weights are not installed.
    """
    film = opening_film()
    if film is None:
        return ()
    runner = ForwardPassRunner()
    numbers = LiveNumbers(first(model), runner)
    return tuple(prepare(film, numbers, ForwardPassRunner(beside=runner)))


def prepare(film: Film, numbers: LiveNumbers, aside: ForwardPassRunner) -> list[PreparedScene]:
    """Prepare all scenes of a film that this model can show.

    A scene is left out if its condition is false, or if the model lacks a part or word in it.
    """
    found = []
    for scene in film.scenes:
        with suppress(KeyError, ValueError):
            numbers = after_changes(scene, numbers, aside)
            prepared = prepare_scene(film, scene, numbers)
            if prepared is not None:
                found.append(prepared)
    return found


def prepare_scene(film: Film, scene: Scene, numbers: LiveNumbers) -> PreparedScene | None:
    """Prepare a scene for a model; return None if the scene's condition is false.

    Raises:
        KeyError, ValueError: the model lacks an item of the scene; the message is one sentence.
    """
    if scene.when is not None and not scene.when(numbers):
        return None
    word = casting.followed(scene, numbers)
    parts = casting.parts(scene, word, _known_parts(numbers)) if scene.parts else ()
    cell, amplitude, way = casting.swing(scene, numbers) or (None, 0.0, 0)
    caption = spoken(scene.say, film.live, numbers)
    return PreparedScene(scene, caption, numbers.scenario, word, parts, cell, amplitude, way)


def after_changes(scene: Scene, numbers: LiveNumbers, aside: ForwardPassRunner) -> LiveNumbers:
    """Return the numbers after a scene's changes, for its caption and condition."""
    if scene.do == Changes():
        return numbers
    return numbers.with_scenario(changed(numbers.scenario, scene.do, aside), aside)


def _known_parts(numbers: LiveNumbers) -> Sequence[str]:
    viewport = Viewport(LayerChoice(), {})
    manifest = picture.manifest(numbers.scenario, numbers.trace, 1, (), viewport)
    return [part["id"] for part in manifest["whole"]["parts"]]


def with_drawing(scenario: Scenario, shown: Scenario) -> Scenario:
    """Return a scenario with the drawing options of the shown one, which the reader has chosen."""
    return replace(scenario, view=shown.view)
