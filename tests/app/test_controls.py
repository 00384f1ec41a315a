import inspect
import sys

import panel as pn
import param
import pytest
import tinkerformer.shell.page  # noqa: F401 - so that every control is known
from tinkerformer.board.component import BoardComponent
from tinkerformer.components.component import Component
from tinkerformer.components.drawer.drawer import Drawer
from tinkerformer.components.form.form import Fields, Form
from tinkerformer.components.form.settings_form import Section, SettingsForm
from tinkerformer.components.framed.framed import Framed
from tinkerformer.components.open_view.open_view import OpenView
from tinkerformer.components.panel_button.panel_button import PanelButton
from tinkerformer.components.steps import Steps
from tinkerformer.components.tabs.tabs import Tabs
from tinkerformer.components.upload import Later
from tinkerformer.decoding import DecodingSettings
from tinkerformer.features.decode.decode import Decode, DecodeForm, DecodeWays
from tinkerformer.features.exports.exports import Exports, File
from tinkerformer.features.film.film import FilmPlayer
from tinkerformer.features.go_to.go_to import GoTo
from tinkerformer.features.guide.guide import Guide
from tinkerformer.features.inspector.inspector import Inspector
from tinkerformer.features.learn.learn import Curves, Examples, Experiments, RunFiles
from tinkerformer.features.learn.train_on import TrainOn
from tinkerformer.features.lessons.lesson import LessonPanel
from tinkerformer.features.lessons.lesson_list import LessonList
from tinkerformer.features.measure.effect_bars import EffectBars
from tinkerformer.features.measure.head_table import HeadTable
from tinkerformer.features.measure.token_table import ExperimentForm, TokenTable
from tinkerformer.features.models.models import Models
from tinkerformer.features.notice.notice import Notice
from tinkerformer.features.plane.plane import Plane
from tinkerformer.features.prediction.prediction import Prediction
from tinkerformer.features.pull.pull import Pull
from tinkerformer.features.share.share import Share
from tinkerformer.features.tokens.tokens import Tokens
from tinkerformer.features.training.training import PRESSES, TrainingBar
from tinkerformer.ideas.arrows.arrows import Arrows
from tinkerformer.ideas.chain.chain import ChainRule
from tinkerformer.ideas.clocks.clocks import Clocks
from tinkerformer.ideas.landscape.landscape import LandscapePlace
from tinkerformer.ideas.looks.looks import Looks
from tinkerformer.ideas.normalizing.normalizing import Normalizing
from tinkerformer.ideas.running_sum.running_sum import RunningSum
from tinkerformer.ideas.temperature.temperature import Temperature
from tinkerformer.ideas.words_map.words_map import WordsMap
from tinkerformer.model.scenario.model_settings import ModelSettings
from tinkerformer.transport.panel import carry

NAMES = [("a", "First"), ("b", "Second")]
MODELS = [{"name": name, "label": label, "about": ""} for name, label in NAMES]
SWITCH = {"name": "on", "kind": "switch", "label": "on", "value": False}
LIST = {"name": "source", "label": "Source", "tokens": ["a"], "choice": None, "error": ""}
TREE = {"beam": {"nodes": [{}] * 5}}
SETTINGS, DECODING = ModelSettings(), DecodingSettings()


def nothing(*_):
    return None


