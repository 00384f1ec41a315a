import numpy as np
import pytest
from tinkerformer.board import wire
from tinkerformer.model.matrices.values import EDITED


def encode(kind, version, seq, matrices, holds=0) -> bytes:
    """Return the message of matrices, from index, values and flags of each."""
    packed = [wire.packed_matrix(*matrix) for matrix in matrices]
    return wire.pack(kind, version, seq, packed, holds)


def _header(message: bytes) -> list[int]:
    return np.frombuffer(message, "<i4", 8).tolist()


def _entries(message: bytes) -> list[list[int]]:
    count = _header(message)[4]
    return np.frombuffer(message, "<i4", 5 * count, 32).reshape(count, 5).tolist()


def _floats(message: bytes, count: int) -> np.ndarray:
    return np.frombuffer(message, "<f4", count, 32 + 20 * len(_entries(message)))


def test_a_message_has_header_and_entries_and_payload_in_this_order() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    b = -np.arange(35, dtype=np.float32).reshape(5, 7)
    message = encode(wire.FRAME, 11, 13, [(4, a, None), (9, b, None)], holds=17)
    assert _header(message) == [0x524D4654, 1, 11, 13, 2, 1, 17, 0]
    assert _entries(message) == [[4, 0, 2, 3, -1], [9, 6, 5, 7, -1]]
    np.testing.assert_array_equal(_floats(message, 41), np.concatenate([a.ravel(), b.ravel()]))
    assert len(message) == 32 + 2 * 20 + 41 * 4


def test_flags_follow_the_floats_and_have_offsets_of_their_own() -> None:
    a, b, c = np.zeros((2, 3)), np.ones((1, 2)), np.ones((3, 1))
    marks_a = np.array([[0, 1, 2], [4, 0, 7]])
    marks_c = np.array([[0], [EDITED], [0]])
    message = encode(wire.FRAME, 1, 1, [(0, a, marks_a), (1, b, None), (2, c, marks_c)])
    assert [entry[4] for entry in _entries(message)] == [0, -1, 6]
    assert message[-9:] == bytes([0, 1, 2, 4, 0, 7, 0, 2, 0])


def test_flags_without_a_mark_are_not_sent() -> None:
    message = encode(wire.FRAME, 1, 1, [(0, np.ones((2, 2)), np.zeros((2, 2), np.uint8))])
    assert _entries(message)[0][4] == -1
    assert len(message) == 32 + 20 + 16


def test_an_orbit_has_all_frames_of_a_matrix_one_after_the_other() -> None:
    frames = np.arange(30, dtype=np.float32).reshape(5, 2, 3)
    message = encode(wire.ORBIT, 1, 2, [(3, frames, None), (5, frames[:, :1], None)])
    assert _header(message)[1] == 2
    assert _header(message)[5] == 5
    assert _entries(message) == [[3, 0, 2, 3, -1], [5, 30, 1, 3, -1]]
    np.testing.assert_array_equal(_floats(message, 30), np.arange(30))


def test_values_of_any_layout_and_type_are_sent_as_float32_in_row_order() -> None:
    a = np.arange(6.0).reshape(2, 3)
    message = encode(wire.FRAME, 1, 1, [(0, a.T, None)])
    np.testing.assert_array_equal(_floats(message, 6), [0, 3, 1, 4, 2, 5])


def test_an_answer_without_matrices_is_only_a_header() -> None:
    message = encode(wire.FRAME, 3, 4, [], holds=5)
    assert _header(message) == [wire.MAGIC, 1, 3, 4, 0, 1, 5, 0]
    assert len(message) == 32


def test_arrays_of_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="flags of shape"):
        encode(wire.FRAME, 1, 1, [(0, np.ones((2, 2)), np.ones((2, 3)))])
    with pytest.raises(ValueError, match="matrix 1 does not have 2 frames"):
        encode(wire.ORBIT, 1, 1, [(0, np.ones((2, 2, 2)), None), (1, np.ones((3, 2, 2)), None)])
    one = wire.packed_matrix(3, np.ones((2, 3)), None, np.ones((2, 3)))
    with pytest.raises(ValueError, match="no gradients"):
        wire.pack(wire.FRAME, 1, 2, [one, wire.packed_matrix(5, np.ones((2, 3)))])
    with pytest.raises(ValueError, match="fit"):
        wire.packed_matrix(3, np.ones((2, 3)), None, np.ones((1, 3)))
