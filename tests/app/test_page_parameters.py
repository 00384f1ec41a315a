import numpy as np
import panel as pn
import param
import pytest
import tinkerformer as tf
from bokeh.document import Document
from param.parameterized import batch_call_watchers
from tinkerformer.from_python.page_parameters import READ, PageParameters
from tinkerformer.from_python.wishes import OF_MODEL, OF_RECIPE, OF_VIEW
from tinkerformer.model.scenario.model_settings import ModelSettings

from transformer_math import Config, Transformer

from .test_from_python import PATH

SENTENCE = "the black cat"
pytestmark = pytest.mark.filterwarnings("ignore:The weights of the trained phrases do not fit")


@pytest.fixture
def page():
    return tf.panel("phrases", SENTENCE)


def heard(page, *names):
    """Return a list that collects the changes of these parameters from now on."""
    events = []
    page.param.watch(lambda *each: events.extend((x.name, x.new) for x in each), [*names])
    return events


def sent(viewable):
    """Return the JSON for a browser, for which every property needs a value."""
    document = Document()
    document.add_root(viewable.get_root(document))
    return document.to_json()


# -- parameters and the page -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("source", "the dog", lambda s: " ".join(s.source) == "the dog"),
        ("source", ["the", "dog"], lambda s: s.source == ("the", "dog")),
        ("target", "le chien", lambda s: s.target == ("<sos>", "le", "chien")),
        ("model", "dates", lambda s: s.model == "dates"),
        ("d_model", 16, lambda s: s.settings.d_model == 16),
        ("heads", 4, lambda s: s.settings.heads == 4),
        ("activation", "gelu", lambda s: s.settings.activation == "gelu"),
        ("d_ff", None, lambda s: s.settings.d_ff is None),
        ("seed", 7, lambda s: s.settings.seed == 7),
        ("training", True, lambda s: s.training),
        ("dropout", 0.4, lambda s: s.settings.dropout.embedding == 0.4),
        ("dropout_sites", "torch", lambda s: s.settings.dropout.activation > 0),
        ("warmup", 50, lambda s: s.recipe.warmup == 50),
    ],
)
def test_a_parameter_sets_the_page_and_undo_sets_it_back(page, name, value, read):
    before = getattr(page, name)
    setattr(page, name, value)
    assert read(page.scenario)
    assert read(page._page.state.scenario)
    page.undo()
    assert getattr(page, name) == before


def test_changes_on_the_page_set_the_parameters(page):
    told = heard(page, "source", "target", "probabilities")
    state = page._page.state
    state.change(state.scenario.with_tokens("source", ["the", "dog"]))
    assert page.source == "the dog"
    assert page.target == " ".join(state.scenario.target[1:])
    assert [name for name, _ in told] == ["source", "target", "probabilities"]
    assert np.array_equal(page.probabilities, page.trace["output.probabilities"].value)


def test_every_setting_is_a_parameter_with_the_same_declaration(page):
    for name in (*OF_MODEL, *OF_RECIPE, *OF_VIEW):
        assert name in page.param
    declared = ModelSettings.param["activation"]
    assert page.param["activation"].objects == declared.objects
    assert page.param["activation"].names == declared.names
    assert page.param["d_ff"].label == ModelSettings.param["d_ff"].label


def test_every_parameter_has_a_sentence_and_every_setting_a_group(page):
    own = set(PageParameters.param) - {"name", "_asked"}
    for name in own:
        assert page.param[name].doc.strip().endswith((".", "None.")), name
    grouped = [name for names in page.groups.values() for name in names]
    assert len(grouped) == len(set(grouped))
    assert own - set(grouped) == {"scenario", "selection", "parts", "lock", *READ}
    shown = pn.Param(page, parameters=page.groups["training"])
    assert set(shown._widgets) - {"_title"} == set(page.groups["training"])


def test_the_optimizer_and_the_norms_have_separate_epsilons(page):
    page.adam_epsilon = 1e-7
    assert page.scenario.recipe.epsilon == 1e-7
    assert page.scenario.config.epsilon == 1e-5
    assert page.param["adam_epsilon"].label == "ε"
    assert not hasattr(page, "epsilon")


