"""The Decode tab, compared with decoding and forward passes by transformer_math."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.components.form.settings_form import SettingsForm
from tinkerformer.decoding import (
    DecodingSettings,
    comparison,
    decoding_task,
    filling,
    greedy,
    last_position_focus,
    samples,
    scenario_after,
    search,
    with_blank,
)
from tinkerformer.decoding.bars import TOP, bars
from tinkerformer.decoding.tree_layout import kept_rows, node_rows
from tinkerformer.features.decode.form import SETTINGS as OF_METHODS
from tinkerformer.features.decode.form import limits, sections
from tinkerformer.features.decode.view import DecodeView
from tinkerformer.files import catalog
from tinkerformer.files.model_file import load
from tinkerformer.files.open_model import opened
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.text import with_text
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.edits import NO_EDITS
from tinkerformer.model.scenario.model_settings import MAX_SEED
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session.offer import UNDO
from tinkerformer.session.state import AppState

from tests.app.trained import dates_file, torch_state
from transformer_math.checkpoints import safetensors
from transformer_math.decoding import Sampling, beam_search, fill_blanks, filtered, sample
from transformer_math.decoding import length_penalty as lp
from transformer_math.ops import softmax

SETTINGS = DecodingSettings()
EDITED = Scenario().with_value("target.W_e", (2, 3), 4.0).with_value("output.W_out", (1, 5), -3.0)


@pytest.fixture(scope="module")
def dates():
    return load(dates_file(), Scenario(), "dates")


def task(scenario=None, **changes):
    scenario = Scenario() if scenario is None else scenario
    return decoding_task(scenario, ForwardPassRunner(), SETTINGS.replace(**changes))


def next_probabilities(scenario, tokens):
    """Return the probabilities after these tokens of the target, by the page's forward pass."""
    words = dict.fromkeys((*scenario.answers, *scenario.target))
    asked = scenario if scenario.own_vocabulary else scenario.with_answers(words)
    asked = asked.with_training(False).with_tokens("target", tokens)
    assert asked.target_vocabulary == scenario.target_vocabulary
    return ForwardPassRunner().trace(asked)["output.probabilities"].value[-1].astype(float)


def check_bars(shown, before, chosen, vocabulary, after=None):
    order = np.argsort(-before, kind="stable")
    expected = [int(i) for i in order[:TOP]]
    if chosen not in expected:
        expected[-1] = chosen
    assert [row["word"] for row in shown["rows"]] == [vocabulary[i] for i in expected]
    np.testing.assert_allclose([r["p"] for r in shown["rows"]], before[expected], atol=2e-6)
    assert [row["chosen"] for row in shown["rows"]] == [i == chosen for i in expected]
    assert shown["others"]["count"] == len(before) - len(expected)
    every = sum(row["p"] for row in shown["rows"]) + shown["others"]["p"]
    assert every == pytest.approx(1)


# -- what is decoded ---------------------------------------------------------------------------


def test_edited_weights_count_and_dropout_does_not():
    plain, edited = greedy(task()), greedy(task(EDITED))
    assert plain["steps"][0]["rows"] != edited["steps"][0]["rows"]
    training = EDITED.with_training(True)
    assert greedy(task(training)) == edited
    assert any("Dropout is off" in note for note in task(training).notes)


def test_a_large_model_ignores_overridden_cells_and_silenced_parts_and_says_so(monkeypatch):
    monkeypatch.setattr(cost, "INLINE", 0)
    overridden = EDITED.with_value("encoder.0.self_attn.head.0.weights", (0, 0), 0.9)
    both = overridden.with_silence(Silence("encoder.0.self_attn.out"))
    numbers, parts = "the computed numbers that you set", "the parts that you silenced"
    for scenario, ignored in ((overridden, numbers), (both, f"{numbers} and {parts}")):
        assert f"this view ignores {ignored}." in " ".join(task(scenario).notes)
        assert not task(scenario).is_edited
    assert not any("ignores" in note for note in task(EDITED).notes)


