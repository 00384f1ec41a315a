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
    """One head, whose queries look at one key each."""
    scenario = Scenario().with_setting("heads", 1).with_tokens("target", LONG)
    rows, columns = len(scenario.target), len(scenario.source)
    values = {(i, j): float(j == keys[i] % columns) for i in range(rows) for j in range(columns)}
    return scenario.with_values(CROSS, values)


def test_the_telling_word_of_phrases_is_the_adjective_that_moves():
    scenario = catalog.first("phrases")
    found = told(scenario)
    assert scenario.target[found.position + 1] == "noir"


def test_a_word_that_looks_back_is_the_most_telling():
    count = len(LONG)
    order = [*range(count)]
    order[2:4] = [order[3], order[2]]
    assert told(looking(order), words=count) == TellingWord("decoder", 3)


def test_without_such_a_word_the_strongest_off_the_diagonal():
    count = len(LONG)
    order = [*range(count - 1), count - 2]
    assert told(looking(order), words=count) == TellingWord("decoder", count - 1)


@pytest.mark.parametrize("settings", [{"decoder_layers": 0}, {"encoder_layers": 0}, {}])
def test_any_model_opens_with_one_that_it_has(settings):
    scenario = Scenario()
    for name, value in settings.items():
        scenario = scenario.with_setting(name, value)
    found = told(scenario)
    texts = {"encoder": scenario.source, "decoder": scenario.target}
    assert found.position < len(texts[found.stack])


def test_a_single_token_has_nowhere_to_look():
    scenario = Scenario().with_setting("decoder_layers", 0).with_tokens("source", ["the"])
    trace = ForwardPassRunner().trace(scenario)
    assert np.all(trace["encoder.0.self_attn.weights"].value == 1)
    assert telling_word(trace, 1) is None
