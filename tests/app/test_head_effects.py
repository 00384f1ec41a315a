"""The counts of the table of heads equal counts phrase by phrase; *Measure* shows the table."""

import asyncio
import threading

import numpy as np
import pytest
from tinkerformer.experiments.head_effects import Runners, head_effects, multiply_adds
from tinkerformer.experiments.unit_effects import unit_effects
from tinkerformer.features.measure.heads import HeadsSection
from tinkerformer.features.measure.watched import watched_answer
from tinkerformer.files import catalog
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.silencing import Averages, silenced
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import MEAN, ZERO, Silence, heads
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.state import AppState
from tinkerformer.transport.runtime.derived import COMPUTING_AGAIN, OUTDATED
from tinkerformer.transport.runtime.page_session import PageSession

from transformer_math.training.evaluation import exact_matches

PHRASES = catalog.first("phrases")
ANSWER = (3, 5)
QUIET = Silence("decoder.0.cross_attn.head.0.context", to=MEAN)


def effects(scenario, to=ZERO, answer=ANSWER):
    return head_effects(Runners.sharing(ForwardPassRunner()), scenario, answer, to)


def half_learned(noise=0.02):
    """Return the phrase model with disturbed numbers, so that only some phrases are right."""
    drawn = np.random.default_rng(4)
    arrays = {
        path: array + noise * drawn.standard_normal(array.shape).astype(array.dtype)
        for path, array in PHRASES.weights.arrays.items()
    }
    words = PHRASES.weights.source_vocabulary, PHRASES.weights.target_vocabulary
    return PHRASES.trained(Weights(arrays, *words), PHRASES.steps_taken)


def counted(scenario, count=200):
    """Count the right phrases one by one, with one pass for each word."""
    runner = ForwardPassRunner()
    model, averages = runner.model(scenario), Averages()
    pairs, right = scenario.data.pairs(), 0
    tokenizer = pairs.target_tokenizer
    for source, target in zip(
        pairs.held_out_source[:count].tolist(), pairs.held_out_target[:count].tolist(), strict=True
    ):
        source = [k for k in source if k != pairs.source_tokenizer.pad]
        asked = [k for k in target if k != tokenizer.pad]
        words = scenario.with_tokens("source", [scenario.source_vocabulary[k] for k in source])
        written = [tokenizer.start]
        while len(written) < len(asked) and written == asked[: len(written)]:
            now = words.with_written(tuple(scenario.target_vocabulary[k] for k in written))
            arrays, cells = silenced(now, model, averages)
            logits = model.logits(source, written, overrides={**arrays, **cells})
            written.append(int(logits[-1].argmax()))
        right += written == asked
    return right


def test_the_counts_equal_those_of_single_phrases():
    scenario = half_learned()
    found = effects(scenario)
    assert 0 < found.right < found.total == 200
    assert found.right == counted(scenario)
    for each in (found.effects[0], found.effects[5]):
        assert each.right == counted(scenario.with_silence(each.silence))
        assert each.lost == found.right - each.right


@pytest.mark.parametrize("noise", [0.02, 0.04])
def test_without_silences_the_count_equals_that_of_the_training_evaluation(noise):
    scenario = half_learned(noise)
    model = ForwardPassRunner().model(scenario)
    assert effects(scenario).right == exact_matches(model, scenario.data.pairs(), 200)[0]


@pytest.mark.parametrize("to", [ZERO, MEAN])
def test_the_probability_is_that_of_a_pass_with_the_head_silenced(to):
    found = effects(PHRASES, to)
    for each in found.effects:
        quiet = ForwardPassRunner().trace(PHRASES.with_silence(each.silence))
        assert each.probability == pytest.approx(float(quiet[PROBABILITIES].value[ANSWER]))
        assert each.change == pytest.approx(each.probability - found.probability)


def test_a_head_that_is_already_silenced_is_compared_with_the_model_in_which_it_is_heard():
    plain, quiet = effects(PHRASES, MEAN), effects(PHRASES.with_silence(QUIET), MEAN)
    (now,) = [each for each in quiet.effects if each.is_silent]
    (then,) = [each for each in plain.effects if each.silence.path == QUIET.path]
    assert quiet.right == now.right
    assert now._replace(is_silent=False) == then
    # The effect of a head depends on the other heads.
    assert quiet.effects[5].right <= plain.effects[5].right


