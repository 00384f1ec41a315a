import math

import numpy as np
import pytest
from tinkerformer.ideas.arrows.arrows import Arrows
from tinkerformer.ideas.arrows.computation import equals
from tinkerformer.ideas.settings import ArrowsSettings
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.attention import AttentionFocus
from tinkerformer.session.address import page_address
from tinkerformer.shell.page import create_page

from tests.app.idea_page import MODELS, PHRASES, IdeaPage

SCOPE = "decoder.0.cross_attn"
FOCUS = AttentionFocus(SCOPE, 0, 2, 1)


class Picture(IdeaPage):
    """A page that shows the picture of arrows."""

    def __init__(self, scenario=PHRASES, focus=FOCUS, axes="query"):
        super().__init__("arrows", Arrows, scenario=scenario, arrows=ArrowsSettings(axes=axes))
        self.state.attention_focus = focus
        self.arrows = self.control

    def value(self, leaf, focus=FOCUS):
        return self.state.trace[f"{focus.scope}.{leaf}"].value[focus.head].astype(float)


def test_shadows_of_keys_on_the_query_are_the_dot_products():
    shown = Picture()
    q, keys = shown.value("q")[2], shown.value("k")
    query, tips = np.array(shown.arrows.query), np.array(shown.arrows.keys)
    assert np.linalg.norm(query) == pytest.approx(np.linalg.norm(q), abs=1e-4)
    assert tips @ query == pytest.approx(keys @ q, abs=1e-3)
    dots = [row[0] for row in shown.arrows.rows]
    assert dots == pytest.approx(keys @ q, abs=1e-4)
    scores = np.array([row[1] for row in shown.arrows.rows])
    assert scores == pytest.approx(keys @ q / 2, abs=1e-4)  # d_k is 4
    weights = np.exp(scores - scores.max())
    assert [row[2] for row in shown.arrows.rows] == pytest.approx(weights / weights.sum(), abs=1e-5)
    best, length = int(np.argmax(keys @ q)), math.hypot(*q)
    # The sentence is about the chosen key.
    assert f"the key of “black” reaches {(keys @ q)[1] / length:.2f}. Times" in shown.sentence
    shown.say("choose", index=best)
    assert f"reaches {(keys @ q)[best] / length:.2f}, farther than any other" in shown.sentence
    assert f"length, {length:.2f}" in shown.sentence


def test_the_weighted_values_end_at_the_context():
    shown = Picture()
    sums, context = np.array(shown.arrows.sums), np.array(shown.arrows.context)
    assert sums[0] == pytest.approx([0, 0])
    assert sums[-1] == pytest.approx(context, abs=1e-4)
    assert context == pytest.approx([np.linalg.norm(shown.value("context")[2]), 0], abs=1e-4)
    assert len(sums) == len(PHRASES.source) + 1


def test_the_widest_plane_is_that_of_the_singular_vectors_and_its_share_is_stated():
    shown = Picture(axes="widest")
    both = np.concatenate([shown.value("q")[2:3], shown.value("k")])
    sizes = np.linalg.svd(both, compute_uv=False) ** 2
    assert f"{round(100 * sizes[:2].sum() / sizes.sum())} % of the arrows" in shown.sentence
    drawn = np.array([shown.arrows.query, *shown.arrows.keys])
    assert (drawn**2).sum() == pytest.approx(sizes[:2].sum(), rel=1e-4)


@pytest.mark.parametrize("axes", ["query", "widest"])
@pytest.mark.parametrize("index", [0, 3])
def test_an_arrow_is_dragged_within_the_plane_and_overrides_its_row(axes, index):
    shown = Picture(axes=axes)
    leaf, row = ("q", 2) if index == 0 else ("k", index - 1)
    before = shown.value(leaf)
    tip = np.array(shown.arrows.query if index == 0 else shown.arrows.keys[index - 1])
    others = [*shown.arrows.keys]
    assert shown.move(index, tip + np.array([0.3, -0.1])) == ""
    assert shown.move(index, tip + np.array([-1.2, 0.9])) == ""
    now = np.array(shown.arrows.query if index == 0 else shown.arrows.keys[index - 1])
    assert now == pytest.approx(tip + np.array([-1.2, 0.9]), abs=1e-4)
    moved = shown.value(leaf)
    assert np.linalg.norm(moved[row] - before[row]) == pytest.approx(1.5, abs=1e-4)
    assert np.array_equal(np.delete(moved, row, 0), np.delete(before, row, 0))
    if index == 0:
        assert shown.arrows.keys == others  # the plane did not turn
        if axes == "query":  # The plane contains the query, so the shadows are exact.
            assert np.array(others) @ now == pytest.approx(shown.value("k") @ moved[2], abs=1e-3)
    assert shown.say("release") == ""
    assert shown.arrows.is_moved
    assert shown.say("restore") == ""
    assert np.array_equal(shown.value(leaf)[row], before[row])
    assert not shown.arrows.is_moved