def test_parameters_that_are_set_together_are_one_change(page):
    told = heard(page, "scenario", "d_model", "heads", "source")
    page.param.update(d_model=36, heads=3, source="the dog")
    assert [name for name, _ in told].count("scenario") == 1
    assert (page.d_model, page.heads, page.source) == (36, 3, "the dog")
    page.undo()
    assert (page.d_model, page.heads, page.source) == (8, 2, SENTENCE)
    with batch_call_watchers(page):
        page.heads = 8
        page.d_model = 64
    with batch_call_watchers(page):  # 12 is not divisible by the eight heads
        page.d_model = 12
        page.heads = 2
    assert (page.d_model, page.heads) == (12, 2)
    page.param.update(steps=60, warmup=10)
    assert (page.scenario.recipe.steps, page.scenario.recipe.warmup) == (60, 10)
    with pytest.raises(ValueError, match="activation is one of"):
        page.param.update(source="a mouse", activation="swish")
    assert page.source == SENTENCE
    page.source = "a mouse"
    assert page.source == "a mouse"


def test_two_pages_that_set_each_other_do_not_loop(page):
    other = tf.panel("phrases", "the dog")
    told = heard(other, "source")
    page.param.watch(lambda event: setattr(other, "source", event.new), "source")
    other.param.watch(lambda event: setattr(page, "source", event.new), "source")
    page.source = "a mouse"
    assert (page.source, other.source) == ("a mouse", "a mouse")
    assert told == [("source", "a mouse")]


def test_a_watcher_may_set_another_parameter(page):
    page.param.watch(lambda _event: setattr(page, "d_model", 16), "source")
    page.source = "the dog"
    assert page.scenario.settings.d_model == page.d_model == 16


def test_texts_are_normalized_and_an_empty_target_lets_the_model_write(page):
    written, told = page.target, heard(page, "source")
    page.target = "le chien"
    assert not page.scenario.writes_itself
    page.target = ""
    assert page.scenario.writes_itself
    assert page.target == written
    page.source = "  the   dog "
    assert page.source == "the dog"
    assert told == [("source", "the dog")]


def test_a_lock_holds_for_parameters():
    page = tf.panel(lock="settings")
    with pytest.raises(ValueError, match="The model and its settings are locked here"):
        page.d_model = 16
    page.source = "the dog"
    assert page.source == "the dog"


def test_a_transformer_can_be_set_as_the_model(page):
    page.model = Transformer.create(Config.preset("phrases"), seed=3)
    assert page.model == "file"
    with pytest.raises(ValueError, match="There is no model called '/etc/passwd'"):
        page.model = "/etc/passwd"
    page.model = "phrases"
    assert page.scenario.model == "phrases"


def test_pages_are_independent(page):
    other = tf.panel()
    page.model = Transformer.create(Config.preset("phrases"))
    page.view = f"matrix:{PATH}"
    page.model = "sandbox"
    page.heads = 4
    assert type(page).param["view"].objects == other.param["view"].objects
    assert page.param["view"].objects != other.param["view"].objects
    assert other.param["d_model"].softbounds == (2, 64)
    assert page.param["d_model"].softbounds == (4, 64)
    assert "file" not in type(page).param["model"].objects
    tf.panel(Transformer.create(Config.preset("phrases")), view="lesson:heads")
    assert "file" not in tf.panel().param["model"].objects
    assert "lesson:heads" not in tf.panel().param["view"].objects


# -- views -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "called"),
    [
        *((name, name) for name in ("picture", "formulas", "attention", "writing", "train")),
        ("whole", "picture"),
        ("encoder.0.self_attn", "encoder.0.self_attn"),
        ("output", "output"),
        (f"matrix:{PATH}", f"matrix:{PATH}"),
        (PATH, f"matrix:{PATH}"),
        ("lesson:attention", "lesson:attention"),
        ("film", "film"),
    ],
)
def test_a_view_has_the_same_name_at_start_and_after_a_change(page, name, called):
    assert tf.panel(view=name).view == called
    page.view = name
    assert page.view == called
    assert page.clone().view == called
    page.view = "picture"
    assert page.view == "picture"


def test_setting_the_view_opens_and_closes_the_film_and_the_view_follows_the_user(page):
    (player,) = page._page._regions["film"]
    events = heard(page, "view")
    page.view = "film"
    assert (player.opened, player.waits, player.dismissed) == (1, True, 0)
    before = page.scenario
    acting = [k for k, scene in enumerate(player.value) if scene["acts"]]
    player.receive({"type": "scene", "scene": acting[0]})
    page.view = "attention"  # this undoes the change by the scene
    assert (player.opened, player.dismissed) == (1, 1)
    assert page.scenario == before
    page.view = "film"
    assert player.opened == 2
    player.receive({"type": "leave"})
    assert player.dismissed == 1
    assert [view for _, view in events] == ["film", "attention", "film", "picture"]


