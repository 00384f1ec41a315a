import numpy as np

from transformer_math import masks

HIDDEN = -np.inf


def test_look_ahead_lets_a_position_see_itself() -> None:
    """ "Only earlier positions" means j ≤ i, not j < i."""
    expected = [[0, HIDDEN, HIDDEN], [0, 0, HIDDEN], [0, 0, 0]]
    np.testing.assert_array_equal(masks.look_ahead(3), expected)


def test_the_mask_that_hides_nothing_is_0() -> None:
    np.testing.assert_array_equal(masks.nothing_hidden(3), np.zeros((3, 3)))


def test_padding_hides_only_the_padding() -> None:
    ids = np.array([[5, 7, 9, 7], [7, 7, 2, 3]])
    expected = [[0, HIDDEN, 0, HIDDEN], [HIDDEN, HIDDEN, 0, 0]]
    np.testing.assert_array_equal(masks.padding(ids, 7), expected)


def test_combined_hides_what_either_mask_hides() -> None:
    padding = masks.padding(np.array([4, 0, 4]), 0)
    both = masks.combined(masks.look_ahead(3), padding)
    expected = [[0, HIDDEN, HIDDEN], [0, HIDDEN, HIDDEN], [0, HIDDEN, 0]]
    np.testing.assert_array_equal(both, expected)


def test_combined_keeps_a_mask_for_each_example() -> None:
    padding = masks.padding(np.array([[4, 0], [4, 4]]), 0)
    both = masks.combined(masks.look_ahead(2), padding)
    assert both.shape == (2, 2, 2)
    np.testing.assert_array_equal(both[1], masks.look_ahead(2))


def test_the_two_conventions_are_opposite() -> None:
    boolean = np.array([[True, False], [False, True]])
    np.testing.assert_array_equal(
        masks.from_true_means_attend(boolean), masks.from_true_means_masked(~boolean)
    )
    np.testing.assert_array_equal(masks.from_true_means_attend(boolean)[0], [0, HIDDEN])
