import asyncio
import json
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import tinkerformer as tf
from tinkerformer.files import catalog
from tinkerformer.shell.in_frame import document
from tinkerformer.transport.port import wire
from tinkerformer.transport.runtime.concurrency import BackgroundTasks
from tinkerformer.transport.runtime.derived import Derived

from transformer_math import Config, Transformer, config_for, next_words
from transformer_math.experiments import silenced

PATH = "encoder.0.self_attn.head.1.W_q"
CELL = (PATH, 1, 2)


class Browser:
    """The frames of a page, without a browser: the messages that they receive and send."""

    def __init__(self, handle, name="one", frames=None):
        self.told = []
        self.name = name
        self.frames = frames or handle._new_iframes(self.hear)
        self.others = []

    def beside(self, name):
        """Return another frame of the same widget."""
        other = Browser(None, name, self.frames)
        self.others.append(other)
        return other

    def hear(self, message, buffers):
        for each in (self, *self.others):
            if message["frame"] == each.name:
                each.told.append((message["kind"], message["text"], buffers))

    def send(self, kind, text="", buffers=()):
        self.frames.hear({"frame": self.name, "kind": kind, "text": text}, buffers)
        return self.take()

    def take(self):
        told, self.told = self.told, []
        return told

    def entries(self):
        """Return the messages that the page received, entry by entry."""
        said = [(text, buffers) for kind, text, buffers in self.take() if kind == "say"]
        return [entry for text, buffers in said for entry in wire.read(text, buffers)]

    def begin(self):
        """Connect, and return the numbers of the components by class."""
        self.send("want-page")
        self.frames.hear({"frame": self.name, "kind": "begin"})
        [regions] = [content for kind, _, content in self.entries() if kind == "place"]
        return {
            each["class"]: each["number"] for x in regions.values() for each in x if "class" in each
        }

    def board(self, numbers, **message):
        """Send a message of the board, and return the page's answer."""
        said = json.dumps(["message", numbers["BoardComponent"], message])
        self.frames.hear({"frame": self.name, "kind": "say", "text": said})
        return self.entries()

    def ready(self):
        numbers = self.begin()
        entries = self.board(numbers, type="ready")
        assert {"manifest", "scenario"} <= {
            x["type"] for kind, _, x in entries if kind == "message"
        }
        return numbers


def messages(entries, kind):
    return [x for name, _, x in entries if name == "message" and x["type"] == kind]


@pytest.fixture
def page():
    return tf.show(None, "the black cat")


# -- what a program reads and sets ---------------------------------------------------------------


def test_a_handle_gives_the_state_that_the_page_shows(page):
    assert page.scenario.source == ("the", "black", "cat")
    assert page.selection is None
    assert page.trace["source.ids"].value.shape == (3,)
    assert repr(page) == "<the page of the trained phrases>"


def test_a_number_is_set_by_its_path_and_index(page):
    page.set(PATH, (1, -1), 2.5)
    assert page.trace[PATH].value[1, -1] == 2.5
    page.set(
        "output.b_out" if "output.b_out" in page.trace else "encoder.0.feed_forward.b_1", 0, -1
    )
    page.set("encoder.0.self_attn.weights", [0, 0, 1], np.float32(0.5))
    assert page.trace["encoder.0.self_attn.head.0.weights"].value[0, 1] == 0.5
    page.restore(PATH, (1, -1))
    assert page.trace[PATH].value[1, -1] != 2.5


def test_undo_and_redo_apply_to_changes_by_a_program(page):
    before = page.scenario
    page.undo()  # opening the page is no step
    assert page.scenario == before
    page.set(PATH, (0, 0), 1.0)
    after = page.scenario
    page.undo()
    assert page.scenario == before
    page.redo()
    assert page.scenario == after


def test_watchers_are_notified_of_changes_by_the_program_and_the_user(page):
    heard = []
    page.param.watch(
        lambda *events: heard.extend((event.name, event.new) for event in events),
        ["selection", "scenario"],
    )
    page.selection = CELL
    assert heard == [("selection", CELL)]
    browser = Browser(page)
    numbers = browser.ready()
    heard.clear()
    browser.board(numbers, type="select", path=PATH, i=0, j=3)
    assert heard == [("selection", (PATH, 0, 3))]
    browser.board(numbers, type="set", path=PATH, i=0, j=3, value=1.5)
    assert heard[-1] == ("scenario", page.scenario)
    assert page.trace[PATH].value[0, 3] == 1.5


