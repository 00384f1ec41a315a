"""Which word matters, and the effect of positions, compared with passes of other texts."""

import pytest
from tinkerformer.experiments.position_effects import position_effects, without_positions
from tinkerformer.experiments.word_effects import WordEffect, WordEffects, word_effects
from tinkerformer.explain import ablation
from tinkerformer.features.measure.bar_words import word_conclusion
from tinkerformer.features.measure.positions import PositionsSection
from tinkerformer.features.measure.words import WordsSection
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session.state import AppState
from tinkerformer.transport.runtime.page_session import PageSession

PHRASES = catalog.first("phrases")
ROW = PHRASES.target.index("noir") - 1
NOIR = ROW, PHRASES.target_vocabulary.index("noir")
BOTH = (Silence("source.positions"), Silence("target.positions"))


def opened(section, scenario=PHRASES):
    state = AppState(scenario)
    state.go("asked", ROW if scenario is PHRASES else 1)
    found = section(state, PageSession())
    found.show(True)
    return state, found


def test_hiding_a_word_has_the_effect_of_padding_in_its_place():
    found = word_effects(ForwardPassRunner(), PHRASES, NOIR)
    assert [each.position for each in found.effects] == list(range(len(PHRASES.source)))
    for each in found.effects:
        words = list(PHRASES.source)
        words[each.position] = PHRASES.vocabulary.pad
        padded = ForwardPassRunner().trace(PHRASES.with_tokens("source", words))
        row = padded[PROBABILITIES].value[ROW]
        assert each.probability == pytest.approx(float(row[NOIR[1]]), abs=1e-6)
        assert each.change == pytest.approx(each.probability - found.probability)
        assert each.writes == row.argmax()


def test_padding_and_later_words_of_a_single_text_are_not_hidden():
    padded = PHRASES.with_tokens("source", [*PHRASES.source, PHRASES.vocabulary.pad])
    assert len(word_effects(ForwardPassRunner(), padded, NOIR).effects) == len(PHRASES.source)
    alone = catalog.first("next-word")
    found = word_effects(ForwardPassRunner(), alone, (1, 0))
    assert found.side == "target"
    assert [each.position for each in found.effects] == [0, 1]


def test_the_word_that_matters_is_stated_and_a_press_follows_it():
    state, section = opened(WordsSection)
    bars = section.bars
    said = "Without “black” it writes “est” for “noir”: .85 → .01."
    assert bars.head["conclusion"] == f"{said} No other word, when hidden, lowers it as much."
    assert bars.head["label"] == "Which word matters for “noir”"
    black = PHRASES.source.index("black")
    assert bars.rows[black]["change"] == ".852 → .011"
    assert {len(row["change"]) for row in bars.rows} == {len(".852 → .011")}
    assert bars.rows[black]["is_other"]
    bars.receive({"type": "press", "row": black})
    assert state.location.followed == ("encoder", black)
    assert bars.head["conclusion"].startswith(said)
    state.change(PHRASES.with_tokens("source", ["the", "white", "cat"]))
    assert len(bars.rows) == 3


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ((0.2, 0.4, 0.5), ".50 → .20. No other word, when hidden, lowers it as much."),
        ((0.2, 0.2), ".50 → .20."),
        ((0.2,), ".50 → .20."),
        ((0.5, 0.501), "Without any one word, “noir” is as likely as with it."),
        (
            (0.5, 0.8),
            "Without any word “noir” stays at least as likely; most without “cat”: .50 → .80.",
        ),
    ],
)
def test_the_conclusion_distinguishes_lower_from_higher_probabilities(now, said):
    effects = [WordEffect(at + 1, p, p - 0.5, NOIR[1]) for at, p in enumerate(now)]
    found = WordEffects("source", tuple(effects), 0.5, NOIR[1])
    assert word_conclusion(PHRASES, NOIR, found).endswith(said)


def test_removing_positions_has_the_effect_of_a_table_of_zeros():
    found = position_effects(ForwardPassRunner(), PHRASES, NOIR)
    assert [each.sides for each in found.effects] == [
        ("source",),
        ("target",),
        ("source", "target"),
    ]
    runner = ForwardPassRunner()
    model = runner.model(PHRASES)
    ids = [PHRASES.ids(side) for side in ("source", "target")]
    for each in found.effects:
        zeros = {
            f"{side}.positions": 0 * runner.trace(PHRASES)[f"{side}.positions"].value
            for side in each.sides
        }
        row = model(*ids, overrides=zeros)[PROBABILITIES].value[ROW]
        assert each.probability == pytest.approx(float(row[NOIR[1]]), abs=1e-6)
        assert each.writes == row.argmax()
        then = with_written_target(without_positions(PHRASES, each.sides), ForwardPassRunner())
        assert each.target == then.target
    assert found.told.target == PHRASES.target


def test_a_press_removes_the_positions_in_one_step_and_another_press_restores_them():
    state, section = opened(PositionsSection)
    bars = section.bars
    said = bars.head["conclusion"]
    nothing = "Without positions it writes <eos> first, so no word"
    assert said.startswith(f"{nothing}, in place of “le chat noir")
    assert said.endswith("; “noir” after “le chat”: .85 → .19.")
    bars.receive({"type": "press", "row": 2})
    assert state.scenario.silences == BOTH
    assert [row["is_out"] for row in bars.rows] == [False, False, True]
    assert bars.head["conclusion"].startswith(nothing)
    state.undo()
    assert state.scenario == PHRASES
    bars.receive({"type": "press", "row": 1})
    assert state.scenario.silences == BOTH[1:]
    bars.receive({"type": "press", "row": 1})
    assert state.scenario.silences == ()
    assert state.scenario.target == PHRASES.target
    assert ablation.words(PHRASES, BOTH[1]) == "positions of target"


def test_a_model_without_positions_is_described_as_such():
    _, section = opened(PositionsSection, Scenario().with_setting("positions", "none"))
    assert not section.bars.visible
    assert section.form.fields[0]["value"] == "This model has no positions."
    assert "Press a bar" not in section.asked.object
    _, section = opened(PositionsSection, catalog.first("next-word"))
    assert "the source, the target" not in section.asked.object
    _, section = opened(PositionsSection)
    assert "0, for the source, the target or both. Press a bar" in section.asked.object


@pytest.mark.parametrize("section", [WordsSection, PositionsSection])
def test_with_dropout_on_the_bars_measure_the_model_without_dropout(section):
    state, found = opened(section)
    before = found.bars.rows, found.bars.head
    state.change(PHRASES.with_training(True))
    assert (found.bars.rows, found.bars.head) == before
    assert "without dropout" in found.form.fields[0]["value"]
