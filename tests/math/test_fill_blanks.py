"""Filling in blanks, compared with whole passes, one blank at a time."""

import numpy as np
import pytest

from tests.math.tiny import tiny
from transformer_math import fill_blanks
from transformer_math.ops import softmax

BLANK, PAD = 12, 5
ROWS = [[3, BLANK, 4, 1, BLANK], [BLANK, BLANK, BLANK, 2, PAD], [1, 2, 3, 4, 6]]
MODEL = tiny(decoder_layers=0, source_pad=PAD)


def by_hand(row: list[int], never: list[int]) -> tuple[list[int], list[int], list[float]]:
    """Fill by definition: the surest blank first, with a new pass after each."""
    ids, order, sure = list(row), [0] * len(row), [0.0] * len(row)
    for step in range(1, row.count(BLANK) + 1):
        logits = MODEL.logits(ids)
        logits[:, never] = -np.inf
        p = softmax(logits)
        at = max((n for n, token in enumerate(ids) if token == BLANK), key=lambda n: p[n].max())
        order[at], sure[at], ids[at] = step, p[at].max(), int(p[at].argmax())
    return ids, order, sure


@pytest.mark.parametrize("forbidden", [(), (PAD, 0, 7)])
def test_the_surest_blank_is_filled_first(forbidden: tuple[int, ...]) -> None:
    found = fill_blanks(MODEL, ROWS, BLANK, forbidden_tokens=forbidden)
    for n, row in enumerate(ROWS):
        ids, order, sure = by_hand(row, [BLANK, *forbidden])
        assert found.ids[n].tolist() == ids
        assert found.order[n].tolist() == order
        np.testing.assert_allclose(found.probabilities[n], sure, rtol=1e-12)
        assert not set(found.ids[n][np.array(row) == BLANK]) & {BLANK, *forbidden}


def test_all_blanks_can_be_filled_at_once() -> None:
    found = fill_blanks(MODEL, ROWS, BLANK, at_once=True)
    logits = MODEL.logits(ROWS)
    logits[..., BLANK] = -np.inf
    blank = np.array(ROWS) == BLANK
    np.testing.assert_array_equal(found.ids[blank], logits.argmax(-1)[blank])
    np.testing.assert_array_equal(found.order, blank)
    np.testing.assert_array_equal(found.ids[~blank], np.array(ROWS)[~blank])


def test_the_given_ids_are_not_changed_and_one_text_gives_one_row() -> None:
    given = np.array(ROWS[0])
    found = fill_blanks(MODEL, given, BLANK)
    assert found.ids.shape == (1, 5)
    assert given.tolist() == ROWS[0]
    assert fill_blanks(MODEL, ROWS[2], BLANK).ids.tolist() == [ROWS[2]]


def test_wrong_blanks_are_refused() -> None:
    with pytest.raises(ValueError, match="encoder-only model, and this one is decoder-only"):
        fill_blanks(tiny(encoder_layers=0), [1, 2], 2)
    with pytest.raises(ValueError, match="Every token is forbidden"):
        fill_blanks(MODEL, [BLANK], BLANK, forbidden_tokens=range(13))
    with pytest.raises(ValueError, match="mask is a whole number from 0 to 12"):
        fill_blanks(MODEL, [1], 13)
    endless = MODEL.with_parameters({"output.b_out": np.full(13, np.nan)})
    with pytest.raises(ValueError, match="not finite"):
        fill_blanks(endless, [BLANK], BLANK)
