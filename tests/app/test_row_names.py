"""Rows of predictions are called as a reader counts words."""

from tinkerformer.explain.row_names import row_names
from tinkerformer.scenario.scenario import Scenario


def test_rows_are_counted_as_words():
    names = row_names(Scenario(), 113)
    assert names[:4] == ["1st word", "2nd word", "3rd word", "4th word"]
    assert [names[k] for k in (10, 11, 12, 20, 110, 111, 112)] == [
        *("11th word", "12th word", "13th word", "21st word"),
        *("111th word", "112th word", "113th word"),
    ]


def test_without_a_decoder_they_are_positions():
    assert row_names(Scenario().with_setting("decoder_layers", 0), 1) == ["1st position"]