# Class -> a function that creates the control, one value of it, and another value.
CONTROLS = {
    Tabs: (lambda **k: Tabs(tabs=NAMES, **k), "a", "b"),
    Drawer: (lambda **k: Drawer(drawers=NAMES, **k), "a", "b"),
    Form: (lambda **k: Form(fields=[SWITCH], **k), {"on": False}, {"on": True}),
    SettingsForm: (
        lambda **k: SettingsForm(sections=[Section(("heads",))], **{"value": SETTINGS, **k}),
        SETTINGS,
        SETTINGS.replace(heads=4),
    ),
    ExperimentForm: (lambda **k: ExperimentForm(fields=[SWITCH], **k), {"on": False}, {"on": True}),
    Tokens: (lambda **k: Tokens(lists=[LIST], **k), {"source": ["a"]}, {"source": ["a", "b"]}),
    Inspector: (Inspector, 0.5, -1.0),
    PanelButton: (PanelButton, "d_model 8", "d_model 16"),
    Guide: (Guide, "One line.", "Another."),
    GoTo: (GoTo, "a", "b"),
    LessonPanel: (LessonPanel, {}, {"name": "film", "step": 0, "count": 2}),
    LessonList: (LessonList, "", "film"),
    Plane: (Plane, "Gradients of the loss", "Changes"),
    Prediction: (lambda **k: Prediction(**{"rows": ["a", "b"], "value": 0, **k}), 0, 1),
    Models: (lambda **k: Models(models=MODELS, on_open=nothing, on_afresh=nothing, **k), "a", "b"),
    Pull: (lambda **k: Pull(options=[[*name] for name in NAMES], **k), "a", "b"),
    Share: (
        lambda **k: Share(
            on_ask=nothing, on_close=nothing, on_embed=nothing, on_choose=nothing, **k
        ),
        "",
        "{}",
    ),
    Exports: (
        lambda **k: Exports(
            on_make=nothing, on_open=nothing, on_values=nothing, on_seed=nothing, **k
        ),
        None,
        File("a.csv", "text/csv", b"1"),
    ),
    DecodeWays: (lambda **k: DecodeWays(ways=NAMES, **k), "a", "b"),
    DecodeForm: (
        lambda **k: DecodeForm(sections=[Section(("alpha",))], **{"value": DECODING, **k}),
        DECODING,
        DECODING.replace(alpha=1.0),
    ),
    FilmPlayer: (FilmPlayer, [], [{}]),
    Decode: (lambda **k: Decode(**{"on_attention": nothing, "data": TREE, **k}), None, 3),
    TrainOn: (
        lambda **k: TrainOn(
            options=NAMES, on_open=nothing, on_change=nothing, on_ask=nothing, on_train=nothing, **k
        ),
        "a",
        "b",
    ),
    Experiments: (lambda **k: Experiments(options=NAMES, **k), "a", "b"),
    Arrows: (lambda **k: Arrows(names=["a", "b"], **k), 0, 1),
    WordsMap: (lambda **k: WordsMap(names=["a", "b"], **k), 0, 1),
    LandscapePlace: (LandscapePlace, [0.0, 0.0], [0.5, 1.0]),
    Examples: (lambda **k: Examples(rows=[["a", "b", "c"]] * 2, **k), None, 1),
}


def controls():
    """Return every component class of the page that can be placed on it, without those of tests."""
    found, todo = [], [Component]
    while todo:
        cls = todo.pop()
        todo += cls.__subclasses__()
        if cls._esm and stands_in_its_module(cls):
            found.append(cls)
    return found


def stands_in_its_module(cls):
    """Return whether a class belongs to the project, not to a test."""
    module = sys.modules.get(cls.__module__)
    ours = cls.__module__.startswith("tinkerformer.")
    return ours and getattr(module, cls.__name__, None) is cls


@pytest.fixture(params=CONTROLS, ids=lambda cls: cls.__name__)
def case(request):
    make, first, second = CONTROLS[request.param]
    return make, first, second


def test_every_control_of_the_page_is_tested_in_this_file():
    # Four components are no controls: the board, a framed page, the layout's settings, and Fields,
    # the base class of forms. Buttons, and pictures that send actions, have no value.
    buttons = {RunFiles, Notice, TokenTable, HeadTable, EffectBars}
    assert not any(cls.accepts for cls in buttons)
    pictures = {ChainRule, Clocks, Looks, Normalizing, RunningSum, Temperature}
    steps = {Curves, Steps, TrainingBar}  # these have no value, but request a step
    others = {BoardComponent, Fields, Framed, OpenView} | pictures | steps
    assert {*controls()} - others == {*CONTROLS} | buttons