PHRASES = catalog.first("phrases")
CROSS = "decoder.0.cross_attn"
CHOICES = [
    lambda s: s.with_value("source.embedding", (1, 2), 0.67),
    lambda s: s.with_value("target.sum", (2, 3), -2.5),
    lambda s: s.with_value(f"{CROSS}.head.1.weights", (2, 4), 1.0),
    lambda s: s.with_value("output.logits", (4, 0), 9.0),
    lambda s: s.with_value("source.W_e", (4, 1), 2.0),
    lambda s: s.with_silence(Silence(f"{CROSS}.head.0.context")),
    lambda s: s.with_silence(Silence("decoder.0.feed_forward.out", to="mean")),
    lambda s: s.with_silence(Silence("encoder.0.self_attn.out")),
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(range(len(CHOICES))), min_size=1, max_size=3, unique=True))
def test_greedy_decoding_writes_the_sentence_of_the_page_with_all_its_edits(chosen):
    runner, scenario = ForwardPassRunner(), PHRASES
    for k in chosen:
        scenario = CHOICES[k](scenario)
    scenario = with_written_target(scenario, runner)
    found = task(scenario)
    text = greedy(found)
    words = tuple(found.words(text["ids"]))
    length = len(scenario.target) - 1
    assert words[:length] == scenario.target[1:]
    probabilities = runner.trace(scenario)["output.probabilities"].value
    for row, step in zip(probabilities, text["steps"][: length + 1], strict=False):
        best = step["rows"][0]
        assert best["word"] == scenario.target_vocabulary[row.argmax()]
        assert best["p"] == pytest.approx(row.max(), abs=1e-5)


@pytest.mark.parametrize("model", ["phrases", "next-word", "sandbox"])
def test_every_way_of_decoding_uses_the_edits_of_the_page(model):
    scenario = catalog.first(model) if model != "sandbox" else Scenario()
    stack = "decoder.0.self_attn"
    edited = scenario.with_silence(Silence(f"{stack}.out"))
    plain, found = task(scenario), task(edited)
    ways = (greedy, comparison, lambda each: samples(each, SETTINGS))
    for way in ways:
        assert way(plain) != way(found)
    beams = [search(each, SETTINGS) for each in (plain, found)]
    assert beams[0].to_dict() != beams[1].to_dict()
    # The first word of the search is that of a pass with the edits.
    tokens = found.words((found.start, *found.prefix))
    first = next_probabilities(edited, tokens)
    logits = found.model.logits(found.source, [found.start, *found.prefix])[-1].astype(float)
    np.testing.assert_allclose(np.exp(logits) / np.exp(logits).sum(), first, atol=1e-5)


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (Scenario().with_setting("decoder_layers", 0), "encoder-only model writes no text"),
        (
            Scenario().with_answers(["<sos>", "le", "chat"]),
            "add <eos> to the target vocabulary",
        ),
        (
            opened({"model.safetensors": safetensors.save(torch_state(), {})}, Scenario(), 3),
            "does not name its start and end tokens",
        ),
    ],
)
def test_a_model_that_cannot_write_gets_a_sentence(scenario, sentence):
    with pytest.raises(ValueError, match=sentence):
        task(scenario)


def test_blanks_are_filled_as_transformer_math_fills_them():
    scenario = with_text(catalog.first("blanks"), "une <mask> poule court dans la <mask>")
    runner = ForwardPassRunner()
    found = filling(scenario, runner)
    words, ids = scenario.source_vocabulary, scenario.ids("source")
    mask, pad = words.index("<mask>"), words.index("<pad>")
    right = fill_blanks(runner.model(scenario), ids, mask, forbidden_tokens=[pad])
    assert found["text"].split() == [words[i] for i in right.ids[0]]
    turns = [0 if row["turn"] is None else row["turn"] + 1 for row in found["rows"]]
    assert turns == right.order[0].tolist()
    assert sorted(turns)[-2:] == [1, 2]
    assert found["opens"] == turns.index(1)
    # Each blank is chosen from the distribution after the blanks filled before it.
    for turn in (1, 2):
        at = turns.index(turn)
        before = [i if turns[n] >= turn else right.ids[0][n] for n, i in enumerate(ids)]
        logits = runner.model(scenario).logits(np.array([before]))[0, at]
        p = softmax(logits.astype(float))
        check_bars(found["rows"][at]["bars"], p, int(right.ids[0][at]), words)
        assert found["rows"][at]["p"] == pytest.approx(p[right.ids[0][at]])


