"""What can be asked of a trace: what made a tensor, what it reaches, and picking by a pattern."""

import pytest

from tests.math.tiny import SOURCE, TARGET, tiny

TRACE = tiny(encoder_layers=2)(SOURCE, TARGET)


def test_downstream_of_an_output_weight() -> None:
    assert TRACE.downstream("output.W_out") == ["output.logits", "output.probabilities"]


def test_downstream_of_the_source_reaches_the_answer_through_cross_attention() -> None:
    reach = TRACE.downstream("source.W_e")
    assert "decoder.0.cross_attn.k" in reach
    assert "output.probabilities" in reach
    assert "decoder.0.self_attn.weights" not in reach
    assert "decoder.0.cross_attn.q" not in reach
    assert "source.W_e" not in reach


def test_downstream_of_a_query_leaves_keys_and_values() -> None:
    reach = TRACE.downstream("encoder.0.self_attn.W_q")
    assert reach[:3] == [f"encoder.0.self_attn.{leaf}" for leaf in ("q", "raw_scores", "scores")]
    assert not {"encoder.0.self_attn.k", "encoder.0.self_attn.v"} & set(reach)


def test_upstream_of_a_score() -> None:
    made_of = TRACE.upstream("encoder.0.self_attn.raw_scores")
    expected = ["source.W_e", "source.ids", "source.embedding", "source.positions", "source.sum"]
    expected += ["source.dropout"]
    expected += [f"encoder.0.self_attn.{n}" for n in ("W_q", "b_q", "q", "W_k", "b_k", "k")]
    assert sorted(made_of) == sorted(expected)


def test_upstream_and_downstream_are_each_other_s_mirror() -> None:
    for path in TRACE.paths():
        for other in TRACE.downstream(path):
            assert path in TRACE.upstream(other)


def test_everything_reaches_the_probabilities_but_themselves() -> None:
    before = set(TRACE.upstream("output.probabilities"))
    assert before == set(TRACE.paths()) - {"output.probabilities"}


def test_both_of_one_head_are_those_of_the_stack() -> None:
    stack, head = "encoder.1.self_attn.weights", "encoder.1.self_attn.head.1.weights"
    assert TRACE.downstream(head) == TRACE.downstream(stack)
    assert TRACE.upstream(head) == TRACE.upstream(stack)


def test_select_by_pattern_with_the_number_expected() -> None:
    assert [t.path for t in TRACE.select("encoder.*.weights", 2)] == [
        "encoder.0.self_attn.weights",
        "encoder.1.self_attn.weights",
    ]
    assert len(TRACE.select("*.gamma", 7)) == 7
    with pytest.raises(LookupError, match="2"):
        TRACE.select("encoder.*.weights", 3)
    with pytest.raises(LookupError):
        TRACE.select("encoder.*.wieghts")


def test_leaves_are_parameters_ids_and_masks() -> None:
    model = tiny(encoder_layers=2)
    given = {"source.ids", "target.ids", "target.mask"}
    assert set(TRACE.leaves()) == set(model.parameters) | given


def test_an_unknown_path_names_those_that_come_close() -> None:
    with pytest.raises(KeyError, match=r"encoder\.0\.self_attn\.weights"):
        TRACE["encoder.5.self_attn.weights"]
    with pytest.raises(KeyError, match="head"):
        TRACE["encoder.0.feed_forward.head.0.hidden"]
    with pytest.raises(KeyError, match="2"):
        TRACE["encoder.0.self_attn.head.2.q"]
    assert "encoder.0.self_attn.head.1.q" in TRACE
    assert "encoder.0.self_attn.head.2.q" not in TRACE