def test_the_counts_use_edited_weights_and_silences_and_ignore_the_shown_text():
    right = effects(PHRASES).right
    computed = PHRASES.with_value("decoder.0.feed_forward.out", (0, 0), 900)
    row = PHRASES.with_silence(Silence("decoder.0.cross_attn.out", row=1))
    unlearned = PHRASES.with_tokens("source", ["the", "zebra", "sat"])
    for scenario in (computed, row, unlearned):
        assert effects(scenario, answer=(0, 1)).right == right
    edited = PHRASES.with_value("output.W_out", (0, 0), 50).with_value("output.W_out", (1, 3), -60)
    for scenario in (edited, PHRASES.with_silence(Silence("decoder.0.cross_attn.out"))):
        assert effects(scenario).right < right


def test_without_the_causal_mask_each_word_is_predicted_by_a_pass_of_the_words_before_it():
    scenario = half_learned(0.02).with_setting("causal_mask", False)
    assert effects(scenario).right == counted(scenario)


@pytest.mark.parametrize(
    ("layers", "count"), [((1, 1), 6), ((2, 0), 4), ((0, 2), 4), ((0, 0), 0), ((2, 2), 12)]
)
def test_every_head_of_every_layer_is_listed(layers, count):
    scenario = Scenario()
    if layers != (0, 0):
        for name, number in zip(("encoder_layers", "decoder_layers"), layers, strict=True):
            scenario = scenario.with_setting(name, number) if number else scenario
        for name, number in zip(("encoder_layers", "decoder_layers"), layers, strict=True):
            scenario = scenario.with_setting(name, number)
        found = effects(scenario, MEAN, (0, 0))
        assert found.right is None
        assert len(found.effects) == count == len(heads(scenario.config))
        assert len({each.probability for each in found.effects}) > 1


def test_twelve_heads_and_two_hundred_phrases_are_computed_without_a_request():
    deep = PHRASES.with_setting("encoder_layers", 2).with_setting("decoder_layers", 2)
    assert len(heads(deep.config)) == 12
    assert cost.fits_unasked(multiply_adds(deep))
    runners = Runners.sharing(ForwardPassRunner())
    assert head_effects(runners, deep, ANSWER, ZERO).total == 200


def test_a_head_is_described_by_the_words_written_without_it_and_the_words_it_attends_to():
    row = PHRASES.target.index("noir") - 1
    answer = row, PHRASES.target_vocabulary.index("noir")
    found = effects(PHRASES, answer=answer)
    assert PHRASES.target_vocabulary[found.writes] == "noir"
    by_path = {each.silence.path: each for each in found.effects}
    crossing = by_path["decoder.0.cross_attn.head.1.context"]
    assert PHRASES.source[crossing.reads] == "black"
    assert PHRASES.target_vocabulary[crossing.writes] == "est"
    assert by_path["encoder.0.self_attn.head.0.context"].reads is None


@pytest.mark.parametrize("to", [ZERO, MEAN])
def test_the_effect_of_a_unit_equals_that_of_the_pass_with_it_silenced(to):
    set_here = PHRASES.with_value("decoder.0.feed_forward.activation", (3, 9), 2.0)
    scenario = set_here.with_silence(Silence("encoder.0.feed_forward.activation", None, 0, MEAN))
    found = unit_effects(Runners.sharing(ForwardPassRunner()), scenario, ANSWER, to)
    assert len(found.effects) == found.parts == 2 * PHRASES.config.feed_forward_width
    assert found.right is None
    assert [each.is_silent for each in found.effects].count(True) == 1
    for each in found.effects:
        quiet = ForwardPassRunner().trace(scenario.with_silence(each.silence))
        row = quiet[PROBABILITIES].value[ANSWER[0]]
        # A batch of passes multiplies larger matrices, whose products round differently.
        assert each.probability == pytest.approx(float(row[ANSWER[1]]), abs=1e-5)
        assert each.writes == row.argmax()
        without = ForwardPassRunner().trace(scenario.without_silence(*each.silence.part))
        then = float(without[PROBABILITIES].value[ANSWER])
        assert each.change == pytest.approx(each.probability - then, abs=1e-6)


