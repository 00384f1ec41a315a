"""Planes in a space of vectors, compared with other computations."""

import math

import numpy as np
import pytest

from transformer_math.explain.plane import (
    Plane,
    cosines,
    plane_of_dimensions,
    plane_of_directions,
    plane_through,
    turned_like,
    widest_plane,
)

RANDOM = np.random.default_rng(3)
VECTORS = RANDOM.normal(size=(23, 7)) * np.array([5, 1, 3, 1, 0.5, 0.2, 2])


def test_the_widest_plane_is_that_of_the_singular_vectors():
    plane = widest_plane(VECTORS)
    centered = VECTORS - VECTORS.mean(axis=0)
    _, sizes, rows = np.linalg.svd(centered)
    for axis, row in zip(plane.axes, rows[:2], strict=True):
        assert abs(axis @ row) == pytest.approx(1)
        assert axis[np.abs(axis).argmax()] > 0
    assert plane.share(VECTORS) == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())
    assert plane.coordinates(VECTORS).mean(axis=0) == pytest.approx([0, 0])


def test_with_an_origin_the_widest_plane_starts_there():
    plane = widest_plane(VECTORS + 9, origin=np.zeros(7))
    _, _, rows = np.linalg.svd(VECTORS + 9)
    assert abs(plane.axes[0] @ rows[0]) == pytest.approx(1)
    assert plane.coordinates(np.zeros(7)) == pytest.approx([0, 0])


@pytest.mark.parametrize(
    "plane",
    [
        widest_plane(VECTORS),
        plane_of_dimensions(5, 2, 7),
        plane_of_directions(VECTORS[3] - VECTORS[1], VECTORS[8] - VECTORS[2]),
    ],
)
def test_a_move_within_a_plane_keeps_the_orthogonal_part(plane):
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-12)
    vector, to = VECTORS[4], np.array([1.5, -2.25])
    moved = plane.moved(vector, to)
    assert plane.coordinates(moved) == pytest.approx(to)
    # The part orthogonal to both axes: the other right singular vectors.
    others = np.linalg.svd(plane.axes)[2][2:]
    assert others @ moved == pytest.approx(others @ vector, abs=1e-12)


def test_in_two_dimensions_the_plane_is_the_space():
    assert (plane_of_dimensions(5, 2, 7).coordinates(VECTORS) == VECTORS[:, [5, 2]]).all()


def test_a_plane_of_two_directions_has_the_first_as_its_first_axis():
    first, second = VECTORS[3] - VECTORS[1], VECTORS[8] - VECTORS[2]
    plane = plane_of_directions(first, second)
    assert plane.coordinates(first) == pytest.approx([np.linalg.norm(first), 0])
    assert plane.coordinates(second)[1] > 0
    assert np.linalg.norm(plane.coordinates(second)) == pytest.approx(np.linalg.norm(second))


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0), (1, -2)])
def test_vectors_that_span_no_plane_are_refused(first, second):
    with pytest.raises(ValueError, match="direction"):
        plane_of_directions(first * VECTORS[1], second * VECTORS[1])


def test_a_plane_can_be_oriented_like_another_and_remains_the_same_plane():
    plane = widest_plane(VECTORS)
    angle = 2.2
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    other = Plane(np.array([[1, 0], [0, -1]]) @ turn @ plane.axes, plane.origin)
    assert turned_like(other, plane).axes == pytest.approx(plane.axes)
    assert other.share(VECTORS) == pytest.approx(plane.share(VECTORS))


def test_cosines_are_those_of_the_angles():
    found = cosines(VECTORS, VECTORS[2])
    for vector, cosine in zip(VECTORS, found, strict=True):
        scale = math.hypot(*vector) * math.hypot(*VECTORS[2])
        assert cosine == pytest.approx(sum(vector * VECTORS[2]) / scale)
    assert cosines(np.zeros((1, 7)), VECTORS[2]) == [0]


def test_vectors_of_a_single_number_have_an_empty_second_axis():
    plane = widest_plane(np.array([[1.0], [3.0]]))
    assert plane.coordinates(np.array([[1.0], [3.0]])) == pytest.approx(np.array([[-1, 0], [1, 0]]))


def test_a_plane_through_a_direction_keeps_its_dot_products():
    plane = plane_through(VECTORS[0], VECTORS[1:])
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-12)
    drawn = plane.coordinates(VECTORS)
    assert drawn[0] == pytest.approx([np.linalg.norm(VECTORS[0]), 0])
    assert drawn[1:] @ drawn[0] == pytest.approx(VECTORS[1:] @ VECTORS[0])
    most = plane.share_of_lengths(VECTORS[1:])
    assert most == pytest.approx((drawn[1:] ** 2).sum() / (VECTORS[1:] ** 2).sum())
    for other in RANDOM.normal(size=(100, 7)):
        assert plane_of_directions(VECTORS[0], other).share_of_lengths(VECTORS[1:]) < most


@pytest.mark.parametrize("direction", [np.zeros(7), VECTORS[3], np.eye(7)[2]])
@pytest.mark.parametrize("vectors", [VECTORS[3:4], np.zeros((2, 7)), VECTORS])
def test_a_plane_through_any_vectors_has_orthogonal_axes(direction, vectors):
    plane = plane_through(direction, vectors)
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-9)