@pytest.mark.parametrize("make", [tf.panel, tf.show])
def test_a_program_can_watch_the_score_of_a_dare(make):
    page = make(view="dare:white-cat")
    events = heard(page, "score")
    page.set("source.W_e", (4, 6), 0.026)
    ((_, attempt),) = events
    assert (attempt["dare"], attempt["reached"], attempt["best"]) == ("white-cat", True, 0.235)
    assert attempt["score"] == pytest.approx(0.238, abs=1e-3)
    assert attempt == page.score
    with pytest.raises(TypeError, match="read-only"):
        page.score = {"score": 0.0}
    page.view = "picture"
    assert events[-1] == ("score", None)


def test_a_model_without_a_film_does_not_show_one(monkeypatch):
    monkeypatch.setattr("tinkerformer.features.film.view.opening_film", lambda: None)
    page = tf.panel("phrases")
    page.view = "film"
    assert page.view == "picture"


def test_the_view_follows_the_user(page):
    page.view = f"matrix:{PATH}"
    state = page._page.state
    state.go("form", "picture")
    assert page.view == "picture"
    state.go("form", "formulas")
    assert page.view == "formulas"


def test_closing_a_lesson_restores_the_earlier_scenario(page):
    page.view = "lesson:attention"
    assert page.source != SENTENCE
    page.view = "attention"
    assert (page.view, page.source) == ("attention", SENTENCE)


# -- Panel and param -------------------------------------------------------------------------------


def test_a_widget_of_a_parameter_is_bound_in_both_ways(page):
    text = pn.widgets.TextInput.from_param(page.param.source)
    width = pn.widgets.IntSlider.from_param(page.param.d_model)
    assert (text.value, width.value, width.start, width.end, width.step) == (SENTENCE, 8, 2, 64, 2)
    text.value = "the dog"
    width.value = 16
    assert (page.scenario.source, page.scenario.settings.d_model) == (("the", "dog"), 16)
    page.undo()
    page.undo()
    assert (text.value, width.value) == (SENTENCE, 8)


def test_bound_and_dependent_functions_follow(page):
    bound = pn.bind(
        lambda text, rows: (text, len(rows)), page.param.target, page.param.probabilities
    )
    upper = page.param.source.rx().upper()

    class Follower(param.Parameterized):
        page = param.Parameter()
        told = param.List()

        @param.depends("page.source", "page.selection", watch=True)
        def tell(self):
            self.told = [*self.told, (self.page.source, self.page.selection)]

    follower = Follower(page=page)
    page.source = "the dog"
    page.selection = (PATH, 0, 1)
    assert bound() == (page.target, len(page.scenario.target))
    assert upper.rx.value == "THE DOG"
    assert follower.told == [("the dog", None), ("the dog", (PATH, 0, 1))]


@pytest.mark.parametrize("make", [tf.show, tf.panel])
def test_widgets_and_bound_functions_are_accepted_as_values(make):
    text = pn.widgets.TextInput(value="the dog")
    page = make(source=SENTENCE, selection=(PATH, 1, 2))
    assert page.selection == (PATH, 1, 2)
    page.source = text
    assert page.source == "the dog"
    text.value = "a mouse"
    assert page.source == "a mouse"
    page.source = "the cat"
    text.value = "the dog"
    assert page.source == "the cat"
    other = make("sandbox", source=text, d_model=pn.bind(lambda x: 2 * len(x), text))
    assert (other.source, other.d_model) == ("the dog", 14)
    text.value = "a cat"
    assert (other.source, other.d_model) == ("a cat", 10)


def test_a_param_pane_shows_all_parameters(page):
    pane = pn.Param(page)
    widgets = pane._widgets
    shown = [name for name, widget in widgets.items() if widget in [*pane.layout]]
    assert {"source", "d_model", "d_ff", "final_norm", "dropout", "view", "theme"} <= {*shown}
    assert not {"scenario", "selection", "probabilities", "parts", "_asked"} & {*shown}
    assert sent(pane)
    widgets["d_ff"].value = 12
    assert page.scenario.settings.d_ff == 12
    widgets["heads"].value = 4
    assert page.scenario.settings.heads == 4
    for widget in widgets.values():
        assert pn.panel(widget) is not None