def test_a_control_can_be_bound_and_watched_like_a_widget(case):
    make, first, second = case
    control, heard = make(value=first), []

    class Owner(param.Parameterized):
        control = param.Parameter(allow_refs=False)

        @param.depends("control.value", watch=True)
        def hear(self):
            heard.append(self.control.value)

    owner = Owner(control=control)
    control.param.watch(lambda event: heard.append(event.new), "value")
    bound = pn.bind(lambda value: [value], control)
    named = pn.bind(lambda value: [value], control.param.value)
    assert bound() == named() == [first]
    control.value = second
    assert bound() == named() == [second]
    assert heard == [second, second]
    assert owner.control is control


def test_a_control_can_be_created_from_a_parameter(case):
    make, first, second = case

    class Owner(param.Parameterized):
        what = param.Parameter(default=first, label="What there is")

    owner = Owner()
    control = type(make()).from_param(owner.param.what, **_arguments(make))
    assert (control.value, control.label) == (first, "What there is")
    owner.what = second
    assert control.value == second
    control.value = first
    assert owner.what == first


def _arguments(make):
    """Return the arguments of a control other than its value, read from an instance."""
    control = make()
    names = {*type(control).param} - {"name", "value", "label"}
    held = {name: getattr(control, name) for name in names}
    makers = [cls.__init__ for cls in type(control).__mro__ if "__init__" in vars(cls)]
    asked = {name for make in makers for name in inspect.signature(make).parameters}
    return held | {name: nothing for name in asked if name.startswith("on_")}


def test_a_control_works_in_a_panel_layout(case):
    make, first, second = case
    control = make(value=first, label="Its name")
    row = pn.Row(control, pn.bind(str, control))
    model = row.get_root()
    data = row[0]._models[model.ref["id"]][0].data
    assert (data.label, data.disabled) == ("Its name", False)
    control.value, control.disabled = second, True
    assert data.disabled
    if "value" in type(control).property_names():
        assert data.value == second


@pytest.mark.parametrize("cls", [c for c in CONTROLS if "value" in c.accepts])
def test_the_browser_sets_the_value_of_a_control_and_a_refused_value_is_restored(cls):
    make, first, second = CONTROLS[cls]
    control = make(value=first)
    carrier, heard = carry(control), []

    def refuse(event):
        heard.append(event.new)
        if event.new == first and len(heard) > 1:
            raise ValueError("Not again.")

    control.param.watch(refuse, "value")
    carrier._process_events({"value": second})
    assert (control.value, heard, control.problem) == (second, [second], "")
    carrier._process_events({"value": first})
    assert (control.value, carrier.value, control.problem) == (second, second, "Not again.")
    carrier._process_events({"value": ["no", "such"]})
    assert control.value == carrier.value == second


def test_a_browser_sets_no_other_property():
    control = Tabs(tabs=NAMES, value="a")
    control.accept("tabs", [("x", "Other")])
    control.accept("value", "nowhere")
    assert (control.tabs, control.value) == (NAMES, "a")
    control.disabled = True
    control.accept("value", "b")
    assert control.value == "a"
    assert set(carry(control)._linked_properties) == {"value"}


def test_a_refused_field_keeps_its_last_good_value_and_states_the_reason():
    form = CONTROLS[SettingsForm][0]()
    form.receive({"type": "change", "name": "heads", "value": "99"})
    assert form.errors == {"heads": "“99” does not fit. heads is a whole number from 1 to 8."}
    assert form.value == SETTINGS
    form.receive({"type": "change", "name": "heads", "value": "4"})
    assert (form.value.heads, form.errors) == (4, {})

    def refuse(event):
        raise ValueError("Four it stays.")

    form.param.watch(refuse, "value")
    form.receive({"type": "change", "name": "heads", "value": "2"})
    assert form.value.heads == 4
    assert form.fields[0]["value"] == 4
    assert form.errors["heads"].endswith("Four it stays.")