# -- the section ----------------------------------------------------------------------------------


class Page:
    """The section on an open page."""

    def __init__(self, scenario=PHRASES):
        self.state = AppState(scenario)
        self.state.go("asked", 3)
        self.section = HeadsSection(self.state, PageSession())
        self.section.show(True)

    @property
    def rows(self):
        return self.section.table.rows

    def fields(self):
        return {field["name"]: field for field in self.section.form.fields}

    def set(self, **values):
        form = self.section.form
        form.value = {**form.value, **values}


def test_the_table_is_sorted_by_effect_or_by_position_of_the_head():
    page = Page()
    lost = [int(row["right_change"].replace("−", "-")) for row in page.rows]
    assert lost == sorted(lost)
    assert lost[0] < 0 <= lost[-1]
    assert page.section.table.head["right_now"] == "200"
    assert page.section.table.head["right"] == "right of 200"
    page.set(order="place")
    assert page.rows[0]["label"] == "encoder layer 1, self-attention, head 1"
    assert page.rows[-1]["label"] == "decoder layer 1, cross-attention, head 2"


@pytest.mark.parametrize("kind", ["heads", "units"])
def test_a_sentence_states_the_numbers_of_the_table(kind):
    page = Page()
    page.set(kind=kind)
    first = page.rows[0]
    said = page.section.table.head["conclusion"]
    now = page.section.table.head["writes_now"]
    assert said.startswith(f"Without {first['label']}, ")
    assert f"“{now}”" in said
    if first["is_other"]:
        assert f"“{first['writes']}” is written in place of" in said
    else:
        assert f"{first['probability']} in place of " in said
    assert ("of 200" in said) == (kind == "heads")
    assert first["right"] == "" or f"{first['right']} of 200" in said


def test_a_silenced_head_has_both_probabilities_and_others_are_compared_with_the_silenced_pass():
    """The table's first line and the silenced head's row both show the pass without the head."""
    page = Page()
    page.section.table.receive({"type": "press", "row": 0})
    silenced, head = page.rows[0], page.section.table.head
    assert silenced["silent"]
    said = head["conclusion"]
    assert said.lower().startswith(f"{silenced['label'].lower()} is silenced: ")
    assert head["probability"] in said
    with_it = said.split(", and ")[1].split(" with it")[0]
    assert f"is {silenced['probability']}, and " in said
    assert silenced["change"] == f"with it {with_it}"
    now, right = float(head["probability_now"]), int(head["right_now"])
    for row in page.rows:
        if row["silent"]:
            assert (float(row["probability"]), int(row["right"])) == (now, right)
            assert row["right_change"].startswith("with it ")
            assert (row["fall"], row["share"]) == (0, 0)
            continue
        change = float(row["change"].replace("−", "-"))
        assert float(row["probability"]) == pytest.approx(now + change, abs=2e-3)
        assert int(row["right"]) == right + int(row["right_change"].replace("−", "-"))


def test_a_switch_silences_the_head_of_its_row_and_selects_it_and_restores_it():
    page = Page()
    page.set(order="place", to="mean")
    before = page.state.scenario
    page.section.table.receive({"type": "press", "row": 5})
    path = "decoder.0.cross_attn.head.1.context"
    assert page.state.scenario.silences == (Silence(path, to=MEAN),)
    assert page.rows[5]["silent"]
    assert page.state.selection.path == path
    assert page.state.attention_focus[:2] == ("decoder.0.cross_attn", 1)
    word = page.state.scenario.target[page.state.position + 1]  # the word that the shown row writes
    assert page.section.table.head["probability"].startswith(f"P(“{word}”)")
    page.section.table.receive({"type": "press", "row": 5})
    assert page.state.scenario == before
    assert not page.rows[5]["silent"]


def test_rows_keep_their_order_while_heads_are_silenced_one_after_another():
    page = Page()
    labels = [row["label"] for row in page.rows]
    for row in (2, 0, 4, 2):
        page.section.table.receive({"type": "press", "row": row})
        assert [row["label"] for row in page.rows] == labels
    assert [at for at, row in enumerate(page.rows) if row["silent"]] == [0, 4]
    page.set(order="place")
    page.set(order="effect")
    all_right = int(page.section.table.head["right_now"])
    lost = [
        int(row["right_change"].removeprefix("with it ").replace("−", "-"))
        - (all_right if row["silent"] else 0)
        for row in page.rows
    ]
    assert [abs(each) for each in lost] == sorted(map(abs, lost), reverse=True)
    assert [row["label"] for row in page.rows] != labels


