import copy
import pickle
import re

import param
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.decoding import DecodingSettings
from tinkerformer.features.header import view as header
from tinkerformer.features.learn import form
from tinkerformer.features.settings import view as view
from tinkerformer.model.scenario.model_settings import DropoutSettings, ModelSettings
from tinkerformer.model.scenario.recipe_settings import RecipeSettings
from tinkerformer.model.scenario.settings import Settings
from tinkerformer.model.scenario.view_settings import ViewSettings

DECLARED = [ModelSettings, DropoutSettings, ViewSettings, DecodingSettings, RecipeSettings]


class Sample(Settings):
    """One setting of each kind."""

    count = param.Integer(default=3, bounds=(1, None), softbounds=(1, 1000), label="count")
    share = param.Number(
        default=0.5, bounds=(0, 1), inclusive_bounds=(False, True), step=0.05, label="share"
    )
    kind = param.Selector(default="a", objects={"first": "a", "second": "b"}, label="kind")
    on = param.Boolean(default=True, label="on", doc="Whether it\n is on.")
    width = param.Integer(default=None, allow_None=True, bounds=(1, 8), label="width")


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("count", " 12 ", 12),
        ("count", "1,000", 1000),
        ("share", "0,25", 0.25),
        ("share", "0,125", 0.125),
        ("share", "1e-1", 0.1),
        ("share", 1, 1.0),
        ("kind", "b", "b"),
        ("on", False, False),
        ("width", "", None),
        ("width", "8", 8),
    ],
)
def test_typed_values_are_accepted(name, raw, value):
    changed = Sample(width=4).changed(name, raw)
    assert getattr(changed, name) == value
    assert type(getattr(changed, name)) is type(value)


LATE = "The warm-up ({} steps) has to end before the last of the {} steps."
REFUSED = {
    Sample: [
        ("count", ("0", "1.5", "", "9" * 40), "count is a whole number from 1 to 1,000."),
        ("share", ("0", "nan", "1_0"), "share is a number above 0 and up to 1."),
        ("on", ("false",), "on is either on or off."),
        ("count.x", (1,), "There is no setting called “count.x”."),
        ("kind", ("c", ["a"]), "kind is one of a, b."),
        ("width", ("9",), "width is a whole number from 1 to 8."),
        ("nothing", ("1",), "There is no setting called “nothing”."),
    ],
    RecipeSettings: [
        ("steps", ("5001",), "steps is a whole number from 1 to 5,000."),
        ("steps", ("60",), LATE.format(100, 60)),
        (
            "warmup",
            ("1000",),
            LATE.format(1000, 1000),
        ),
        ("batch", ("257", "0"), "pairs in a batch is a whole number from 1 to 256."),
        ("peak_learning_rate", ("nan", "0", ""), "peak learning rate is a number from 1e-05 to 1."),
        ("clip", ("-1",), "clip the gradient at is a number from 0 to 100."),
        ("beta_1", ("1",), "β₁ is a number from 0 to 0.9999."),
        ("beta_2", ("-0.1",), "β₂ is a number from 0 to 0.9999."),
        ("epsilon", ("0",), "ε is a number from 1e-30 to 1."),
        ("schedule", ("cosine",), "schedule is one of linear, noam, paper, constant."),
        ("smoothing", ("0.1",), "There is no setting called “smoothing”."),
    ],
    DecodingSettings: [
        ("beam_size", ("0", "11", "two"), "beam size is a whole number from 1 to 10."),
        ("alpha", ("2.1", "nan"), "length penalty α is a number from 0 to 2."),
        ("temperature", ("-0.1", "inf"), "temperature is a number from 0 to 5."),
        ("top_k", ("few",), "top-k is a whole number from 0 on (0: all words)."),
        ("top_p", ("0", ""), "top-p is a number above 0 and up to 1 (1: all words)."),
        ("seed", ("-1", str(10**30)), "seed is a whole number from 0 to 2,147,483,643."),
        ("max_length", ("0", "64"), "max length is a whole number from 1 to 63."),
        ("method", ("magic",), "decoding method is one of greedy, beam, sample, comparison."),
    ],
}