def test_the_reader_sees_the_changes_by_a_program(page):
    browser = Browser(page)
    numbers = browser.ready()
    browser.take()
    page.selection = CELL
    entries = browser.entries()
    [selected] = messages(entries, "selection")
    assert (selected["path"], selected["i"], selected["j"]) == CELL
    seq = int(np.frombuffer(messages(entries, "frame")[-1]["bytes"], "<i4", 4)[3])
    browser.board(numbers, type="ack", seq=seq)
    page.set(PATH, (1, 2), 3.0)
    assert messages(browser.entries(), "scenario")


def test_new_words_are_sent_in_one_post_with_their_matrices(page):
    browser = Browser(page)
    browser.ready()
    browser.take()
    page.scenario = page.scenario.with_tokens("source", ["a", "dog"])
    [first] = [wire.read(text, buffers) for _, text, buffers in browser.take()]
    assert "dog" in json.dumps([content for kind, _, content in first if kind == "set"])
    assert messages(first, "manifest")
    assert messages(first, "frame")


def test_a_selected_number_oscillates_and_stops(page):
    with pytest.raises(ValueError, match="Select a number that can be set first"):
        page.oscillate()
    page.selection = CELL
    page.oscillate()
    browser = Browser(page)
    assert messages(browser.board(browser.begin(), type="ready"), "orbit")
    page.oscillate(False)
    assert messages(browser.entries(), "orbit_end")


# -- views ---------------------------------------------------------------------------------------


def test_a_view_may_be_a_single_path():
    page = tf.show(view=PATH)
    browser = Browser(page)
    [manifest] = messages(browser.board(browser.begin(), type="ready"), "manifest")
    [stage] = json.loads(manifest["json"])["stages"]
    assert stage["id"] == f"matrix:{PATH}"
    assert 'data-query="embed&amp;show=tokens,answer,inspector"' in browser.send("want-page")[0][1]


