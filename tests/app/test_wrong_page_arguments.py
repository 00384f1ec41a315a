import asyncio
import inspect

import numpy as np
import panel as pn
import pytest
import tinkerformer as tf
from bokeh.document import Document
from tinkerformer.from_python.page_object import PageObject
from tinkerformer.from_python.program_page import address_of

from tests.wrong_arguments import NAN, Call, faults, wrong_calls

PATH = "encoder.0.self_attn.head.1.W_q"
PAGE = tf.show("sandbox")
CELL = (PATH, 1, 2)


def wish(name):
    """Return a call that sets one parameter of the page, and restores it."""

    def set_it(**value):
        before = getattr(PAGE, name)
        setattr(PAGE, name, value[name])
        setattr(PAGE, name, before)

    return Call(set_it, {name: getattr(PAGE, name)})


def shown(patience):
    asyncio.run(PAGE.shown(patience))


def oscillated(on):
    PAGE.selection = CELL
    PAGE.oscillate(on)
    PAGE.selection = None


def selected(selection):
    PAGE.selection = selection
    PAGE.selection = None


CALLS = {
    "address_of": Call(
        address_of,
        {"view": "lesson:film", "parts": ["tokens"], "lock": "all", "step": 2},
        {"view": ["hole", "lesson:no", "dare:no"], "parts": [["x"], 3], "lock": ["x", 3],
         "step": [0, 99, 2.5]},
    ),
    "set": Call(
        PAGE.set,
        {"path": PATH, "index": (1, 2), "value": 0.5},
        {"path": ["nowhere"], "index": [(99, 0), (1,), "a word", (0.5, 1)],
         "value": [NAN, 1e9, "x", True]},
    ),
    "restore": Call(
        PAGE.restore,
        {"path": PATH, "index": (1, 2)},
        {"path": ["nowhere"], "index": [(1,), "a word"]},
    ),
    "apply": Call(
        PAGE.apply,
        {"values": {PATH: {(1, 2): 0.5}}},
        {"values": [{"nowhere": {}}, {PATH: {(1, 2): NAN}}, {PATH: {(9, 9): 1}}, {PATH: 3},
                    {PATH: np.full((8, 4), NAN)}, {PATH: np.ones(3)}, {PATH: {"a": 1.0}}, {3: {}}]},
    ),
    "oscillate": Call(oscillated, {"on": True}),
    "shown": Call(shown, {"patience": 1.0}, {"patience": [0, -1, NAN]}),
    "selection": Call(
        selected, {"selection": CELL}, {"selection": [3, (PATH,), (PATH, 99, 0), (PATH, "a", 0)]}
    ),
    "export": Call(
        PAGE.export,
        {"kind": "csv", "path": PATH},
        {"kind": ["word"], "path": ["nowhere", 3]},
    ),
    **{
        name: wish(name)
        for name in ("source", "d_model", "training", "view", "scenario", "dropout", "activation",
                     "steps", "model", "palette")
    },
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_valid_call_works(call):
    call()


@pytest.mark.parametrize(("call", "names"), wrong_calls(CALLS))
def test_a_wrong_argument_is_named_in_one_sentence(call, names):
    assert not faults(call, names)


def test_every_method_with_arguments_is_called():
    own = [name for name, each in vars(PageObject).items() if inspect.isfunction(each)]
    methods = {name for name in own if not name.startswith("_")} - {"clone"}
    with_arguments = {
        name for name in methods if len(inspect.signature(getattr(PageObject, name)).parameters) > 1
    }
    assert with_arguments <= CALLS.keys()


WRONG = [
    ("model", object(), "A object cannot be shown"),
    ("model", "nothing", "model called 'nothing'"),
    ("source", 3.5, "The source is a text, or a list of tokens or ids, not 3.5"),
    ("source", [1.5], "The source is a list of tokens or of ids"),
    ("source", [True], "The source is a list of tokens or of ids"),
    ("source", [[1, 2]], "one row of them"),
    ("source", [], "The source keeps at least 1 token"),
    ("source", "", "The source"),
    ("source", "x " * 65, "The source has room for 64 tokens, not 65"),
    ("target", 3.5, "The target is a text"),
    ("target", [0, 10_000], "The target has the id 10000, and ids go from 0 to"),
    ("vocabulary", 3, "vocabulary"),
    ("data", 3, "[dD]ata"),
    ("view", "hole", "There is no view 'hole'. There are picture, formulas,"),
    ("view", 3, "view is the name of a view or a path, not 3"),
    ("view", "matrix:no.such.one", "has no matrix called “no.such.one”"),
    ("view", "encoder.7.self_attn", "has no stage called “encoder.7.self_attn”"),
    ("view", "lesson:nothing", "There is no lesson 'nothing'"),
    ("step", "x", "step"),
    ("selection", 3, "selection"),
    ("selection", (PATH, 0, 4), "has no cell 0, 4"),
    ("selection", ("encoder.0.self_attn.W_q", 0, 0), "for each head: name one"),
    ("d_model", 9, "d_model is a whole number from 2 to 64 in steps of 2"),
    ("d_model", "wide", "d_model is a whole number from 2 to 64 in steps of 2"),
    ("activation", "swish", "activation is one of relu, gelu"),
    ("dropout", 2, "is a number from 0 to 0.9"),
    ("training", "yes", "training is either on or off"),
    ("warmup", 1000, r"The warm-up \(1000 steps\) has to end before the last"),
    ("scenario", "the cat", "'the cat'"),
    ("probabilities", 1, "probabilities is read-only"),
    ("temperature", 2, "A page has no setting called temperature"),
    ("d_modle", 8, "no setting called d_modle; d_model is meant"),
    ("widht", 8, "no setting called widht; width is meant"),
    ("sentence", "the dog", "no setting called sentence; source is meant"),
    ("n_heads", 2, "no setting called n_heads; heads is meant"),
    ("trace", 2, "trace"),
    ("undo", 2, "undo"),
]


@pytest.mark.parametrize("make", [tf.show, tf.panel])
@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_an_invalid_value_is_named_in_one_sentence_when_opening_or_setting(make, name, value, said):
    sentence = rf"^[^\n]*{said}[^\n]*\.$"
    with pytest.raises((TypeError, ValueError), match=sentence):
        make(**{name: value})
    page, told = make("phrases"), []
    before, own = page.scenario, set(vars(page))
    page.param.watch(lambda *events: told.extend(events), ["scenario", "source", "d_model"])
    with pytest.raises((TypeError, ValueError, AttributeError), match=sentence):
        setattr(page, name, value)
    assert page.scenario is before
    assert set(vars(page)) == own
    assert told == []


# -- weights that do not fit -----------------------------------------------------------------------


@pytest.mark.parametrize("make", [tf.show, tf.panel])
def test_settings_that_do_not_fit_the_trained_weights_are_reported(make):
    said = "The weights of the trained phrases do not fit heads=4: the model has random ones."
    with pytest.warns(UserWarning, match=said) as warned:
        page = make("phrases", heads=4)
    assert warned[0].filename == __file__
    assert page._page.state.notice == said
    assert repr(page) == "<the page of phrases with random weights>"
    assert repr(make("phrases")) == "<the page of the trained phrases>"
    assert repr(make("sandbox", heads=4)) == "<the page of sandbox>"


def test_a_setting_that_replaces_trained_weights_is_also_reported_on_the_page():
    page = tf.panel("phrases")
    with pytest.warns(UserWarning, match="do not fit d_model=16"):
        page.d_model = 16
    assert page._page.state.notice.startswith("The weights of the trained phrases do not fit d_mod")
    assert "random weights" in repr(page)
    page.undo()
    assert repr(page) == "<the page of the trained phrases>"
    page.model = "sandbox"
    assert repr(page) == "<the page of sandbox>"


@pytest.mark.parametrize("opened", [tf.show, tf.panel])
@pytest.mark.parametrize(
    "change",
    [
        lambda page: setattr(page, "encoder_layers", 2),
        lambda page: setattr(page, "seed", 7),
        lambda page: page.param.update(heads=4, source="the dog"),
        lambda page: setattr(page, "d_ff", pn.widgets.IntInput(value=20)),
    ],
)
def test_a_program_is_warned_of_each_setting_that_replaces_trained_weights(opened, change):
    page = opened("phrases")
    with pytest.warns(UserWarning, match="^The weights of the trained phrases do not fit") as heard:
        change(page)
    (warning,) = heard
    assert warning.filename == __file__  # the line of the program, not of this package
    assert page.model == "phrases"


# -- notices ---------------------------------------------------------------------------------------


def test_the_notice_of_an_invalid_value_disappears_when_a_valid_value_is_set():
    page = tf.panel("phrases")
    with pytest.raises(ValueError, match=r"There is no view 'atention'; attention is meant\. "):
        page.view = "atention"
    assert page._page.state.notice.startswith("There is no view 'atention'")
    page.source = "the dog"
    assert page._page.state.notice.startswith("There is no view 'atention'")
    page.view = "attention"
    assert page._page.state.notice == ""
    with pytest.raises(ValueError, match="There is no view"):
        page.view = "atention"
    page._page.say("Another sentence.")
    page.view = "picture"
    assert page._page.state.notice == "Another sentence."  # a later sentence stays


def test_the_notice_of_an_invalid_value_stays_while_a_widget_is_restored():
    page = tf.panel("phrases")
    document = Document()
    document.add_root(page.get_root(document))
    text = pn.widgets.TextInput.from_param(page.param.source)
    with pytest.raises(ValueError, match="room for 64 tokens"):
        text.value = "the " * 200
    (callback,) = document.session_callbacks
    callback.callback()
    assert text.value == page.source
    assert "room for 64 tokens" in page._page.state.notice
    text.value = "the dog"
    assert page._page.state.notice == ""