@pytest.mark.parametrize(
    ("declared", "name", "wrong", "sentence"),
    [(declared, *row) for declared, rows in REFUSED.items() for row in rows],
)
def test_invalid_values_are_refused_in_a_sentence(declared, name, wrong, sentence):
    for raw in wrong:
        with pytest.raises(ValueError, match=rf"^{re.escape(sentence)}$"):
            declared().changed(name, raw)


@pytest.mark.parametrize(
    "raw",
    [
        {"count": 10**400},
        {"share": 10**400},
        {"count": True},
        {"count": "3"},
        {"on": 1},
        {"share": "1"},
        [],
        3,
    ],
)
def test_plain_data_is_read_strictly(raw):
    with pytest.raises(ValueError, match=r"\.$"):
        Sample().from_dict(raw)


@given(
    st.builds(
        Sample,
        count=st.integers(1, 1000),
        share=st.floats(0, 1, exclude_min=True),
        kind=st.sampled_from("ab"),
        on=st.booleans(),
        width=st.none() | st.integers(1, 8),
    )
)
def test_settings_are_compared_and_hashed_and_copied_as_values(settings):
    again = Sample().from_dict(settings.to_dict(Sample()))
    assert again == settings
    assert hash(again) == hash(settings)
    assert Sample(**settings.to_dict()) == settings
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert copy.deepcopy(settings) is settings
    assert (settings != settings.replace(on=not settings.on)) is True


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(AttributeError, match="replace"):
        Sample().count = 4
    with pytest.raises(AttributeError, match="replace"):
        Sample().param.update(count=4)
    assert Sample().count == 3


def test_a_form_is_made_from_the_declaration():
    fields = {field["name"]: field for field in Sample().fields(Sample.names())}
    assert fields["count"] == {
        "name": "count",
        "kind": "integer",
        "label": "count",
        "value": 3,
        "step": 1,
        "minimum": 1,
        "maximum": 1000,
    }
    assert fields["kind"]["options"] == [["a", "first"], ["b", "second"]]
    assert fields["on"]["help"] == "Whether it is on."
    assert fields["share"]["kind"] == "number"
    assert fields["share"]["minimum"] == 0.05  # 0 itself is excluded


@pytest.mark.parametrize("declared", DECLARED)
def test_every_setting_has_a_label_and_a_valid_default(declared):
    settings = declared()
    for name in declared.names():
        assert declared.param[name].label, name
        value = getattr(settings, name)
        if not isinstance(value, Settings):
            assert settings.checked(name, value) == value
    assert declared().from_dict(settings.to_dict()) == settings


def test_every_setting_is_on_the_page():
    shown = {*view.MODEL, *view.MORE}
    assert shown | {"dropout"} == {*ModelSettings.names()}
    assert {*view.DISPLAY, *header.SHOWN, "pace"} == {*ViewSettings.names()}
    (recipe,) = form.sections(RecipeSettings())
    assert recipe.names == RecipeSettings.names()


def test_an_unused_peak_cannot_be_typed():
    """The paper's schedule has no peak."""
    assert form.sections(RecipeSettings(schedule="paper"))[0].own == {
        "peak_learning_rate": {"disabled": True}
    }
    for schedule in ("linear", "noam", "constant"):
        assert form.sections(RecipeSettings(schedule=schedule))[0].own == {}


def test_changing_the_heads_changes_d_model_to_a_multiple():
    settings = ModelSettings().changed("heads", "3")
    assert (settings.heads, settings.d_model) == (3, 12)
    assert settings.field("d_model")["step"] == 6
    with pytest.raises(ValueError, match="in steps of 6, so that 3 heads share it evenly"):
        settings.changed("d_model", "8")


def test_sites_that_a_link_omits_drop_nothing():
    dropout = ModelSettings().from_dict({"dropout": {"activation": 0.5}}).dropout
    assert {name: x for name, x in dropout.values().items() if x} == {"activation": 0.5}


def test_an_unknown_preset_is_refused():
    for raw in ([], {}, None, "nope"):
        with pytest.raises(ValueError, match="sites is one of"):
            ModelSettings().changed("dropout.preset", raw)