@pytest.mark.parametrize("index", [0, 2])
def test_a_drag_states_the_angle_and_the_new_weight(index):
    shown = Picture()
    plain, leaf = shown.sentence, "k" if index else "q"
    at = index - 1 if index else 2
    old, weights = shown.value(leaf)[at].copy(), shown.value("weights")[2].copy()
    start = shown.arrows.keys[index - 1] if index else shown.arrows.query
    for by in (1.0, 2.5):
        shown.move(index, (start[0] + by, start[1] + 2 * by))
    new, now = shown.value(leaf)[at], shown.value("weights")[2]
    cosine = old @ new / (np.linalg.norm(old) * np.linalg.norm(new))
    what = "key of “black”" if index else "query of “chat”"
    assert f"You turned the {what} by {math.degrees(math.acos(cosine)):.0f}°" in shown.sentence
    moved = 1 if index else int(np.abs(now - weights).argmax())
    word = PHRASES.source[moved]
    before, after = weights[moved], now[moved]
    assert f"“{word}” goes from {before:.3f} to {after:.3f}" in shown.sentence.replace(" (0)", "")
    shown.say("release")
    assert "You turned" in shown.sentence
    shown.say("restore")
    assert shown.sentence == plain


def test_the_picture_opens_with_the_row_of_the_header_and_its_strongest_head():
    shown = Picture(focus=None)
    shown.state.go("asked", 2)
    weights = shown.state.trace[f"{SCOPE}.weights"].value[:, 2]
    head, key = np.unravel_index(weights.argmax(), weights.shape)
    assert shown.arrows.of.startswith(f"{SCOPE} {head} 2 ")
    assert shown.arrows.value == key
    shown.state.go("asked", 4)
    assert shown.arrows.reader == "est"


@pytest.mark.parametrize(
    ("x", "printed", "sign"), [(2.0, "2.00", "="), (3.9964, "4.01", "≈"), (1.7321, "1.73", "≈")]
)
def test_a_product_of_printed_numbers_has_the_sign_only_if_it_is_equal(x, printed, sign):
    assert equals(x, printed) == sign


def test_the_shown_row_stays_during_a_drag():
    """The row stays even if the default would now be another row."""
    shown = Picture(focus=None)
    of = shown.arrows.of
    for k in range(8):
        shown.move(0, 3 * np.array([math.cos(k), math.sin(k)]))
        assert shown.arrows.of == of


def test_the_sentence_counts_the_masked_keys():
    shown = Picture(focus=AttentionFocus("decoder.0.self_attn", 1, 2, 0))
    masked = [score is None for _, score, _ in shown.arrows.rows]
    assert masked == [False] * 3 + [True] * (len(shown.state.scenario.target) - 3)
    assert f"The mask hides {sum(masked)} of" in shown.sentence


def test_the_picture_opens_with_the_row_of_the_selected_number():
    page = create_page(address=page_address("view=picture"), scenario=PHRASES)
    page.state.selection = CellAddress(f"{SCOPE}.head.1.weights", 3, 1)
    page.state.go("view", "idea:arrows")
    assert page.state.attention_focus == AttentionFocus(SCOPE, 1, 3, 1)


def test_the_form_chooses_attention_head_and_row():
    shown = Picture()
    form = next(x for x in shown.placed if hasattr(x, "fields") and x is not shown.arrows)
    form.receive({"type": "change", "name": "head", "value": 1})
    form.receive({"type": "change", "name": "query", "value": 4})
    assert shown.state.attention_focus[:3] == (SCOPE, 1, 4)
    form.receive({"type": "change", "name": "axes", "value": "widest"})
    assert shown.state.ideas.arrows.axes == "widest"
    form.receive({"type": "change", "name": "scope", "value": "encoder.0.self_attn"})
    assert shown.state.attention_focus.scope == "encoder.0.self_attn"
    assert shown.say("choose", index=2) == ""
    assert shown.state.attention_focus.key == 2


@pytest.mark.parametrize("model", ["heads of one number", "heads of two numbers"])
@pytest.mark.parametrize("axes", ["query", "widest"])
def test_no_share_is_stated_for_a_plane_that_contains_all_arrows(model, axes):
    assert "% of the arrows" not in Picture(MODELS[model], focus=None, axes=axes).sentence
