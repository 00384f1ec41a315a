import pytest
from tinkerformer.board import stages
from tinkerformer.explain.labels import axis_labels, axis_names, axis_titles
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.text import with_text
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import details

SCENARIO = Scenario()
TOKENS = SCENARIO.axis_tokens
WRITES = ["<sos> → right: le", "le → right: chat", "chat → right: <eos>"]


@pytest.mark.parametrize(
    "path",
    [
        "decoder.0.self_attn.raw_scores",
        "decoder.0.self_attn.scores",
        "decoder.0.self_attn.masked_scores",
        "decoder.0.self_attn.weights",
        "decoder.0.self_attn.weights_dropout",
        "decoder.0.cross_attn.weights",
        "output.logits",
        "output.probabilities",
    ],
)
def test_a_row_that_predicts_a_word_is_named_by_both_words(path):
    assert axis_titles(TOKENS, path, "position", 3) == WRITES
    assert axis_titles(TOKENS, path, "position", 3, 1, 2) == WRITES[1:2]
    names = axis_names(TOKENS, path, "position", 3)
    assert names[0] == "<sos> → right: le (position 0, id 0)"
    assert names[2] == "chat → right: <eos> (position 2, id 3)"
    assert axis_labels(TOKENS, path, "position", 3) == ["<sos>", "le", "chat"]


@pytest.mark.parametrize(
    ("path", "axis"),
    [
        ("decoder.0.self_attn.weights", "key_position"),
        ("decoder.0.self_attn.q", "position"),
        ("decoder.0.self_attn.context", "position"),
        ("target.sum", "position"),
        ("decoder.0.feed_forward.hidden", "position"),
    ],
)
def test_other_rows_are_named_by_their_token_alone(path, axis):
    assert axis_titles(TOKENS, path, axis, 3) == ["<sos>", "le", "chat"]
    assert axis_names(TOKENS, path, axis, 3)[1] == "le (position 1, id 2)"


def test_rows_of_the_encoder_name_no_next_word():
    assert axis_titles(TOKENS, "encoder.0.self_attn.weights", "position", 6)[1] == "cat"
    assert axis_names(TOKENS, "encoder.0.self_attn.weights", "position", 6)[4] == (
        "the (position 4, id 0)"
    )
    alone = SCENARIO.with_setting("decoder_layers", 0).axis_tokens
    assert axis_titles(alone, "output.logits", "position", 6)[:2] == ["the", "cat"]


def test_rows_of_tables_and_words_of_the_output_are_named_with_their_ids():
    assert axis_names(TOKENS, "source.W_e", "vocab", 5) == [
        "the (id 0)",
        "cat (id 1)",
        "sat (id 2)",
        "on (id 3)",
        "mat (id 4)",
    ]
    assert axis_names(TOKENS, "output.W_out", "vocab", 8, 3, 4) == ["chat (id 3)"]
    assert axis_names(TOKENS, "source.W_p", "max_position", 9, 2, 4) == ["position 2", "position 3"]
    assert axis_names(TOKENS, "output.W_out", "d_model", 8, 3, 4) == ["d3"]


def test_the_loss_of_a_position_is_named_by_the_right_word():
    path = "output.token_loss"
    assert axis_titles(TOKENS, path, "position", 3) == ["le", "chat", "<eos>"]
    assert axis_names(TOKENS, path, "position", 3)[0] == "<sos> → right: le (position 0, id 0)"


def test_ids_are_those_in_the_documentation():
    """Document 001: 1676-11-30 is [65, 1, 6, 7, 6, 62, 1, 1, 62, 3, 0, 66]."""
    scenario = with_text(catalog.first("dates"), "1676-11-30")
    tokens = scenario.axis_tokens
    names = axis_names(tokens, "source.embedding", "position", 12)
    ids = [int(name.rpartition("id ")[2].rstrip(")")) for name in names]
    assert ids == [65, 1, 6, 7, 6, 62, 1, 1, 62, 3, 0, 66]
    assert names[5] == "- (position 5, id 62)"


def test_padding_has_no_next_word():
    scenario = Scenario().with_tokens("target", ["<sos>", "le", "<pad>"])
    titles = axis_titles(scenario.axis_tokens, "output.logits", "position", 3)
    assert titles == ["<sos> → right: le", "le → right: <eos>", "<pad>"]


def test_the_board_and_the_inspector_use_the_same_names():
    runner = ForwardPassRunner()
    manifest = stages.manifest(SCENARIO, runner.trace(SCENARIO), 1)
    for entry in manifest["matrices"]:
        if "@" in entry["path"] or entry["path"] in ("output.loss", "source.mask"):
            continue
        found = details(runner, SCENARIO, entry["path"], 0, entry["cols"] - 1)["where"]
        rows, columns = (axis.get("names", axis["labels"]) for axis in entry["axes"])
        row, column = rows[0], columns[-1]
        assert f"column {column}" in found, entry["path"]
        assert f"row {row}" in found or not found.startswith("row"), entry["path"]


def test_a_moved_part_gets_the_names_of_its_new_cell():
    """The place of the selected cell next shows a cell of another matrix."""
    scenario = catalog.first("paper-base")
    trace = ForwardPassRunner().trace(scenario)
    from tinkerformer.board.stages.sheet import single

    tokens = scenario.axis_tokens
    first = single(tokens, trace["decoder.0.cross_attn.head.0.weights"], (1, 1))
    assert first["axes"][0]["names"] == ["le → right: chat (position 1, id 7)"]
    then = single(tokens, trace["encoder.0.feed_forward.W_1"], (1, 2))
    assert then["axes"][0] == {"labels": ["d1"]}
