import pytest
from tinkerformer.features.go_to.view import MOST, GoToView
from tinkerformer.session.state import AppState


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("q", "encoder.0.self_attn.head.0.q"),
        ("Q2", "encoder.0.self_attn.head.1.q"),
        ("q₂ cross", "decoder.0.cross_attn.head.1.q"),
        ("W^O dec", "decoder.0.self_attn.W_o"),
        ("logits", "output.logits"),
        ("decoder feed hidden", "decoder.0.feed_forward.hidden"),
        ("γ", "encoder.0.self_attn.gamma"),
        ("E", "source.embedding"),
    ],
)
def test_the_likeliest_matrix_is_the_first(text, path):
    assert GoToView(AppState(None)).find(text)[0].path == path


def test_an_unknown_name_finds_no_matrix():
    view = GoToView(AppState(None))
    assert view.find("pizza") == []
    assert view.find("q pizza") == []
    assert len(view.find("")) == MOST


def test_every_matrix_that_is_found_can_be_drawn_in_the_open_view():
    state = AppState(None)
    view = GoToView(state)
    for text in ("", "unprojected", "s", "dropout", "mask", "o"):
        assert all(named.path in state.trace for named in view.find(text))
    # A step that is off is not drawn.
    assert not view.find("dropout")