@pytest.mark.parametrize("view", ["picture", "formulas", "attention", "writing", "train"])
@pytest.mark.parametrize(
    "settings",
    [
        {"final_norm": True},  # torch.nn.Transformer has this norm
        {"norm": "pre"},
        {"final_norm": True, "encoder_layers": 0},
        {"final_norm": True, "decoder_layers": 0},
    ],
)
def test_every_view_shows_every_kind_of_model(view, settings):
    sizes = {"d_model": 8, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    words = {"source_vocabulary": 5, "target_vocabulary": 5}
    model = Transformer.create(Config(**{**sizes, **words, **settings}))
    source = [1, 2] if model.config.encoder_layers else None
    target = [0, 4] if model.config.decoder_layers else None
    page = tf.show(model, source, target=target, view=view)
    browser = Browser(page)
    [*_, manifest] = messages(browser.board(browser.begin(), type="ready"), "manifest")
    assert json.loads(manifest["json"])["matrices"]


@pytest.mark.parametrize("lock", ["all", True])
def test_a_lock_also_holds_for_the_program(lock):
    page = tf.show(lock=lock)
    before = page.scenario
    assert page._page.state.address.lock == "all"
    assert tf.show(lock=False)._page.state.address.lock == ""
    with pytest.raises(ValueError, match="you cannot change anything"):
        page.set(PATH, (0, 0), 1.0)
    assert page.scenario == before


def test_reset_restores_the_given_model():
    model = Transformer.create(Config.preset("phrases"))
    page = tf.show(model, [0, 1], target=[2])
    first = page.scenario
    page.set("encoder.0.self_attn.head.1.W_q", (0, 0), 1.0)
    page._page.state.snapshots.start_afresh()
    assert page.scenario == first


def test_the_page_is_one_document_that_loads_nothing():
    text = document()
    assert "src=" not in text.partition("<body>")[0].replace('src="{', "")
    assert text.count("<html") == 1
    for outside in ('src="http', 'href="http', "url(http", "@import url", "cdn."):
        loaded = text.partition('id="classes"')[0].replace('<a href="http', "")
        assert outside not in loaded, outside
    classes = text.partition('id="classes">')[2].partition("</script>")[0]
    assert {"BoardComponent", "Tokens"} <= set(json.loads(classes))


def test_a_frame_receives_the_page_and_the_library_of_charts(page):
    browser = Browser(page)
    [(kind, text, _)] = browser.send("want-page")
    assert (kind, text[:15]) == ("page", "<!DOCTYPE html>")
    [(kind, text, _)] = browser.send("want-bokeh")
    assert kind == "bokeh"
    assert "Bokeh" in text


def test_a_page_runs_in_one_frame_at_a_time(page):
    one = Browser(page)
    numbers = one.ready()
    two = one.beside("two")
    page.set(PATH, (0, 0), 0.5)
    one.take()
    two.ready()
    assert [kind for kind, _, _ in one.take()] == ["left"]
    assert one.board(numbers, type="select", path=PATH, i=1, j=1) == []
    assert page.selection is None
    elsewhere = Browser(page)  # another widget of the same page
    elsewhere.ready()
    assert two.take()[-1][0] == "left"
    assert page.trace[PATH].value[0, 0] == 0.5


def test_a_frame_that_was_moved_in_its_document_starts_again(page):
    browser = Browser(page)
    browser.ready()
    page.set(PATH, (0, 0), 0.5)
    browser.take()
    numbers = browser.begin()
    assert "left" not in [kind for kind, _, _ in browser.take()]
    scenario = messages(browser.board(numbers, type="ready"), "scenario")[-1]
    assert PATH.replace("head.1.", "") in scenario["scenario"]


def test_a_page_without_a_frame_continues(page):
    browser = Browser(page)
    browser.ready()
    assert page._page.session.has_viewers
    browser.send("gone")
    assert not page._page.session.has_viewers
    page.set(PATH, (0, 0), 0.5)
    assert browser.take() == []


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        "begin",
        {},
        {"frame": "one"},
        {"frame": 3, "kind": "begin"},
        {"frame": "one", "kind": []},
        {"frame": "x" * 1000, "kind": "want-page"},
        {"frame": "one", "kind": "open"},
        {"frame": "one", "kind": "say", "text": 3},
        {"frame": "one", "kind": "say", "text": "[["},
        {"frame": "nobody", "kind": "say", "text": "[]"},
        {"frame": "nobody", "kind": "gone"},
    ],
)
def test_messages_that_a_frame_does_not_send_are_ignored(page, message, caplog):
    browser = Browser(page)
    browser.ready()
    before = page.scenario
    browser.frames.hear(message)
    assert browser.take() == []
    assert page.scenario is before
    page.selection = CELL
    assert browser.take()


def test_a_cell_and_the_reader_may_be_in_two_threads(page):
    """As in JupyterLab, widgets have their own thread; no message is lost or torn."""
    browser = Browser(page)
    numbers = browser.ready()

    def drag():
        for k in range(30):
            browser.board(numbers, type="set", path=PATH, i=0, j=0, value=k / 30)

    reader = threading.Thread(target=drag)
    reader.start()
    for k in range(30):
        page.set(PATH, (1, 1), k / 30)
    reader.join()
    values = page.trace[PATH].value
    assert values[0, 0] == values[1, 1] == np.float32(29 / 30)


async def test_a_thread_that_changes_a_shown_page_starts_its_tasks_on_the_loop_of_the_browser(page):
    """As in an app of Panel's, whose buttons Bokeh handles in threads (from 3.10 on)."""
    browser, threads = Browser(page), {}
    browser.ready()
    tasks = BackgroundTasks()
    derived = Derived(page._page.session, lambda: show("job"))

    async def task():
        show("task")

    def show(name):
        threads[name] = threading.current_thread()

    def press():
        with page._page.changed_by_program():
            tasks.start(task())
            if derived.want(object(), lambda _: "job").status == "ready":
                show("job")

    await asyncio.to_thread(press)
    while len(threads) < 2:
        await asyncio.sleep(0.01)
    assert threads == dict.fromkeys(("task", "job"), threading.main_thread())
    page._page.leave()  # without a browser, this thread runs both
    threads.clear()
    await asyncio.to_thread(press)
    assert len(threads) == 2
    assert threading.main_thread() not in threads.values()


