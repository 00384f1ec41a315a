import pytest
from tinkerformer.board import stages
from tinkerformer.board.stages import picture
from tinkerformer.explain.labels import axis_labels, axis_titles, place_words, which_word
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import details


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("decoder.1.cross_attn.head.0.weights", "decoder layer 2, cross-attention, head 1"),
        ("encoder.0.self_attn.head.1.q", "encoder layer 1, self-attention, head 2"),
        ("decoder.0.feed_forward.W_1", "decoder layer 1, feed-forward network"),
        ("source.unprojected.weights", "source, attention without weights"),
        ("encoder.final.norm", "encoder, final norm"),
    ],
)
def test_the_place_of_a_matrix_is_named_in_words(path, words):
    assert place_words(path) == words


def test_cross_attention_has_target_tokens_as_rows_and_source_tokens_as_columns():
    scenario, runner = Scenario(), ForwardPassRunner()
    manifest = stages.manifest(scenario, runner.trace(scenario), 1)
    path = "decoder.0.cross_attn.head.1.weights"
    entry = next(m for m in manifest["matrices"] if m["path"] == path)
    rows = ["<sos> → right: le", "le → right: chat", "chat → right: <eos>"]
    assert entry["axes"][0]["labels"] == rows
    assert entry["axes"][1]["labels"] == ["the", "cat", "sat", "on", "the", "mat"]
    assert entry["note"] == "3 × 6 · tokens × source tokens"
    found = details(runner, scenario, path, 1, 4)
    assert found["title"] == "decoder layer 1, cross-attention, head 2"
    assert found["place"] == "“le” · “the”"
    word = details(runner, scenario, "source.embedding", 1, 2)
    assert word["place"] == "“cat” · number d2 of d0–d7"
    weight = details(runner, scenario, "encoder.0.self_attn.head.1.W_q", 3, 1)
    assert weight["place"] == "row d3 of d0–d7 · number k1 of k0–k3"
    assert found["where"] == (
        "row le → right: chat (position 1, id 2), column the (position 4, id 0)"
    )
    assert found["arithmetic"][0] == "A₂[le, the]"


def test_the_stage_of_cross_attention_is_named_by_both_texts():
    scenario = Scenario()
    trace = ForwardPassRunner().trace(scenario)
    (stage,) = (
        stage
        for stage in stages.manifest(scenario, trace, 1)["stages"]
        if stage["id"] == "decoder.0.cross_attn"
    )
    assert stage["title"] == "Cross-attention · decoder layer 1"
    captions = [row["caption"] for row in stage["rows"]]
    assert "Queries come from the target." in captions
    assert "Keys and values come from the source, as the encoder left it." in captions
    assert stages.attention.name("decoder.0.cross_attn") == "Cross-attention · decoder layer 1"


def test_blank_tokens_are_shown_by_signs():
    tokens = Scenario().with_tokens("source", ["a", " ", "", "\t\n"]).axis_tokens
    assert axis_labels(tokens, "source.embedding", "position", 4) == ["a", "␣", "", "␣␣"]
    assert axis_labels(tokens, "source.embedding", "d_model", 8, 2, 4) == ["d2", "d3"]


@pytest.mark.parametrize("word", ["le", "<eos>"])
def test_a_row_is_labeled_writes_only_if_the_model_writes_its_word(word):
    typed = catalog.first("phrases").with_writing(False).with_expected(word)
    written = typed.with_writing(True)
    path, at = "output.logits", len(typed.target)
    titles = axis_titles(typed.axis_tokens, path, "position", at)
    assert all(" → right: " in title for title in titles)
    assert titles[-1].endswith(word)
    titles = axis_titles(written.axis_tokens, path, "position", at)
    assert all(" → writes " in title for title in titles[:-1])
    assert titles[-1].split()[-2:] == (["writes", word] if word == "<eos>" else ["right:", word])


def test_the_token_of_a_next_word_is_sent_if_its_label_differs():
    scenario = catalog.first("dates")
    trace = ForwardPassRunner().trace(scenario)
    entries = picture.manifest(scenario, trace, 1)["matrices"]
    (entry,) = [each for each in entries if each["path"] == PROBABILITIES]
    assert entry["axes"][1]["labels"][64] == "␣"
    assert entry["tokens"] == {64: " "}


@pytest.mark.parametrize(
    ("at", "ordinal"), [(0, "first"), (3, "4th"), (10, "11th"), (20, "21st"), (21, "22nd")]
)
def test_a_repeated_word_is_numbered(at, ordinal):
    assert which_word(["the"] * 30, at) == f"the {ordinal} “the”"