def test_edited_weights_count_in_blanks_and_every_position_has_its_words():
    scenario = Scenario().with_setting("decoder_layers", 0)
    scenario = scenario.with_value("source.W_e", (2, 3), 4.0)
    runner = ForwardPassRunner()
    found = filling(scenario, runner)
    probabilities = runner.trace(scenario)["output.probabilities"].value
    assert not found["can_blank"]
    assert [row["turn"] for row in found["rows"]] == [None] * len(scenario.source)
    for row, p in zip(found["rows"], probabilities.astype(float), strict=True):
        check_bars(row["bars"], p, int(p.argmax()), scenario.source_vocabulary)
    with pytest.raises(ValueError, match="no token for a blank"):
        with_blank(scenario, 0)


def test_a_word_that_becomes_a_blank_is_the_right_word_of_the_blank():
    scenario = with_text(catalog.first("blanks"), "la petite souris dort sous le lit")
    blank = with_blank(scenario, 2)
    assert blank.source[2] == "<mask>"
    assert blank.next_token == "souris"
    twice = with_blank(blank, 0)  # only the first blank is requested
    assert twice.next_token == "la"
    assert with_blank(blank, 6).next_token == "souris"


def test_the_drawer_of_an_encoder_only_model_has_no_methods_and_opens_the_attention_of_a_position():
    opened_views = []
    state = AppState(catalog.first("blanks"))
    view = DecodeView(state, lambda: opened_views.append("attention"))
    view.show(True)
    ways, form, body, limit = view.column.objects
    assert not ways.visible
    assert not form.visible
    assert not limit.visible
    assert body.data["way"] == "blanks"
    assert body.data["fill"] == filling(state.scenario, state.runner)
    at = len(state.scenario.source) - 1
    for wrong in (-1, at + 1):
        body.receive({"type": "attention", "step": wrong})
        body.receive({"type": "blank", "at": wrong})
    assert not opened_views
    body.receive({"type": "attention", "step": at})
    assert opened_views == ["attention"]
    assert state.attention_focus.query == at
    assert state.attention_focus.scope == "encoder.1.self_attn"
    body.receive({"type": "blank", "at": at})
    assert state.scenario.source[at] == "<mask>"
    assert body.data["fill"]["rows"][at]["turn"] is not None
    state.change(Scenario())
    assert ways.visible
    assert body.data["way"] == "greedy"
    body.receive({"type": "blank", "at": 0})
    assert state.scenario == Scenario()


def test_a_decoder_only_model_continues_from_the_target():
    scenario = Scenario().with_setting("encoder_layers", 0)
    found = greedy(task(scenario))
    assert found["given"] == ["<sos>", "le", "chat"]
    vocabulary = scenario.target_vocabulary
    before = next_probabilities(scenario, scenario.target)
    check_bars(found["steps"][0], before, int(before.argmax()), vocabulary)
    assert found["texts"][0] == f"le chat {vocabulary[before.argmax()]}".strip()
    # The comparison starts where training starts.
    assert comparison(task(scenario))["rows"][0]["free"]["given"] == "<sos>"
    assert last_position_focus(ForwardPassRunner().trace(scenario)).scope == "decoder.0.self_attn"


def test_limits_fit_the_model(dates):
    assert task().max_length == 12
    assert task(dates).max_length == 20
    assert task(max_length=3).max_length == 3
    assert task(catalog.first("paper-base")).max_length == 6
    assert len(greedy(task(max_length=3))["ids"]) == 3
    learned = Scenario().with_setting("positions", "learned")
    few = dataclasses.replace(learned, locked=dataclasses.replace(learned.locked, max_positions=7))
    assert task(few).max_length == 7
    assert any("learned 7 positions" in note for note in task(few).notes)
    assert len(greedy(task(few, max_length=9))["ids"]) <= 7


def test_numbers_that_are_not_finite_are_explained_in_a_sentence():
    scenario = Scenario().with_values(
        "output.W_out", {(i, j): 1000 for i in range(8) for j in range(8)}
    )
    huge = ForwardPassRunner().model(scenario)
    broken = huge.with_parameters({"output.W_out": np.full((8, 8), np.nan, np.float32)})
    with pytest.raises(ValueError, match="not finite"):
        greedy(dataclasses.replace(task(scenario), model=broken))


