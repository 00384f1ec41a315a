import pytest
from tinkerformer.model.scenario.axis_tokens import AxisTokens
from tinkerformer.model.scenario.vocabulary import Vocabulary, open_vocabulary, side_of

from transformer_math.data.tokenizer import EOS, PAD, SOS

OWN = Vocabulary(
    source=("a", "b", "<p>", "<e>"),
    target=("<p>", "x", "y", "<e>"),
    start="<p>",
    end="<e>",
    pad="<p>",
    unit="word",
    forbidden=("<p>", "absent"),
)


def test_an_open_vocabulary_has_the_tokens_of_the_text_in_order_of_appearance():
    found = open_vocabulary(("b", "a", "b"), ("x", "y"), ("z", "y"), False)
    assert (found.source, found.target) == (("b", "a"), ("x", "y", "z"))
    assert (found.start, found.end, found.pad, found.unit) == (SOS, EOS, PAD, "word")
    assert not found.closed
    assert found.forbidden_ids == []
    shared = open_vocabulary(("b", "x"), ("x", "y"), ("z",), True)
    assert shared.source == shared.target == ("b", "x", "y", "z")


def test_words_have_rows_and_ids_and_unknown_words_raise_an_error():
    assert OWN.row("source", "b") == 1
    assert OWN.row("source", "x") is None
    assert OWN.row("target", None) is None
    assert OWN.ids("target", ("y", "x", "y")) == [2, 1, 2]
    assert OWN.forbidden_ids == [0]
    with pytest.raises(KeyError):
        OWN.ids("source", ("x",))
    # The output of an encoder alone has the words of the source.
    named = AxisTokens(("a", "b"), (), ("a", "b"), OWN, has_decoder=False)
    assert named.along("output.logits", "position") == ("a", "b")
    assert named.along("output.logits", "vocab") == OWN.source


def test_padding_is_masked_except_where_decoding_starts_from_it():
    assert OWN.pad_id("source") == 2
    assert OWN.pad_id("target") is None
    text = open_vocabulary(("a", PAD), (SOS,), (SOS, PAD), False)
    assert (text.pad_id("source"), text.pad_id("target")) == (1, 1)
    assert open_vocabulary(("a",), (SOS,), (SOS,), False).pad_id("source") is None


def test_a_closed_vocabulary_accepts_no_other_token():
    assert OWN.checked("source", ["b", "a"]) == ("b", "a")
    with pytest.raises(ValueError, match="token at position 1 is “x”, which this model"):
        OWN.checked("source", ["b", "x"])
    assert open_vocabulary(("a",), (), (SOS,), False).checked("source", ["new"]) == ("new",)


@pytest.mark.parametrize(
    ("path", "has_decoder", "side"),
    [
        ("source.W_e", True, "source"),
        ("target.W_e", True, "target"),
        ("output.W_out", True, "target"),
        ("output.logits", True, "target"),
        ("output.W_out", False, "source"),
        ("source.W_e", False, "source"),
    ],
)
def test_an_axis_has_the_tokens_of_the_source_or_of_the_target(path, has_decoder, side):
    assert side_of(path, has_decoder) == side


@pytest.mark.parametrize(
    ("path", "axis", "tokens"),
    [
        ("encoder.0.self_attn.weights", "position", ("a", "b", "a")),
        ("encoder.0.self_attn.weights", "key_position", ("a", "b", "a")),
        ("decoder.0.self_attn.weights", "key_position", ("<p>", "x")),
        ("decoder.0.cross_attn.weights", "position", ("<p>", "x")),
        ("decoder.0.cross_attn.weights", "source_position", ("a", "b", "a")),
        ("source.embedding", "position", ("a", "b", "a")),
        ("target.embedding", "position", ("<p>", "x")),
        ("output.logits", "position", ("<p>", "x")),
        ("output.logits", "vocab", OWN.target),
        ("source.W_e", "vocab", OWN.source),
        ("output.token_loss", "position", ("x", "y")),
        ("source.W_e", "d_model", None),
    ],
)
def test_an_axis_is_labeled_with_its_tokens(path, axis, tokens):
    named = AxisTokens(("a", "b", "a"), ("<p>", "x"), ("x", "y"), OWN)
    assert named.along(path, axis) == tokens
