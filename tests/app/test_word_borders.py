import dataclasses
import math
from bisect import bisect_right

import numpy as np
import pytest
from tinkerformer.explain.word_borders import MAX_BORDERS, word_stretches
from tinkerformer.explain.written_at import stretches_of
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import likeliest
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.matrices.scale import span

# Cells of the phrases: an embedding, a computed number, an attention weight, a parameter.
CELLS = [
    ("source.W_e", 4, 3),
    ("source.embedding", 1, 2),
    ("decoder.0.cross_attn.head.1.weights", 2, 1),
    ("output.W_out", 3, 5),
    ("encoder.0.feed_forward.b_1", 0, 4),
]


def divided(scenario, address):
    runner = ForwardPassRunner()
    trace = runner.trace(scenario)
    cell = resolve(trace, CellAddress(*address))
    ends = span(cell.tensor, cell.index)
    found = stretches_of(scenario, trace, cell, ends)
    assert [each.row for each in found] == [*range(len(found))]
    return cell, ends, tuple(each for each in found if len(each.stretches) > 1)


def written(scenario, cell, value):
    """Return the word of each row in a separate pass that reads the same words."""
    return likeliest(scenario.with_value(cell.stored, cell.full, value), ForwardPassRunner())


def said(rows, row, value):
    """Return the word of the stretches at a value; None for a row that does not change."""
    found = next((each for each in rows if each.row == row), None)
    if found is None:
        return None
    lows = [stretch.low for stretch in found.stretches]
    return found.stretches[bisect_right(lows, value) - 1].word


def unit(x):
    return 10 ** (math.floor(math.log10(abs(x))) - 2) if x else 1e-3


@pytest.mark.parametrize("address", CELLS)
def test_between_two_borders_the_model_writes_the_stated_word(address):
    scenario = catalog.first("phrases")
    cell, (low, high), rows = divided(scenario, address)
    borders = sorted({s.low for each in rows for s in each.stretches[1:]})
    for value in np.random.default_rng(3).uniform(low, high, 40).tolist():
        if any(abs(value - border) < unit(border) for border in borders):
            continue
        still = likeliest(scenario, ForwardPassRunner())
        for row, word in enumerate(written(scenario, cell, value)):
            assert word == (said(rows, row, value) or still[row]), (value, row)


@pytest.mark.parametrize("address", CELLS[:3])
def test_a_border_is_right_to_three_figures(address):
    scenario = catalog.first("phrases")
    cell, _, rows = divided(scenario, address)
    assert rows
    for each in rows:
        assert all(
            a.high == b.low for a, b in zip(each.stretches, each.stretches[1:], strict=False)
        )
        for before, after in zip(each.stretches, each.stretches[1:], strict=False):
            assert before.word != after.word
            assert after.low == float(f"{after.low:.5g}")
            if min(before.high - before.low, after.high - after.low) < unit(after.low):
                continue  # two words are so close that the last bits decide
            for side, word in ((-1, before.word), (1, after.word)):
                value = after.low + side * unit(after.low) / 2
                there = written(scenario, cell, value)[each.row]
                assert there == word, (each.row, after.low, side)


@pytest.mark.parametrize("change", [{"writes_itself": False}, {"training": True}])
def test_the_stated_words_are_the_likeliest_of_a_pass(change):
    scenario = dataclasses.replace(catalog.first("phrases"), **change)
    cell, (low, high), rows = divided(scenario, ("source.embedding", 1, 2))
    assert rows
    for value in np.linspace(low, high, 23).tolist():
        there = written(scenario, cell, value)
        for each in rows:
            near = [abs(value - s.low) < unit(s.low) for s in each.stretches[1:]]
            assert any(near) or said(rows, each.row, value) == there[each.row]


def sentences(value):
    if -0.1237 <= value < -0.1229:
        return ("a", "x", "")
    return ("a", "b", "") if value < 0 else ("c", "b", "d") if value < 2.71828 else ("a", "b", "")


def test_a_third_sentence_between_two_others_is_found():
    asked = 0

    def write(values):
        nonlocal asked
        asked += len(values)
        return [sentences(value) for value in values]

    settings = [-4.0, -0.12335, 0.5, 3.0, 4.0]
    for parts in (2, 8):
        asked = 0
        rows = word_stretches(write, settings, parts)
        words = {each.row: [(s.low, s.word) for s in each.stretches] for each in rows}
        assert words[0][:2] == [(-4, "a"), (0, "c")]
        border, word = words[0][2]
        assert (border, word) == (pytest.approx(2.71828, abs=2e-4), "a")
        assert [word for _, word in words[1]] == ["b", "x", "b"]
        assert [low for low, _ in words[1][1:]] == pytest.approx([-0.1237, -0.1229], abs=1e-3)
        assert words[2] == [(-4, ""), (0, "d"), (border, "")]
        assert asked < 400


def test_the_search_ends_even_if_every_value_has_another_word():
    def write(values):
        return [(f"{value!r}",) for value in values]

    (row,) = word_stretches(write, np.linspace(-1, 1, 51).tolist())
    assert len(row.stretches) <= MAX_BORDERS + 1