# -- training and inference --------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [Scenario(), EDITED])
def test_teacher_forcing_is_the_pass_on_the_page(scenario):
    found = comparison(task(scenario))
    probabilities = ForwardPassRunner().trace(scenario)["output.probabilities"].value
    words = scenario.target_vocabulary
    rights = [*scenario.target[1:], "<eos>"]
    for k, row in enumerate(found["rows"][: len(scenario.target)]):
        cell, best = row["forced"], int(probabilities[k].argmax())
        assert (row["right"], cell["given"], cell["word"]) == (
            rights[k],
            scenario.target[k],
            words[best],
        )
        assert cell["p"] == pytest.approx(probabilities[k, best], abs=1e-6)
        assert cell["is_right"] == (words[best] == rights[k])
    assert found["forced"] == sum(r["forced"]["is_right"] for r in found["rows"][: len(rights)])
    assert found["of"] == len(rights)


def test_at_inference_the_model_reads_its_own_words():
    scenario = EDITED
    found = comparison(task(scenario))
    given = ["<sos>"]
    for row in found["rows"]:
        before = next_probabilities(scenario, given)
        word = scenario.target_vocabulary[before.argmax()]
        assert (row["free"]["given"], row["free"]["word"]) == (given[-1], word)
        assert row["free"]["p"] == pytest.approx(before.max(), abs=2e-6)
        given.append(word)
        if word == "<eos>":
            break
    rights = [*scenario.target[1:], "<eos>"]
    wrong = [k for k, right in enumerate(rights) if given[1:][k : k + 1] != [right]]
    assert found["first"] == wrong[0]
    assert found["free"] == len(rights) - len(wrong)


def test_the_right_next_word_follows_the_target_and_no_word_follows_an_end():
    found = comparison(task(Scenario().with_expected("est")))
    assert [row["right"] for row in found["rows"][:4]] == ["le", "chat", "est", None]
    scenario = Scenario().with_tokens("target", ["<sos>", "le", "<eos>", "<pad>"])
    found = comparison(task(scenario))
    assert [row["right"] for row in found["rows"][:4]] == ["le", "<eos>", None, None]
    assert found["rows"][2]["forced"]["is_right"] is None


def test_the_text_of_the_model_is_checked_against_its_data():
    asked = catalog.first("phrases")
    start, right = asked.target[0], [*asked.target[1:], "<eos>"]
    wrong = with_written_target(asked.with_value("output.W_out", (0, 0), 50), ForwardPassRunner())
    assert wrong.target != asked.target
    found = comparison(task(wrong))
    assert found["right_of"] == "data"
    assert [row["right"] for row in found["rows"][: len(right)]] == right
    assert [row["forced"]["given"] for row in found["rows"][: len(right)]] == [start, *right[:-1]]
    assert found["free"] < found["of"] == len(right)
    # A typed target is compared because the user wants it; without data, nothing else is right.
    assert comparison(task(wrong.with_writing(False)))["right_of"] == "reader"
    unknown = asked.with_tokens("source", ["cat", "cat"])
    assert comparison(task(unknown))["right_of"] == "model"


# -- greedy ------------------------------------------------------------------------------------


def test_greedy_steps_are_forward_passes():
    found = greedy(task(EDITED))
    words, given, total = EDITED.target_vocabulary, ["<sos>"], 0.0
    for token, shown in zip(found["ids"], found["steps"], strict=True):
        before = next_probabilities(EDITED, given)
        assert token == before.argmax()
        check_bars(shown, before, token, words)
        total += np.log(before[token])
        given.append(words[token])
    assert found["tokens"] == given[1:]
    assert found["log_probability"] == pytest.approx(total, abs=1e-4)
    said = [word for word in given[1:] if word != "<eos>"]
    assert found["texts"][-1] == " ".join(said)


def test_letters_are_joined_to_a_text_and_a_blank_is_shown_by_a_sign(dates):
    at = task(dates)
    ids = [dates.target_vocabulary.index(letter) for letter in "May 3"]
    assert at.text([at.start, *ids, at.end]) == "May 3"
    shown = bars(dates.target_vocabulary, np.eye(len(dates.target_vocabulary))[ids[3]], ids[3])
    assert shown["rows"][0] == {"word": "␣", "p": 1.0, "chosen": True}
    assert shown["others"] == {"count": len(dates.target_vocabulary) - TOP, "p": 0.0}
    p = softmax(-np.arange(len(dates.target_vocabulary), dtype=float) / 5)
    check_bars(bars(dates.target_vocabulary, p, 40), p, 40, dates.target_vocabulary)


