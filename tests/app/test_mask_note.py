import pytest
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner

from tests.app.cells import details

PHRASES = catalog.first("phrases")
PADDED = PHRASES.with_tokens("source", ["the", "<pad>", "cat"]).with_tokens(
    "target", ["<sos>", "le", "<pad>", "chat"]
)
SCORES = "{}.0.{}_attn.head.1.masked_scores"


def note(path, i, j, scenario=PADDED):
    return details(ForwardPassRunner(), scenario, path, i, j)["note"]


@pytest.mark.parametrize(
    ("path", "i", "j"),
    [
        ("source.mask", 0, 1),
        ("target.mask", 0, 2),  # position 2 is padding and also later: the note names the padding
        ("target.mask", 3, 2),
        (SCORES.format("encoder", "self"), 2, 1),
        (SCORES.format("decoder", "cross"), 3, 1),
    ],
)
def test_a_note_explains_the_column_of_padding(path, i, j):
    assert note(path, i, j) == (
        f"“<pad>” (position {j}) is padding: its whole column is −∞, so its weight is 0 in "
        "every row and no token looks at it."
    )


@pytest.mark.parametrize("path", ["target.mask", SCORES.format("decoder", "self")])
def test_a_note_explains_that_a_later_word_is_masked(path):
    assert note(path, 1, 3).startswith(
        "“chat” (position 3) comes later than “le” (position 1): −∞ makes its weight 0"
    )


def test_an_open_cell_of_a_mask_is_called_visible_and_an_open_score_has_no_note():
    assert note("source.mask", 0, 2).startswith("“cat” (position 2) is visible")
    assert note("target.mask", 3, 1).startswith("“le” (position 1) is visible")
    assert "listen" not in note(SCORES.format("decoder", "self"), 3, 1)
    freed = PADDED.with_value(SCORES.format("encoder", "self"), (2, 1), 0.5)
    assert "padding" not in note(SCORES.format("encoder", "self"), 2, 1, freed)
