"""Finds the words, parts and numbers of a model that a scene of a film names by role."""

from collections.abc import Sequence

from ..explain.opening_row import WordPosition, decisive_swing
from ..lessons.format import Scene
from ..lessons.numbers import LiveNumbers
from ..model.matrices.address import CellAddress
from ..model.matrices.resolved_cell import resolve

SIDES = {"encoder": "source", "decoder": "target"}
KINDS = ("input", "self_attn", "cross_attn", "feed_forward", "output")
AMPLITUDE = 2.0  # default amplitude of a number in a film


def followed(scene: Scene, numbers: LiveNumbers) -> WordPosition | None:
    """Return the word whose row a scene highlights.

    Raises:
        ValueError: there is no such word.
    """
    if scene.follow is None:
        return None
    if isinstance(scene.follow, str):
        found = numbers.in_focus
        return found.read if scene.follow == "read" else found.writes
    place = WordPosition(*scene.follow)
    side = SIDES[place.stack]
    count = numbers.ask("length", [side])
    if place.position >= count:
        raise ValueError(f"the {side} has no token {place.position}")
    return place


def parts(scene: Scene, word: WordPosition | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the parts that a scene highlights in turn, in the order of the picture.

    Args:
        scene: the scene.
        word: the word that the scene follows.
        known: the ids of all parts of the picture.

    Raises:
        ValueError: the model has none of the scene's parts.
    """
    wanted = {each for part in scene.parts for each in _named(part, word, known)}
    found = tuple(part for part in known if part in wanted)
    if scene.parts and not found:
        raise ValueError(f"there is no part {scene.parts[0]}; there are {', '.join(known)}")
    return found


def _named(part: str, word: WordPosition | None, known: Sequence[str]) -> list[str]:
    """Return the parts for a name: the part with this id, or the stack's parts of this kind."""
    if part not in KINDS or (part == "output" and part in known):
        return [part]
    if word is None:
        return []
    if part == "input":
        return [SIDES[word.stack]]
    return [each for each in known if each.startswith(f"{word.stack}.") and each.endswith(part)]


def swing(scene: Scene, numbers: LiveNumbers) -> tuple[CellAddress, float, int] | None:
    """Return the number that oscillates in a scene, its amplitude, and its direction (1, −1, or 0
    for both); None if the scene has no such number.

    Raises:
        KeyError: there is no such matrix.
        ValueError: there is no such cell, or the model is too large to try its numbers.
    """
    if scene.swing is None:
        return None
    if isinstance(scene.swing, CellAddress):
        resolve(numbers.trace, scene.swing)
        return scene.swing, scene.amplitude or AMPLITUDE, 0
    found = decisive_swing(numbers.scenario, numbers.trace)
    if found is None:
        raise ValueError("no number of this model is tried")
    way = 1 if found.far > found.number else -1
    return found.cell, scene.amplitude or found.amplitude, way