def test_a_page_has_controls_like_a_panel_object(page):
    for jslink in (True, False):
        controls = page.controls(jslink=jslink)
        assert sent(pn.Row(controls, page))
    only = page.controls(["source", "d_model"], jslink=False)
    next(each for each in only if each.name == "Reads" or each.name == "reads").value = "the dog"
    assert page.source == "the dog"


@pytest.mark.parametrize("make", [tf.show, tf.panel])
def test_a_clone_is_an_independent_copy(make):
    page = make("phrases", SENTENCE, view="attention", height=300)
    page.set(PATH, (0, 0), 0.5)
    page.selection = (PATH, 0, 0)
    clone = page.clone(source="the cat", height=400)
    assert type(clone) is type(page)
    assert clone.trace[PATH].value[0, 0] == 0.5
    assert (clone.source, clone.view, clone.selection) == ("the cat", "attention", (PATH, 0, 0))
    heights = [getattr(each, "widget", each).height for each in (clone, page)]
    assert heights == [400, 300]
    clone.set(PATH, (0, 0), 0.25)
    assert (page.trace[PATH].value[0, 0], page.source) == (0.5, SENTENCE)
    with pytest.raises(TypeError, match="no setting called sources; source is meant"):
        page.clone(sources="the cat")


def test_a_page_has_the_layout_parameters_of_panel():
    page = tf.panel(width=500, height=300, margin=5, visible=False, css_classes=["mine"])
    assert (page.sizing_mode, page.width, page.margin) == (None, 500, 5)
    root = page.get_root()
    assert (root.width, root.height, root.visible) == (500, 300, False)
    assert tf.panel().sizing_mode == "stretch_width"
    assert tf.panel(sizing_mode="stretch_both").get_root().sizing_mode == "stretch_both"


def test_properties_of_the_browser_are_linked(page):
    root = pn.Row(page).get_root()
    data = root.children[0].data
    assert (data.source, data.d_model, data.theme) == (SENTENCE, 8, "auto")
    page.source = "the dog"
    assert data.source == "the dog"
    assert "scenario" not in data.properties()
    toggle = pn.widgets.Toggle()
    toggle.jslink(page, value="disabled")
    pn.Row(toggle, page).get_root()


@pytest.mark.parametrize("make", [tf.show, tf.panel])
def test_settings_may_be_given_when_a_page_is_opened(make):
    page = make("sandbox", d_model=16, seed=3, training=True)
    assert (page.d_model, page.seed, page.training) == (16, 3, True)
    assert not page._page.state.history.past
    page.undo()
    assert page.d_model == 16


def test_apply_sets_many_numbers_in_one_change(page):
    before = page.scenario
    array = page.trace[PATH].value.copy()
    array[0, 1], array[2, 3] = 0.5, -0.5
    page.apply({PATH: array, "encoder.0.self_attn.weights": {(0, 0, 1): 0.25}})
    assert len(page.scenario.edits) == 3
    assert page.trace["encoder.0.self_attn.weights"].value[0, 0, 1] == 0.25
    assert page.transformer.parameters[PATH.replace("head.1.", "")][1][0, 1] == np.float32(0.5)
    page.undo()
    assert page.scenario == before
    for wrong, said in (
        (array[:1], r"has the shape \(8, 4\), and not an array \(1, 4\)"),
        ({(0, 99): 1.0}, "no cell of the index"),
        ({(0, 0): 1.0, (0, 1): 1e9}, "is a number from -1000 to 1000"),
    ):
        with pytest.raises(ValueError, match=said):
            page.apply({PATH: wrong})
    assert page.scenario == before


def test_wrong_names_and_methods_of_panel_are_explained():
    for names, said in (
        ({"show": "tokens"}, "show is a method of Panel objects: parts"),
        ({"parts": "tokens,all"}, "parts are some of tokens, .* and not 'all'"),
        ({"lock": "doors"}, "lock is settings or all, not 'doors'"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            tf.panel(**names)
    with pytest.raises(TypeError, match=r"tinkerformer\.panel\(…, theme=…\) takes it"):
        tf.show("phrases", theme="dark")
    page = tf.show("phrases")
    with pytest.raises(AttributeError, match=r"theme belongs to Panel objects: tinkerformer"):
        page.theme = "dark"
    with pytest.raises(AttributeError, match="controls belongs to Panel objects"):
        page.controls()
    assert not hasattr(page, "attic")
    assert tf.panel("phrases", theme="dark").theme == "dark"