# -- beam search -------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["textbook", "huggingface"])
@pytest.mark.parametrize(("width", "alpha"), [(1, 0.0), (3, 0.6), (10, 2.0)])
def test_the_drawn_tree_is_the_tree_of_the_beam_search(width, alpha, style):
    at = task(EDITED)
    found = search(at, DecodingSettings(beam_size=width, alpha=alpha, beam_style=style))
    real = beam_search(**at.arguments, beam_size=width, alpha=alpha, style=style)
    shown_tree = found.to_dict()
    assert (shown_tree["style"], shown_tree["stop"]) == (style, real.stop)
    assert len(shown_tree["nodes"]) == len(real.nodes)
    for shown, node in zip(shown_tree["nodes"], real.nodes, strict=True):
        assert (shown["step"], shown["parent"], shown["status"]) == (
            node.step,
            node.parent,
            node.status,
        )
        assert shown["token"] == EDITED.target_vocabulary[node.token]
        assert shown["own"] == pytest.approx(np.log(node.probability), abs=1e-9)
        form = "paper" if style == "textbook" else "huggingface"
        assert shown["penalty"] == lp(max(node.step, 1), alpha, form)
        assert shown["score"] == pytest.approx(shown["total"] / shown["penalty"])
    assert [h["id"] for h in shown_tree["hypotheses"]] == [n.id for n in real.hypotheses]
    way = [n for n in shown_tree["nodes"] if n["best"]]
    assert [n["step"] for n in way] == list(range(real.best.step + 1))
    assert sum(n["own"] for n in way) == pytest.approx(real.best.log_probability)


def test_a_node_shows_the_distribution_that_its_word_was_chosen_from():
    found = search(task(EDITED), SETTINGS)
    words = EDITED.target_vocabulary
    for node in found.beam.nodes[1:40:5]:
        shown_tree = found.detail(node)
        before = next_probabilities(
            EDITED, ["<sos>", *(words[i] for i in found.beam.path(node)[:-1])]
        )
        check_bars(shown_tree["bars"], before, node.token, words)
        assert shown_tree["bars"]["rows"][0]["p"] == pytest.approx(before.max(), abs=2e-6)
        assert found.find(tuple(found.beam.path(node))) is node
    assert found.find((0, 0, 0, 99)) is found.beam.best
    assert found.find(None) is found.beam.best
    root = found.detail(found.beam.nodes[0])
    assert not any(row["chosen"] for row in root["bars"]["rows"])


@pytest.mark.parametrize("width", [1, 2, 4, 10])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_node_covers_another_and_no_two_lines_cross(width, seed):
    at = task(load(dates_file(seed=seed), Scenario(), "dates"))
    beam = search(at, DecodingSettings(beam_size=width)).beam
    rows = node_rows(beam)
    room = kept_rows(beam)
    assert room <= width
    for step in range(1, beam.nodes[-1].step + 1):
        column = [node for node in beam.nodes if node.step == step]
        kept = sorted((n for n in column if n.status != "dropped"), key=lambda n: rows[n.id])
        taken = sorted(rows[node.id] for node in column)
        assert np.diff(taken).min(initial=9) >= 1 - 1e-9
        assert 0 <= rows[kept[0].id] <= rows[kept[-1].id] <= room - 1
        parents = [rows[node.parent] for node in kept]
        assert parents == sorted(parents)
        assert all(rows[n.id] >= room for n in column if n.status == "dropped")


# -- sampling ----------------------------------------------------------------------------------


def test_samples_are_drawn_from_the_words_that_the_settings_keep():
    settings = DecodingSettings(method="sample", temperature=0.7, top_k=4, top_p=0.9, seed=11)
    scenario = Scenario().with_value("target.W_e", (2, 3), 1.5)
    at = task(scenario)
    found = samples(at, settings)
    assert [one["seed"] for one in found] == [11, 12, 13, 14, 15]
    assert len({tuple(one["ids"]) for one in found}) > 1
    for one in found:
        real = sample(**at.arguments, sampling=Sampling(0.7, 4, 0.9), seed=one["seed"])
        assert one["ids"] == real.ids.tolist()
        assert one["log_probability"] == real.log_probability
        given = ["<sos>"]
        for shown, token in zip(one["steps"], one["ids"], strict=True):
            before = next_probabilities(scenario, given)
            left = filtered(np.log(before), Sampling(0.7, 4, 0.9))
            check_bars(shown, before, token, scenario.target_vocabulary)
            order = [scenario.target_vocabulary.index(row["word"]) for row in shown["rows"]]
            np.testing.assert_allclose([r["q"] for r in shown["rows"]], left[order], atol=1e-4)
            assert [row["cut"] for row in shown["rows"]] == (left[order] == 0).tolist()
            assert shown["rows"][0]["q"] > 0
            given.append(scenario.target_vocabulary[token])