def test_changes_of_a_running_cell_are_shown_before_the_cell_ends(page):
    """A painted frame is reported after the cell has ended, so nothing waits for it."""
    clock = [100.0]
    page._page.state.clock = lambda: clock[0]
    browser = Browser(page)
    browser.ready()
    frames = []
    for k in range(40):
        clock[0] += 0.025
        page.set(PATH, (0, 0), k / 40)
        frames.append(len(messages(browser.entries(), "frame")))
    assert 8 <= sum(frames) <= 12
    assert max(frames) == 1


# -- where no kernel runs ------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*the model has never seen")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"view": PATH},
        {"view": "encoder.0.self_attn.weights"},
        {"view": "encoder.0.feed_forward.b_1"},
        {"model": "dates"},
        {"source": ["<b>", "&", "“"]},
    ],
)
def test_the_picture_is_an_svg_with_numbers(options):
    page = tf.show(**options)
    picture = ET.fromstring(page._picture)
    texts = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == page.scenario.weights.name
    assert " ".join(page.scenario.source)[:40] in texts[1]
    for path in [options["view"]] if "view" in options else ["encoder.0.self_attn.head.0.weights"]:
        assert any(path.rpartition(".")[0] in text for text in texts)
    width, height = (float(picture.get(name)) for name in ("width", "height"))
    for box in list(picture.iter("{http://www.w3.org/2000/svg}rect"))[1:]:
        assert 0 <= float(box.get("x")) <= width
        assert 0 <= float(box.get("y")) <= height


def test_a_large_matrix_is_drawn_in_part():
    page = tf.show("paper-base", view="encoder.0.feed_forward.W_1")
    assert "48 × 48 of 512 × 2,048" in page._picture
    assert len(page._picture) < 400_000


@pytest.fixture
def published(monkeypatch):
    """Return the output of a cell."""
    pytest.importorskip("IPython", reason="IPython is not installed (extra notebook).")
    from tinkerformer.transport.notebook import display

    found = []
    monkeypatch.setattr(display, "publish", lambda data, **_: found.append(data))
    return found


def test_without_anywidget_a_picture_and_a_sentence_are_shown(page, published, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "tinkerformer.transport.notebook.widget", raising=False)
    with pytest.raises(ImportError, match=r"needs anywidget: pip install anywidget"):
        _ = page.widget
    page._ipython_display_()
    picture, sentence = published
    assert picture["image/svg+xml"] == page._picture
    assert "needs anywidget" in sentence["text/plain"]