def test_a_disabled_form_cannot_be_changed():
    form = CONTROLS[Form][0](disabled=True)
    form.receive({"type": "change", "name": "on", "value": True})
    assert form.value == {"on": False}
    assert carry(form).fields[0]["disabled"]
    form.disabled = False
    form.receive({"type": "change", "name": "on", "value": True})
    assert form.value == {"on": True}
    assert "disabled" not in carry(form).fields[0]


def test_presses_are_received_and_may_be_refused():
    pressed = []
    form = Form(fields=[{"name": "go", "kind": "action", "label": "Go"}])
    form.on_press(pressed.append)
    form.receive({"type": "change", "name": "go"})
    assert pressed == ["go"]

    def refuse(name):
        raise ValueError("Not now.")

    form.on_press(refuse)
    form.receive({"type": "change", "name": "go"})
    assert form.errors == {"go": "Not now."}


def test_tokens_are_exchanged_in_both_directions():
    make, _, _ = CONTROLS[Tokens]
    tokens = make()
    tokens.receive({"type": "tokens", "name": "source", "tokens": ["x", "y"]})
    assert tokens.value == {"source": ["x", "y"]}
    assert tokens.lists[0]["tokens"] == ["x", "y"]
    tokens.value = {"source": ["z"]}
    assert tokens.lists[0]["tokens"] == ["z"]
    tokens.receive({"type": "tokens", "name": "source", "tokens": [3]})
    assert tokens.value == {"source": ["z"]}


def test_a_list_is_written_by_the_model_or_refuses_input():
    lists = [{**LIST, "writes": False}]
    tokens, heard, looked = Tokens(lists=lists), [], []

    def refuse(event):
        heard.append(event.new)
        if event.new["source"]:
            raise ValueError("It cannot write.")

    tokens.param.watch(refuse, "writing")
    tokens.on_look(lambda name, at: looked.append((name, at)))
    tokens.receive({"type": "write", "name": "source", "on": True})
    assert heard == [{"source": True}, {"source": False}]  # and back again
    assert tokens.writing == {"source": False}
    assert tokens.lists[0]["error"] == "It cannot write."
    tokens.receive({"type": "write", "name": "source", "on": "yes"})
    assert len(heard) == 2
    for at in (2, True, None, "1", 1.0):
        tokens.receive({"type": "look", "name": "source", "at": at})
    tokens.receive({"type": "look", "name": "nowhere", "at": 2})
    assert looked == [("source", 2)]


def test_presses_on_the_buttons_of_training_are_received():
    pressed, bar = [], TrainingBar()
    bar.on_press(pressed.append)
    for name in PRESSES:
        bar.receive({"type": "press", "name": name})
    for message in ({"type": "press", "name": "explode"}, {"type": "press"}, {"name": "play"}):
        bar.receive(message)
    bar.disabled = True
    bar.receive({"type": "press", "name": "play"})
    assert pressed == ["play", "pause", "step", "reset", "check"] == [*PRESSES]


def test_training_runs_are_saved_and_opened():
    saved, opened, sent = [], [], []
    files = RunFiles(on_save=lambda: saved.append(1), on_open=lambda *of: opened.append(of))
    files.connect(sent.append)
    files.receive({"type": "save"})
    files.receive({"type": "part", "id": 1, "name": "a.run", "bytes": b"12", "first": True})
    files.receive({"type": "part", "id": 2, "name": "a.run", "bytes": b"3", "first": False})
    files.receive({"type": "open", "id": 3})
    assert (saved, opened) == ([1], [({"a.run": b"123"}, None)])
    files.hand_out("b.run", b"45")
    assert sent[-1] == {"type": "file", "name": "b.run", "bytes": b"45"}
    files.disabled = True
    files.receive({"type": "save"})
    assert saved == [1]