def test_units_are_ranked_when_chosen_and_a_switch_silences_a_unit_and_selects_it():
    page = Page()
    page.set(kind="units")
    table = page.section.table
    assert table.head["part"] == "with this hidden unit silenced"
    assert table.head["right"] == table.head["reads"] == ""
    falls = [abs(float(row["change"].replace("−", "-"))) for row in table.rows]
    assert len(falls) == 32
    assert falls == sorted(falls, reverse=True)
    first = page.section._rows(page.section.result.value)[0].silence
    assert table.rows[0]["label"].endswith(f"feed-forward network, unit f{first.column}")
    table.receive({"type": "press", "row": 0})
    assert page.state.scenario.silences == (first,)
    assert page.state.selection[0] == first.path
    assert page.state.selection.column == first.column
    assert table.rows[0]["silent"]


def test_units_that_are_not_listed_are_counted(monkeypatch):
    monkeypatch.setattr("tinkerformer.experiments.unit_effects.MOST_WORK", 1)
    monkeypatch.setattr("tinkerformer.features.measure.heads.MOST_UNITS", 5)
    page = Page()
    page.set(kind="units", order="place")
    assert len(page.rows) == 5
    said = page.fields()["said"]["value"]
    assert "Of 32 units only those 8 were tried" in said
    assert "The table shows the 5 that matter most." in said


@pytest.mark.parametrize("row", [-1, 6, True, "0", None, 1.0])
def test_a_switch_of_a_missing_row_does_nothing(row):
    page = Page()
    page.section.table.receive({"type": "press", "row": row})
    assert not page.state.scenario.silences


def test_the_numbers_follow_an_edit_and_the_selected_word():
    page = Page()
    before = page.rows
    page.state.change(PHRASES.with_value("output.W_out", (0, 0), 50))
    assert page.rows != before
    page.state.selection = CellAddress(PROBABILITIES, 1, 7)
    word = PHRASES.target_vocabulary[7]
    assert page.section.table.head["probability"] == f"P(“{word}”) after “{PHRASES.target[1]}”"


def test_the_table_is_about_the_word_that_the_model_writes_now():
    page = Page()
    title = page.section.table.head["probability"]
    assert title == f"P(“est”) after “{PHRASES.target[3]}”"
    page.state.go("asked", 1)
    assert page.section.table.head["probability"] == "P(“chat”) after “le”"
    page.state.go("asked", 2)
    before = page.section.table.head["writes_now"]
    row = next(k for k, each in enumerate(page.rows) if each["is_other"])
    page.section.table.receive({"type": "press", "row": row})
    page.state.selection = None
    head = page.section.table.head
    assert head["writes_now"] != before
    assert head["probability"].startswith(f"P(“{head['writes_now']}”)")


def test_with_dropout_on_the_table_measures_the_model_without_dropout():
    page = Page()
    rows, head = page.rows, page.section.table.head
    page.state.change(PHRASES.with_training(True))
    page.state.change(page.state.scenario.resampled())
    assert page.rows == rows
    assert page.section.table.head == head
    assert "without dropout" in page.fields()["said"]["value"]


def test_a_model_without_data_has_only_the_column_of_the_probability():
    page = Page(Scenario())
    assert page.section.table.head["right"] == ""
    assert all(row["right"] == "" for row in page.rows)
    assert len(page.rows) == 6


def test_the_table_of_a_large_model_is_computed_on_request(monkeypatch):
    monkeypatch.setattr("tinkerformer.model.inference.cost.UNASKED", 0)
    page = Page()
    assert not page.section.table.visible
    assert "takes some seconds" in page.fields()["said"]["value"]
    page.section.form.press("ask")
    assert page.section.table.visible
    assert "ask" not in page.fields()
    page.state.change(PHRASES.with_value("output.W_out", (0, 0), 5))
    assert page.section.table.pending == OUTDATED
    assert "takes some seconds" in page.fields()["said"]["value"]
    assert "ask" in page.fields()


