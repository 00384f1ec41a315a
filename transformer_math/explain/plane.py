"""A plane through a space of vectors: what stands where in it, and moves within it alone.

Shapes: n vectors of d numbers. The two axes of a plane are orthonormal, so that lengths and angles
drawn in it are those of the vectors' shadows on the plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FLAT = 1e-6  # a direction shorter than this share of what it was made of has vanished


class Plane(NamedTuple):
    """Two orthonormal axes (2, d), and the point (d,) that both coordinates are counted from."""

    axes: np.ndarray
    origin: np.ndarray

    def coordinates(self, vectors: np.ndarray) -> np.ndarray:
        """Where vectors (…, d) stand in the plane: (…, 2)."""
        found: np.ndarray = (vectors - self.origin) @ self.axes.T
        return found

    def moved(self, vector: np.ndarray, to: np.ndarray) -> np.ndarray:
        """A vector (d,) moved within the plane to the coordinates (2,).

        What it has at right angles to the plane stays as it is.
        """
        found: np.ndarray = vector + (to - self.coordinates(vector)) @ self.axes
        return found

    def share_of_lengths(self, vectors: np.ndarray) -> float:
        """The share of the squared lengths of vectors (n, d) that lies in the plane."""
        total = float((vectors**2).sum())
        return float(((vectors @ self.axes.T) ** 2).sum()) / total if total else 1.0

    def share(self, vectors: np.ndarray) -> float:
        """The share of the variance of vectors (n, d) that lies in the plane, from 0 to 1."""
        centered = vectors - vectors.mean(axis=0)
        total = float((centered**2).sum())
        return float(((centered @ self.axes.T) ** 2).sum()) / total if total else 1.0


def widest_plane(vectors: np.ndarray, origin: np.ndarray | None = None) -> Plane:
    """The plane in which vectors (n, d), d ≥ 1, vary the most: the first two principal axes.

    Args:
        vectors: any number of them, in double precision.
        origin: what variance and coordinates are counted from; None for their mean.
    """
    center = vectors.mean(axis=0) if origin is None else origin
    centered = vectors - center
    _, _, axes = np.linalg.svd(centered, full_matrices=min(centered.shape) < 2)
    axes = axes[:2]
    # The sign of an axis is free: its largest number is positive, so that it is always the same.
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], 1)
    axes = axes * np.where(largest < 0, -1, 1)
    return Plane(_two(axes), center)


def plane_of_dimensions(first: int, second: int, d: int) -> Plane:
    """The plane of two of the d dimensions themselves."""
    return Plane(np.eye(d)[[first, second]], np.zeros(d))


def plane_of_directions(first: np.ndarray, second: np.ndarray) -> Plane:
    """The plane that two directions (d,) span; the first is its first axis.

    The second axis is what the second direction has at a right angle to the first.

    Raises:
        ValueError: a direction is 0, or both are the same direction; one sentence says so.
    """
    length = float(np.linalg.norm(first))
    if length == 0 or not np.any(second):
        raise ValueError("A direction from a word to itself has no length.")
    along = first / length
    rest = second - (second @ along) * along
    if np.linalg.norm(rest) <= FLAT * np.linalg.norm(second):
        raise ValueError("Both directions are the same: they span a line and no plane.")
    return Plane(np.stack([along, rest / np.linalg.norm(rest)]), np.zeros(len(first)))


def plane_through(direction: np.ndarray, vectors: np.ndarray) -> Plane:
    """The plane that holds a direction (d,) and the most of vectors (n, d), counted from 0.

    Its first axis is the direction. As that lies in the plane, the dot products of the vectors with
    it are those of what is drawn of them. Of a direction that is 0 it is the widest plane.
    """
    zero = np.zeros(len(direction))
    length = float(np.linalg.norm(direction))
    if length == 0:
        return widest_plane(vectors, zero)
    along = direction / length
    rest = vectors - np.outer(vectors @ along, along)
    second = widest_plane(rest, zero).axes[0]
    second = second - (second @ along) * along  # also where there is no rest
    size = float(np.linalg.norm(second))
    if size <= FLAT:
        unit = np.eye(len(direction))[np.abs(along).argmin()]
        second = unit - (unit @ along) * along
        size = float(np.linalg.norm(second))
    return Plane(np.stack([along, second / size if size > FLAT else 0 * along]), zero)


def turned_like(plane: Plane, before: Plane) -> Plane:
    """The same plane with its axes turned (and flipped) within it, to be as near as can be to
    those of ``before``, so that what moves only a little is drawn so.
    """
    u, _, v = np.linalg.svd(before.axes @ plane.axes.T)  # the orthogonal Procrustes problem
    return Plane(u @ v @ plane.axes, plane.origin)


def cosines(vectors: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """The cosine of the angle between each of vectors (n, d) and one (d,); 0 where one is 0."""
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector)
    none = np.zeros(len(vectors))
    found: np.ndarray = np.divide(vectors @ vector, lengths, out=none, where=lengths > 0)
    return found


def _two(axes: np.ndarray) -> np.ndarray:
    """Two axes, also of vectors of one number, whose second axis is empty."""
    return axes if len(axes) == 2 else np.concatenate([axes, np.zeros((2 - len(axes), 1))])