def test_a_notebook_displays_a_widget_and_a_picture_for_viewers_without_widgets(page, published):
    pytest.importorskip("anywidget", reason="anywidget is not installed (extra notebook).")
    page._ipython_display_()
    picture, widget = published
    assert picture["image/svg+xml"] == page.widget.picture
    model = widget["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert model == page.widget.model_id == page._display_().model_id
    sent = []
    page.widget.send = lambda message, buffers: sent.append(message["kind"])
    page.widget._iframes = page._new_iframes(page.widget.send)
    page.widget._handle_custom_msg({"frame": "a", "kind": "want-page", "text": ""}, [])
    assert sent == ["page"]


def test_in_panel_a_page_is_a_frame_in_any_layout(page):
    import panel as pn

    row = pn.Row(page, tf.panel("dates", height=300))
    ours, theirs = row
    ours.source = "the dog"
    assert page.source == "the dog"
    assert (theirs.scenario, theirs.height) == (catalog.first("dates"), 300)
    row.get_root()


def test_importing_the_package_loads_little():
    code = (
        "import sys, tinkerformer as tf; "
        "heavy = {'panel', 'bokeh', 'anywidget', 'numpy', 'param'} & set(sys.modules); "
        "assert not heavy, heavy; assert {'show', 'panel'} <= set(dir(tf)); tf.show(); "
        "heavy = {'panel', 'bokeh', 'anywidget'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_raises_an_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'shown'"):
        _ = tf.shown


# -- lessons ---------------------------------------------------------------------------------------


def test_a_lesson_opens_at_its_step_and_closing_it_restores_the_page_before():
    handle = tf.show("dates", view="lesson:attention", step=4)
    state = handle._page.state
    assert (state.lesson.name, state.lesson.step, state.location.view) == (
        "attention",
        3,
        "formulas",
    )
    assert state.scenario.model == "phrases"
    assert state.covered
    browser = Browser(handle)
    browser.begin()
    [panel] = handle._page._regions["lesson"]
    panel.receive({"type": "go", "step": 5})
    # Another browser opens the lesson at the same step.
    other = browser.beside("two")
    other.begin()
    assert state.lesson.step == 5
    panel.receive({"type": "close"})
    assert state.location.view == "lessons"
    assert state.scenario.model == "dates"


def test_a_locked_page_can_go_through_the_lesson_that_it_was_created_with():
    handle = tf.show("dates", view="lesson:film", lock="all")
    [panel] = handle._page._regions["lesson"]
    state = handle._page.state
    Browser(handle).begin()
    panel.receive({"type": "go", "step": 7})
    assert (state.lesson.step, state.scenario.model, state.notice) == (7, "phrases", "")


def test_a_program_waits_until_a_browser_has_painted_its_changes(page):
    async def nobody():
        page.set(PATH, (0, 0), 1.0)
        await page.shown()

    asyncio.run(nobody())
    browser = Browser(page)
    numbers = browser.ready()

    def paint():
        for entry in browser.entries():
            if entry[0] == "message" and entry[2]["type"] == "frame":
                seq = int(np.frombuffer(entry[2]["bytes"], "<i4", 4)[3])
                said = ["message", numbers["BoardComponent"], {"type": "ack", "seq": seq}]
                browser.send("say", json.dumps(said))

    async def somebody():
        page.set(PATH, (0, 0), 2.0)
        with pytest.raises(TimeoutError, match="has not yet confirmed"):
            await page.shown(0.05)
        done = asyncio.ensure_future(page.shown())
        for _ in range(200):
            paint()
            await asyncio.sleep(0.01)
            if done.done():
                break
        await asyncio.wait_for(done, 0.1)

    asyncio.run(somebody())


def test_the_source_of_a_decoder_alone_is_the_text_that_it_reads():
    page = tf.show("next-word", "the dog")
    assert (page.source, page.target) == ("the dog", "the dog")
    page.source = "the small cat"
    assert page.target == "the small cat"
    page.target = "a mouse"
    assert page.source == "a mouse"
    with pytest.raises(ValueError, match="continues its text in How it writes"):
        page.target = ""
    page.model = "phrases"  # source and target differ again
    assert page.target.startswith("le")
    page.source = "the dog sat on the mat"
    assert page.target == "le chien est assis sur le tapis"


def test_an_encoder_alone_has_no_target():
    page = tf.show("blanks")
    assert page.target == ""
    page.target = ""
    with pytest.raises(ValueError, match="it reads its source alone"):
        page.target = "le"
    assert page.target == ""


def test_a_model_is_shown_with_the_words_of_its_training():
    pairs = next_words(["the sun rises", "the moon sets", "the sun sets"], held_out=1)
    model = Transformer.create(config_for(pairs, d_model=8), seed=0)
    page = tf.show(model, "the moon", vocabulary=pairs)
    assert page.target == "the moon"
    assert page.scenario.output_vocabulary == pairs.target_tokenizer.tokens
    with pytest.raises(TypeError, match="a Tokenizer or Pairs, not a int"):
        tf.show(model, "the moon", vocabulary=3)


def test_silencing_a_head_by_its_path_silences_it():
    page = tf.show("phrases", "the black cat sat on the mat")
    head = "decoder.0.cross_attn.head.1.context"
    page.apply({head: silenced(page.trace, head)})
    assert not page.trace[head].value.any()
    assert page.trace["decoder.0.cross_attn.head.0.context"].value.any()


def test_the_error_for_an_unknown_stage_lists_the_existing_ones():
    page = tf.show("next-word")
    with pytest.raises(ValueError, match=r"it has target, .*decoder\.0\.self_attn"):
        page.view = "encoder.0.self_attn"


@pytest.mark.parametrize("given", ["the black pizza", "the pizza sleeps"])
def test_a_word_that_the_trained_model_has_never_seen_is_warned_about_and_named_on_the_page(given):
    said = "“pizza”: the model has never seen this word: its row of numbers is random."
    with pytest.warns(UserWarning, match=said):
        page = tf.show("phrases", given)
    page.source = "the black cat"
    with pytest.warns(UserWarning, match=said):
        page.source = given