def test_valid_messages_change_own_data() -> None:
    heard, sent = [], []
    control = TrainOn(
        options=NAMES,
        on_open=lambda *of: Later(lambda: heard.append(of), lambda _: {}),
        on_change=lambda message: Later(lambda: heard.append(message), lambda _: {}),
        on_ask=nothing,
        on_train=nothing,
    )
    control.connect(sent.append)
    good = [
        {"type": "edit", "row": 0, "column": 1, "text": "a"},
        {"type": "remove", "row": 3},
        {"type": "choose", "name": "unit", "value": "word"},
        {"type": "press", "name": "swap"},
    ]
    bad = [
        {"type": "edit", "row": "0", "column": 1, "text": "a"},
        {"type": "edit", "row": 0, "column": 1, "text": "a" * 4_001},
        {"type": "choose", "name": "learning_rate", "value": "1"},
        {"type": "press", "name": "format"},
    ]
    for message in (*bad, *good):
        control.receive({"id": 7, **message})
    assert heard == [{"id": 7, **message} for message in good]
    assert sent == [{"type": "answer", "id": 7}] * len(good)
    control.receive({"type": "part", "id": 1, "name": "a.tsv", "bytes": b"a\tb", "first": True})
    control.receive({"type": "open", "id": 2, "row": 5})
    assert heard[-1] == ({"a.tsv": b"a\tb"}, 5)
    control.disabled = True
    control.receive({"id": 7, **good[0]})
    assert len(heard) == len(good) + 1


def test_an_example_is_chosen_by_its_row_and_can_be_chosen_twice():
    heard, examples = [], CONTROLS[Examples][0]()
    examples.param.watch(lambda event: heard.append(event.new), "value", onlychanged=False)
    for row in (1, 1, 2, -1, True, "0", None):
        examples.receive({"type": "choose", "row": row})
    assert heard == [1, 1]


def test_a_moment_that_the_run_has_reached_can_be_pinned():
    course = Curves(kept=[0, 3, 12])
    for raw in (-1, 13, "3", True, 1.5):
        course.accept("pinned", raw)
        assert course.pinned is None
    for raw in (0, 12, 7, None):  # the present step may have become an earlier step
        course.accept("pinned", raw)
        assert course.pinned == raw
    nothing_yet = Curves()
    nothing_yet.accept("pinned", 0)
    assert nothing_yet.pinned is None


def test_the_training_bar_accepts_only_the_paces_and_moments_that_it_offers():
    bar = TrainingBar(kept=[0, 3], paces=[["slow", "slow"], ["full", "full speed"]], pace="slow")
    for raw in ("fast", "", None, 1):
        bar.accept("pace", raw)
        assert bar.pace == "slow"
    bar.accept("pace", "full")
    assert bar.pace == "full"


@pytest.mark.parametrize("of", [Curves, TrainingBar])
def test_a_step_is_requested_only_if_it_was_kept(of):
    asked = []
    control = of(kept=[0, 3], on_step=asked.append)
    for raw in (1, True, "3", 4, 3.0, []):
        control.receive({"type": "step", "step": raw})
    assert asked == []
    for step in (3, 0, None):
        control.receive({"type": "step", "step": step})
    control.disabled = True
    control.receive({"type": "step", "step": 3})
    assert asked == [3, 0, None]


def test_a_field_accepts_only_the_choices_that_it_offers():
    choice = {"name": "plane", "kind": "choice", "label": "", "value": "a", "options": [["a", "A"]]}
    form = Form(fields=[SWITCH, choice])
    for name, raw in (("on", "false"), ("on", None), ("on", 1), ("plane", "b"), ("plane", [])):
        form.receive({"type": "change", "name": name, "value": raw})
        assert form.value == {"on": False, "plane": "a"}


def test_only_the_number_of_a_node_is_accepted_as_a_node():
    tree = Decode(on_attention=nothing)
    tree.data = {"beam": {"nodes": [{}, {}]}}
    for raw in (True, 1.0, 7, "0", []):
        tree.accept("value", raw)
        assert tree.value is None
    tree.accept("value", 1)
    assert tree.value == 1
