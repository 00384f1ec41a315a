import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.telling_word import TellingWord, telling_word
from tinkerformer.model.scenario.scenario import Scenario

LONG = ["<sos>", "le", "chat", "noir", "est"]
CROSS = "decoder.0.cross_attn.head.0.weights"


def told(scenario, words=None):
    trace = ForwardPassRunner().trace(scenario)
    return telling_word(trace, len(scenario.target) - 1 if words is None else words)


def looking(keys):
    """Return a scenario of one head, whose queries attend to one key each."""
    scenario = Scenario().with_setting("heads", 1).with_tokens("target", LONG)
    rows, columns = len(scenario.target), len(scenario.source)
    values = {(i, j): float(j == keys[i] % columns) for i in range(rows) for j in range(columns)}
    return scenario.with_values(CROSS, values)


def test_the_telling_word_of_phrases_is_the_adjective_that_changes_its_place():
    scenario = catalog.first("phrases")
    found = told(scenario)
    assert scenario.target[found.position + 1] == "noir"


def test_a_word_that_attends_to_an_earlier_word_than_the_one_before_is_telling():
    count = len(LONG)
    order = [*range(count)]
    order[2:4] = [order[3], order[2]]
    assert told(looking(order), words=count) == TellingWord("decoder", 3)


def test_otherwise_the_word_of_the_strongest_weight_off_the_diagonal_is_telling():
    count = len(LONG)
    order = [*range(count - 1), count - 2]
    assert told(looking(order), words=count) == TellingWord("decoder", count - 1)


@pytest.mark.parametrize("settings", [{"decoder_layers": 0}, {"encoder_layers": 0}, {}])
def test_any_model_opens_with_a_word_of_its_text(settings):
    scenario = Scenario()
    for name, value in settings.items():
        scenario = scenario.with_setting(name, value)
    found = told(scenario)
    texts = {"encoder": scenario.source, "decoder": scenario.target}
    assert found.position < len(texts[found.stack])


def test_a_single_token_has_no_telling_word():
    scenario = Scenario().with_setting("decoder_layers", 0).with_tokens("source", ["the"])
    trace = ForwardPassRunner().trace(scenario)
    assert np.all(trace["encoder.0.self_attn.weights"].value == 1)
    assert telling_word(trace, 1) is None