def test_while_the_model_learns_the_table_computes_nothing():
    page = Page()
    before = page.rows
    page.state.learning = True
    page.state.replace_weights(half_learned().weights, 5)
    assert page.rows == before
    page.state.learning = False
    assert page.rows != before
    assert not page.section.table.pending


def test_the_table_is_about_the_likeliest_word_if_the_chosen_word_is_removed():
    page = Page(Scenario())
    state = page.state
    for _ in range(3):
        written = page.section.table.head["writes_now"]
        assert page.section.table.head["probability"].startswith(f"P(“{written}”)")
        state.change(
            state.scenario.with_answers([w for w in state.scenario.answers if w != written])
        )
    state.change(Scenario())
    last = len(state.scenario.output_vocabulary) - 1
    state.selection = CellAddress(PROBABILITIES, 0, last)
    gone = state.scenario.output_vocabulary[last]
    assert f"“{gone}”" in page.section.table.head["probability"]
    state.change(state.scenario.with_answers([state.scenario.target[-1]]))
    row = watched_answer(state)[0]
    likeliest = state.trace[PROBABILITIES].value[row].argmax()
    word = state.scenario.output_vocabulary[likeliest]
    assert f"“{word}”" in page.section.table.head["probability"]


async def there(page):
    """Wait until nothing is pending."""
    async with asyncio.timeout(60):
        while page.section.result.status in ("pending", "outdated"):
            await asyncio.sleep(0.02)


async def test_the_title_stays_with_its_numbers_until_new_numbers_arrive():
    page = Page()
    await there(page)
    before = page.section.table.head
    page.state.go("asked", 1)
    assert page.section.table.pending == COMPUTING_AGAIN
    assert page.section.table.head == before
    await there(page)
    assert page.section.table.head["probability"] == "P(“chat”) after “le”"
    assert page.section.table.head["probability_now"] != before["probability_now"]


@pytest.mark.parametrize(
    ("error", "said"), [(MemoryError, "not enough memory"), (RuntimeError, "error in the program")]
)
def test_an_error_is_shown_and_the_request_can_be_repeated(monkeypatch, error, said):
    def breaks(*_):
        raise error

    async def script():
        page = Page()
        await there(page)
        with monkeypatch.context() as patched:
            patched.setattr("tinkerformer.features.measure.heads.head_effects", breaks)
            page.state.go("asked", 1)
            await there(page)
        assert said in page.fields()["said"]["value"]
        page.section.form.press("ask")
        await there(page)
        assert "said" not in page.fields()
        assert page.section.table.head["probability"] == "P(“chat”) after “le”"

    asyncio.run(script())


@pytest.mark.parametrize("stack", ["encoder_layers", "decoder_layers"])
def test_a_model_of_one_stack_does_not_build_its_pairs(stack, monkeypatch):
    scenario = own_pairs("mn").with_setting(stack, 0)
    monkeypatch.setattr(TrainingData, "pairs", lambda _: pytest.fail("The pairs were built."))
    page = Page(scenario)
    assert page.section.table.visible
    assert page.section.table.head["right"] == ""


def own_pairs(letters, count=300):
    rows = (f"{letters}{k:03},{k:03}{letters}" for k in range(count))
    return catalog.of_pairs(TrainingData("own", "\n".join(rows)))


def test_own_pairs_are_built_in_a_thread_and_kept_while_they_are_used(monkeypatch):
    scenarios = [own_pairs(letters) for letters in ("ab", "cd", "ef", "gh", "ij", "kl")]
    where, read = [], TrainingData.pairs

    def pairs(data):
        where.append(threading.current_thread())
        return read(data)

    async def script():
        monkeypatch.setattr(TrainingData, "pairs", pairs)
        for scenario in (*scenarios, *scenarios):
            page = Page(scenario)
            await there(page)
            assert (
                page.section.table.head["right"]
                == f"right of {page.section.result.value.effects.total}"
            )
            assert "unseen pairs" in page.fields()["to"]["options"][1][1]

    asyncio.run(script())
    assert len(where) == len(scenarios)
    assert threading.main_thread() not in where