def test_the_words_that_top_k_excludes_are_counted(dates):
    (shown, *_) = samples(task(dates), DecodingSettings(top_k=10))[0]["steps"]
    assert shown["others"]["count"] == len(dates.target_vocabulary) - TOP
    assert shown["others"]["cut"] in (shown["others"]["count"] - 2, shown["others"]["count"] - 3)
    total = sum(row["q"] for row in shown["rows"]) + shown["others"]["q"]
    assert total == pytest.approx(1)


# -- attention ---------------------------------------------------------------------------------


def test_written_words_become_the_target_and_the_model_predicts_the_same_for_them():
    scenario = EDITED.with_tokens("target", ["<sos>", "hund", "chat"])
    at = task(scenario)
    found = greedy(at)
    shown = scenario_after(at, tuple(found["ids"][:2]))
    assert shown.target == ("<sos>", *found["tokens"][:2])
    assert shown.target_vocabulary == scenario.target_vocabulary
    assert shown.edits == scenario.edits != NO_EDITS
    trace = ForwardPassRunner().trace(shown)
    last = trace["output.probabilities"].value[-1]
    assert last.max() == pytest.approx(found["steps"][2]["rows"][0]["p"], abs=2e-6)
    seen = last_position_focus(trace)
    weights = trace["decoder.0.cross_attn.weights"].value
    assert (seen.scope, seen.query) == ("decoder.0.cross_attn", 2)
    assert weights[seen.head, 2, seen.key] == weights[:, 2].max()
    deep = ForwardPassRunner().trace(Scenario().with_setting("decoder_layers", 3))
    assert last_position_focus(deep).scope == "decoder.2.cross_attn"


def test_a_target_with_too_many_words_is_refused():
    at = task(Scenario().with_setting("encoder_layers", 0).with_tokens("target", ["<sos>"] * 60))
    with pytest.raises(ValueError, match="room for 64 tokens"):
        scenario_after(at, (0,) * 5)


# -- settings ----------------------------------------------------------------------------------


def test_top_k_is_at_most_the_number_of_words():
    with pytest.raises(ValueError, match=r"^top-k is a whole number from 0 to 8 \(0: all "):
        SETTINGS.changed("top_k", "9").check_vocabulary(8)


def test_sampling_again_takes_the_next_seeds_and_starts_again_after_the_last():
    assert SETTINGS.with_next_seeds(5).seed == 6
    assert SETTINGS.replace(seed=MAX_SEED - 4).with_next_seeds(5).seed == 0


@pytest.mark.parametrize("method", ["comparison", "greedy", "beam", "sample"])
def test_every_field_has_its_setting_with_its_limits(method):
    settings = DecodingSettings(method=method)
    at = decoding_task(Scenario(), ForwardPassRunner(), settings)
    own, far = sections(method, at), limits(at)
    for field in SettingsForm(value=settings, sections=[*own, *far]).fields:
        if field["kind"] not in ("integer", "number"):
            continue
        given = getattr(settings, field["name"])
        assert field["value"] == (at.max_length if given is None else given)
        for end in ("minimum", "maximum"):
            changed = settings.changed(field["name"], str(field[end]))
            changed.check_vocabulary(len(at.scenario.target_vocabulary))


def test_every_setting_is_in_a_form():
    at = decoding_task(Scenario(), ForwardPassRunner(), DecodingSettings())
    methods = DecodingSettings.param["method"].objects
    found = [*limits(at), *(each for method in methods for each in sections(method, at))]
    shown = {name for section in found for name in section.names}
    assert shown | {"method"} == {*DecodingSettings.names()}
    assert {*OF_METHODS} < {*methods}


def test_opening_the_attention_of_a_written_word_states_how_the_target_changed():
    state, opened_tabs = AppState(catalog.first("phrases")), []
    view = DecodeView(state, lambda: opened_tabs.append("attention"))
    view.show(True)
    state.decode = state.decode.changed("method", "greedy")
    before = state.scenario
    view._on_attention_asked({"step": 2})
    assert opened_tabs == ["attention"]
    assert state.scenario.target == before.target[:3]
    assert not state.scenario.writes_itself
    assert state.offer.what == UNDO
    state.undo()
    assert state.scenario == before
