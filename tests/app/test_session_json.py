import base64
import copy
import json
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.attention import AttentionFocus
from tinkerformer.model.scenario.model_settings import ModelSettings
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.view_settings import ViewSettings
from tinkerformer.session.link import MAX_LINK_LENGTH, decode, encode
from tinkerformer.session.session_json import SavedSession, from_json, to_dict, to_json

TOKENS = st.lists(st.text(max_size=24), min_size=1, max_size=8)
CHOICES = [
    ("d_model", "12"),
    ("heads", "4"),
    ("encoder_layers", "2"),
    ("decoder_layers", "0"),
    ("d_ff", "9"),
    ("activation", "gelu"),
    ("norm", "pre"),
    ("positions", "learned"),
    ("attention_bias", True),
    ("tie_output", True),
    ("final_norm", True),
    ("dropout.preset", "torch"),
    ("dropout.activation", "0.25"),
    ("residual", False),
    ("label_smoothing", "0.1"),
    ("seed", "77"),
]
SETTINGS = st.lists(st.sampled_from(CHOICES), max_size=6)


@st.composite
def scenarios(draw):
    scenario = Scenario().with_tokens("source", draw(TOKENS)).with_tokens("target", draw(TOKENS))
    for name, raw in draw(SETTINGS):
        scenario = scenario.with_setting(name, raw)
    scenario = scenario.with_training(draw(st.booleans()))
    scenario = scenario.with_expected(draw(st.sampled_from(scenario.output_vocabulary)))
    trace = ForwardPassRunner().trace(scenario)
    paths = [p for p in trace if scenario.shape(p) is not None]
    for _ in range(draw(st.integers(0, 5))):
        path = draw(st.sampled_from(paths))
        index = tuple(draw(st.integers(0, n - 1)) for n in trace[path].shape)
        value = draw(st.floats(-1000, 1000, width=32))
        scenario = scenario.with_value(path, index, value)
    return scenario


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenario=scenarios())
def test_a_link_restores_the_same_numbers_to_the_last_bit(scenario):
    saved = SavedSession(
        scenario, ("source.W_e", 0, 1), Scenario(), AttentionFocus("encoder.0.self_attn")
    )
    back = decode(encode(saved))
    assert back.selection == saved.selection
    assert back.baseline == Scenario()
    assert back.attention == saved.attention
    there, here = ForwardPassRunner().trace(back.scenario), ForwardPassRunner().trace(scenario)
    assert there.paths() == here.paths()
    for path in here:
        assert there[path].value.tobytes() == here[path].value.tobytes()


def test_fifty_edits_fit_a_link():
    scenario = Scenario()
    trace = ForwardPassRunner().trace(scenario)
    paths = [p for p in trace if trace[p].is_leaf and trace[p].value.dtype.kind == "f"]
    for k in range(50):
        path = paths[k % (len(paths) - 1)]
        if path == "target.mask":
            continue
        index = tuple((7 * k + a) % n for a, n in enumerate(trace[path].shape))
        scenario = scenario.with_value(path, index, round((k * 0.737) % 20 - 10, 3))
    assert (
        len(encode(SavedSession(scenario))) + len("https://example.org/tinkerformer#s=")
        < MAX_LINK_LENGTH
    )


def test_the_default_session_is_almost_empty():
    assert to_dict(SavedSession(Scenario())) == {"version": 1}


@pytest.mark.parametrize(
    "code", ["%%%", "AAAA", "x" * 10_000_000, encode(SavedSession(Scenario()))[:-4], "é"]
)
def test_a_damaged_link_is_answered_in_a_sentence(code):
    with pytest.raises(ValueError, match=r"\.$"):
        decode(code)


def test_a_link_that_expands_to_too_much_is_refused():
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode().rstrip("=")
    with pytest.raises(ValueError, match="more than"):
        decode(bomb)


def test_deep_nesting_is_refused():
    with pytest.raises(ValueError, match="damaged"):
        from_json("[" * 100_000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)


# -- sessions of earlier versions -----------------------------------------------------------------

STORED = json.loads((Path(__file__).parent / "stored_sessions.json").read_text(encoding="utf-8"))


def facts(scenario):
    """Return a scenario as plain data, without its spelling and its edits.

    A session without the setting `numbers` was once in scientific notation, now in decimals.
    """
    names = ("source", "target", "answers", "expected", "model", "training", "mask_seed")
    return {
        **{name: getattr(scenario, name) for name in (*names, "keep_masks")},
        "settings": scenario.settings.to_dict(),
        "view": {**scenario.view.to_dict(), "numbers": "scientific"},
        "edits": [[e.path, list(e.place), value] for e, value in scenario.edits.items()],
    }


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("form", ["text", "link"])
def test_stored_sessions_and_links_still_open(name, form):
    stored = STORED[name]
    opened = {"text": from_json, "link": decode}[form](stored[form])
    found = {
        "scenario": facts(opened.scenario),
        "baseline": opened.baseline and facts(opened.baseline),
        "selection": opened.selection,
        "attention": opened.attention,
    }
    expected = copy.deepcopy({key: stored[key] for key in found})
    for scenario in (expected["scenario"], expected["baseline"]):
        if scenario:
            # Settings that were added later have their defaults.
            scenario["view"] = {**ViewSettings().to_dict(), **scenario["view"]}
            scenario["view"]["numbers"] = "scientific"
            scenario["settings"] = {**ModelSettings().to_dict(), **scenario["settings"]}
    assert json.loads(json.dumps(found)) == expected
    assert opened.scenario.view.numbers == "decimal"


@pytest.mark.parametrize("name", STORED)
def test_a_stored_session_is_written_with_the_same_text(name):
    text = STORED[name]["text"].replace(',"numbers":"decimal"', "")  # defaults are not written
    assert to_json(from_json(text)) == text
