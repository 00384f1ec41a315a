"""What Learn shows of attention: the heads of the last layers, as pictures, and no board below."""

import pytest
from tinkerformer import stages
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario
from tinkerformer.session.state import UNDO

from tests.app.learner import on_app, played
from tests.app.test_learn_tab import opened


def manifest(scenario):
    return stages.learn.manifest(scenario, ForwardPassRunner().trace(scenario), 1)


def pictured(found):
    """The attentions that there are pictures of, each with how many heads."""
    (stage,) = found["stages"]
    items = stage["rows"][0]["items"]
    return [(item["scopes"], len(item["thumbs"])) for item in items]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"encoder_layers": "3", "decoder_layers": "2", "heads": "4"},
            ["encoder.2.self_attn", "decoder.1.self_attn", "decoder.1.cross_attn"],
        ),
        ({"decoder_layers": "0"}, ["encoder.0.self_attn"]),
        ({"encoder_layers": "0"}, ["decoder.0.self_attn"]),
    ],
)
def test_every_head_of_the_last_layer_of_each_kind_is_pictured(changes, expected):
    scenario = Scenario()
    for name, raw in changes.items():
        scenario = scenario.with_setting(name, raw)
    heads = scenario.settings.heads
    assert pictured(manifest(scenario)) == [([scope], heads) for scope in expected]


def test_all_that_stages_draw_can_be_read_by_its_path():
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    drawn = {m["path"] for m in stages.manifest(scenario, trace, 1)["matrices"]}
    found = stages.learn.manifest(scenario, trace, 1)
    assert {m["path"] for m in found["matrices"]} == drawn
    assert found["only_pictures"]


def test_other_data_are_another_model_which_is_said_and_can_be_undone():
    async def script(learner):
        before = learner.scenario
        tab = opened(learner)
        tab._data.value = "dates"
        await learner.over()
        assert learner.scenario.model == "dates"
        assert learner.page.offer.what == UNDO
        assert f"{learner.scenario.config.parameter_count():,}" in learner.page.offer.text
        learner.page.undo()
        assert learner.scenario == before

    played(script, on_app(catalog.first("phrases")))
