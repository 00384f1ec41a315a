"""A plane in a space of vectors: projections of vectors on it, and moves within it.

Shapes: n vectors of d numbers. The two axes of a plane are orthonormal, so that lengths and angles
in a drawing are those of the vectors' projections.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FLAT = 1e-6  # a remainder shorter than this share of the original direction counts as 0


class Plane(NamedTuple):
    """Two orthonormal axes (2, d), and the point (d,) at which both coordinates are 0."""

    axes: np.ndarray
    origin: np.ndarray

    def coordinates(self, vectors: np.ndarray) -> np.ndarray:
        """Return the coordinates (…, 2) of vectors (…, d) in the plane."""
        found: np.ndarray = (vectors - self.origin) @ self.axes.T
        return found

    def moved(self, vector: np.ndarray, to: np.ndarray) -> np.ndarray:
        """Return a vector (d,) moved within the plane to the coordinates (2,).

        Its part at right angles to the plane is unchanged.
        """
        found: np.ndarray = vector + (to - self.coordinates(vector)) @ self.axes
        return found

    def share_of_lengths(self, vectors: np.ndarray) -> float:
        """Return the share of the squared lengths of vectors (n, d) that lies in the plane."""
        total = float((vectors**2).sum())
        return float(((vectors @ self.axes.T) ** 2).sum()) / total if total else 1.0

    def share(self, vectors: np.ndarray) -> float:
        """Return the share of the variance of vectors (n, d) in the plane, from 0 to 1."""
        centered = vectors - vectors.mean(axis=0)
        total = float((centered**2).sum())
        return float(((centered @ self.axes.T) ** 2).sum()) / total if total else 1.0


def widest_plane(vectors: np.ndarray, origin: np.ndarray | None = None) -> Plane:
    """Return the plane in which vectors (n, d), d ≥ 1, vary the most: the first two principal axes.

    Args:
        vectors: any number of them, in double precision.
        origin: the origin of coordinates and variances; None for the mean of the vectors.
    """
    center = vectors.mean(axis=0) if origin is None else origin
    centered = vectors - center
    _, _, axes = np.linalg.svd(centered, full_matrices=min(centered.shape) < 2)
    axes = axes[:2]
    # The sign of an axis is arbitrary; a positive largest number makes it reproducible.
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], 1)
    axes = axes * np.where(largest < 0, -1, 1)
    return Plane(_two(axes), center)


def plane_of_dimensions(first: int, second: int, d: int) -> Plane:
    """Return the plane of two of the d dimensions themselves."""
    return Plane(np.eye(d)[[first, second]], np.zeros(d))


def plane_of_directions(first: np.ndarray, second: np.ndarray) -> Plane:
    """Return the plane that two directions (d,) span; the first is its first axis.

    The second axis is the part of the second direction at a right angle to the first.

    Raises:
        ValueError: a direction is 0, or both are the same; the message is one sentence.
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
    """Return the plane through 0 that contains a direction (d,) and is widest for vectors (n, d).

    The first axis is the direction. Therefore the projections have the same dot products with the
    direction as the vectors. If the direction is 0, the result is the widest plane.
    """
    zero = np.zeros(len(direction))
    length = float(np.linalg.norm(direction))
    if length == 0:
        return widest_plane(vectors, zero)
    along = direction / length
    rest = vectors - np.outer(vectors @ along, along)
    second = widest_plane(rest, zero).axes[0]
    second = second - (second @ along) * along  # also if nothing is left
    size = float(np.linalg.norm(second))
    if size <= FLAT:
        unit = np.eye(len(direction))[np.abs(along).argmin()]
        second = unit - (unit @ along) * along
        size = float(np.linalg.norm(second))
    return Plane(np.stack([along, second / size if size > FLAT else 0 * along]), zero)


def turned_like(plane: Plane, before: Plane) -> Plane:
    """Return the same plane with axes turned (or flipped) to be as near as possible to those of
    ``before``, so that small movements stay small in a drawing.
    """
    u, _, v = np.linalg.svd(before.axes @ plane.axes.T)  # the orthogonal Procrustes problem
    return Plane(u @ v @ plane.axes, plane.origin)


def cosines(vectors: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the cosines of angles between vectors (n, d) and a vector (d,); 0 for zero vectors."""
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector)
    none = np.zeros(len(vectors))
    found: np.ndarray = np.divide(vectors @ vector, lengths, out=none, where=lengths > 0)
    return found


def _two(axes: np.ndarray) -> np.ndarray:
    """Return two axes; for vectors of one number, the second axis is 0."""
    return axes if len(axes) == 2 else np.concatenate([axes, np.zeros((2 - len(axes), 1))])
