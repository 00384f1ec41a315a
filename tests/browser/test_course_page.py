from collections.abc import Iterator

import pytest
from bokeh.embed import server_document
from playwright.sync_api import Frame, Page, expect
from tinkerformer.files import catalog
from tinkerformer.transport.hosting.embed_script import ADDRESS

from tests.browser.conftest import ROOT, Server
from tests.browser.course import Course
from tests.browser.student import at_rest, computed

MATRIX = "encoder.0.self_attn.head.0.scores"
WEIGHT = "encoder.0.self_attn.head.0.W_q"
FIRST = catalog.first("phrases")


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    """A course page on an origin that the server allows."""
    with Course() as opened:
        yield opened


@pytest.fixture(scope="module")
def stranger() -> Iterator[Course]:
    """A course page on an origin that the server does not allow."""
    with Course() as opened:
        yield opened


@pytest.fixture(scope="module")
def host(course: Course) -> Iterator[Server]:
    """The page on a server that allows the course page."""
    server = Server(
        ROOT / "app" / "main.py",
        str(ROOT / "app" / "embedded.py"),
        *("--allow-websocket-origin", course.origin.removeprefix("http://")),
        TINKERFORMER_ALLOW_PARENT=course.origin,
    )
    server.options = (*server.options, "--allow-websocket-origin", f"localhost:{server.port}")
    server.start()
    yield server
    server.stop()


def element(server: Server, name: str, attributes: str = "") -> str:
    return f'<tinker-former id="{name}" src="{server.url}" {attributes}></tinker-former>'


def html(server: Server, body: str) -> str:
    script = f"{server.url.rpartition('/')[0]}/{ADDRESS}"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Attention</title>'
        f'<script src="{script}" async></script><body style="margin: 0">{body}</body></html>'
    )


def open_course(new_context, server: Server, course: Course, body: str, **options) -> Page:
    course.pages["/lecture"] = html(server, body)
    context = new_context(server.url, course.origin, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(f"{course.origin}/lecture")
    return page


def frame_of(page: Page, name: str) -> Frame:
    found = page.locator(f"#{name} iframe").element_handle().content_frame()
    found.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    return found


THREE = """
<a href="#" id="before">before</a>
<div style="display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px">{}{}{}</div>
<a href="#" id="after">after</a>
"""


@pytest.fixture
def three(new_context, host: Server, course: Course) -> Page:
    """Frames of the whole picture, of a matrix that cannot be edited, and of a stage."""
    return open_course(
        new_context,
        host,
        course,
        THREE.format(
            element(host, "whole", 'view="picture" title="All of the model"'),
            element(host, "matrix", f'view="matrix:{MATRIX}" lock'),
            element(host, "stage", 'view="encoder.0.self_attn"'),
        ),
    )


WRONG = """async (requests) => {
  const el = document.querySelector("#whole"), said = [];
  for (const [call, ...args] of requests) {
    const error = await el.call(call, ...args).then(() => "", (error) => error.message);
    said.push(error);
  }
  return said;
}"""


def test_a_course_page_controls_its_frames_through_the_element(three: Page):
    whole = frame_of(three, "whole")
    said = three.evaluate(
        WRONG,
        [
            ["view"],
            ["constructor"],
            ["set", WEIGHT, 0, 1],
            ["set", WEIGHT, 0, 1, "2"],
            ["set", WEIGHT, 0.5, 1, 2],
            ["set", WEIGHT, 0, 1, 2, 3],
            ["set", "x" * 201, 0, 1, 2],
            ["set", WEIGHT, 99, 1, 2],
            ["set", "no.such", 0, 0, 2],
            ["value", WEIGHT, 99, 1],
            ["value", "no.such", 0, 0],
            ["gradient", "no.such", 0, 0],
            ["oscillate", 1],
            ["oscillate", True, {"amplitude": 1, "color": 1}],
            ["listen", "keydown"],
        ],
    )
    assert said[0].startswith("There is no such call; there are paths, value, ")
    assert said[1] == said[0]
    assert said[2:] == [
        "Argument 4 of set is a finite number.",
        "Argument 4 of set is a finite number.",
        "Argument 2 of set is a whole number from 0.",
        "The arguments of set are a list of at most 4.",
        "Argument 1 of set is text of at most 200 characters.",
        f"{WEIGHT} has no cell 99, 1.",
        "There is no matrix no.such on the page.",
        f"{WEIGHT} has no cell 99, 1.",
        "There is no matrix no.such on the page.",
        "There is no matrix no.such on the page.",
        "Argument 1 of oscillate is true or false.",
        "Argument 2 of oscillate is an object of amplitude and period, numbers over 0.",
        "There is no event keydown; there are selection, frame, scenario, score.",
    ]
    assert whole.evaluate("window.tinkerformer.scenario().edits") is None
    matrix = frame_of(three, "matrix")
    was, refused = three.evaluate(
        """async ([path]) => {
          const el = document.querySelector("#matrix"), was = await el.value(path, 1, 2);
          const refused = await el.set(path, 1, 2, was + 3).catch((error) => error.message);
          await el.select(path, 1, 2);
          await el.oscillate(true);
          return [was, refused];
        }""",
        [MATRIX],
    )
    assert "you cannot change anything" in refused
    expect(matrix.get_by_text("you cannot change anything")).to_be_visible()
    matrix.wait_for_function("window.tinkerformer.oscillating()")
    matrix.wait_for_function(
        "([path, was]) => window.tinkerformer.value(path, 1, 2) !== was", arg=[MATRIX, was]
    )
    three.evaluate("document.querySelector('#matrix').oscillate(false)")
    matrix.wait_for_function(
        "([path, was]) => window.tinkerformer.value(path, 1, 2) === was", arg=[MATRIX, was]
    )
    whole, stage = frame_of(three, "whole"), frame_of(three, "stage")
    was = float(computed(FIRST, WEIGHT)[0, 1])
    heard = three.evaluate(
        """async ([weight]) => {
          const el = document.querySelector("#whole"), heard = { selected: [], scenarios: [] };
          const end = performance.now() + 15_000;
          const until = async (isSo) => {
            while (performance.now() < end && !(await isSo()))
              await new Promise(requestAnimationFrame);
          };
          heard.value = await el.value(weight, 0, 1);
          await el.listen("selection", (cell) => heard.selected.push(cell));
          await el.listen("scenario", (scenario) => heard.scenarios.push(scenario));
          const painted = new Promise((tell) => el.listen("frame", tell));
          await el.select(weight, 0, 1);
          await el.set(weight, 0, 1, 2.5);
          heard.frame = await painted;
          await until(async () => await el.value(weight, 0, 1) === 2.5);
          await until(() => heard.scenarios.at(-1)?.edits);
          heard.paths = await el.call("paths");
          await el.oscillate(true, { amplitude: 1 });
          await until(() => el.call("oscillating"));
          heard.swings = await el.call("oscillating");
          await el.oscillate(false);
          return heard;
        }""",
        [WEIGHT],
    )
    assert heard["value"] == pytest.approx(was, abs=1e-6)
    assert {"path": WEIGHT, "i": 0, "j": 1} in heard["selected"]
    assert heard["frame"]["frames"] > 0
    assert heard["swings"] is True
    assert WEIGHT in heard["paths"]
    assert heard["paths"] == whole.evaluate("window.tinkerformer.paths()")
    assert heard["scenarios"][-1] == whole.evaluate("window.tinkerformer.scenario()")
    assert stage.evaluate("window.tinkerformer.scenario().edits") is None


COUNTED = "addEventListener('message', ({data}) => (window.got ??= []).push(data));"
ASK = """() => {
  const frame = document.querySelector("iframe").contentWindow;
  for (const call of ["paths", "nonsense"])
    frame.postMessage({ tinkerformer: 1, id: call, call, args: [] }, "*");
  const args = ["encoder.0.self_attn.head.0.W_q", 0, 1, 7];
  frame.postMessage({ tinkerformer: 1, id: "set", call: "set", args }, "*");
}"""


def test_messages_of_an_origin_that_is_not_allowed_are_not_answered(
    new_context, host: Server, course: Course, stranger: Course
):
    """The page does not change; like any parent, the course page only learns that it is ready."""
    body = f"<script>{COUNTED}</script>" + element(host, "whole", 'view="picture"')
    page = open_course(new_context, host, stranger, body)
    frame = frame_of(page, "whole")
    page.wait_for_function("window.got?.some((message) => message.type === 'ready')")
    # A listener in the frame shows when a later message has been handled.
    frame.evaluate("addEventListener('message', ({data}) => (window.last = data))")
    page.evaluate(ASK)
    frame.wait_for_function("window.last?.id === 'set'")
    page.wait_for_function("new Promise((tell) => setTimeout(() => tell(true)))")
    answers = page.evaluate("window.got.filter((message) => 'id' in message)")
    assert answers == []
    assert frame.evaluate("window.tinkerformer.scenario().edits") is None
    # An allowed course page gets the answers, and other frames get none.
    allowed = open_course(new_context, host, course, body)
    frame_of(allowed, "whole")
    allowed.wait_for_function("window.got?.some((message) => message.type === 'ready')")
    allowed.evaluate(ASK)
    # A call that changes the page is acknowledged before it is answered.
    for answer in ("paths", "nonsense", "set"):
        allowed.wait_for_function(
            "id => window.got.some((message) => message.id === id && message.type !== 'taken')",
            arg=answer,
        )


def test_a_frame_far_down_starts_when_it_is_scrolled_to(new_context, host: Server, course: Course):
    """The page then does what was requested before."""
    far = '<p style="height: 9000px">The lecture.</p>'
    page = open_course(
        new_context, host, course, far + element(host, "far", 'view="picture"') + far
    )
    page.wait_for_function("document.querySelector('#far iframe')")
    page.wait_for_load_state("load")
    asked = "document.querySelector('#far').set(...a).then(() => (window.done = true))"
    page.evaluate(f"(a) => {{ {asked}; }}", [WEIGHT, 0, 1, 2.5])
    assert [frame.url for frame in page.frames if host.url in frame.url] == []
    page.locator("#far").scroll_into_view_if_needed()
    frame_of(page, "far")
    page.wait_for_function("window.done")
    page.wait_for_function(
        "async (a) => await document.querySelector('#far').value(...a) === 2.5", arg=[WEIGHT, 0, 1]
    )


FOCUSED = "(document.activeElement.closest('[id]')?.id ?? '')"


def test_a_call_to_a_frame_that_was_never_in_view_is_rejected(
    new_context, host: Server, course: Course
):
    far = '<p style="height: 9000px">The lecture.</p>'
    course.pages["/lecture"] = html(host, far + element(host, "one"))
    page = new_context(host.url, course.origin).new_page()
    page.clock.install()  # advance the clock by two minutes
    page.goto(f"{course.origin}/lecture")
    page.wait_for_function("!!customElements.get('tinker-former')")
    page.evaluate(
        f"""() => {{
          const call = document.querySelector("#one").value("{WEIGHT}", 0, 1);
          call.catch((error) => {{ document.title = error.message; }});
        }}"""
    )
    page.clock.run_for(119_000)
    expect(page).to_have_title("Attention")
    page.clock.run_for(2_000)
    why = "was not ready in two minutes: a frame starts when it comes near the screen."
    expect(page).to_have_title(f"{host.url}?&embed&height=auto {why}")


def test_the_tab_key_passes_through_the_frames_and_each_has_a_name(three: Page):
    titles = three.locator("iframe").evaluate_all("(all) => all.map(({title}) => title)")
    assert titles == ["All of the model", "Tinkerformer", "Tinkerformer"]
    for name in ("whole", "matrix", "stage"):
        frame_of(three, name)
    three.locator("#before").focus()
    passed: list[str] = []
    for _ in range(500):
        three.keyboard.press("Tab")
        now = three.evaluate(FOCUSED)
        if now and now not in passed[-1:]:  # between two frames, no element has the focus
            passed.append(now)
        if now == "after":
            break
    assert passed == ["whole", "matrix", "stage", "after"]
    three.keyboard.press("Shift+Tab")
    three.wait_for_function(f"{FOCUSED} === 'stage'")


def test_a_frame_that_loads_again_can_be_called_again(three: Page):
    """It has the state that it has after a restart of the server."""
    three.evaluate(
        """async () => {
          const el = document.querySelector("#whole");
          await el.listen("selection", (cell) => (window.cell = cell));
          el.addEventListener("ready", () => (window.again = true));
        }"""
    )
    frame_of(three, "whole").evaluate("setTimeout(() => location.reload())")
    three.wait_for_function("window.again")
    three.evaluate("(a) => document.querySelector('#whole').select(...a)", [WEIGHT, 2, 1])
    three.wait_for_function("window.cell?.i === 2")


HEIGHTS = "[...document.querySelectorAll('iframe')].map((frame) => frame.offsetHeight)"


def test_frames_are_as_high_as_their_content_and_show_pictures_on_paper(three: Page):
    for name in ("whole", "matrix", "stage"):
        frame_of(three, name)
    heights = {}
    for width in (1400, 900, 1400):
        three.set_viewport_size({"width": width, "height": 1000})
        heights.setdefault(width, at_rest(three, HEIGHTS, frames=30))
    assert heights[1400] == at_rest(three, HEIGHTS, frames=30)
    assert all(wide != 360 for wide in heights[1400])  # the initial height of a frame
    _, matrix, stage = zip(heights[1400], heights[900], strict=True)
    assert matrix[0] < matrix[1]
    assert stage[0] < stage[1]
    for frame in three.frames[1:]:
        assert frame.evaluate(
            "document.documentElement.scrollHeight <= innerHeight"
            " && document.documentElement.scrollWidth <= innerWidth"
        )
    frames = [frame_of(three, name) for name in ("whole", "matrix", "stage")]
    heights = at_rest(three, HEIGHTS, frames=30)
    for frame in frames:
        frame.evaluate(PAPER)
    three.pdf(format="A4", page_ranges="1")  # everything is laid out, but not every page is painted
    more = []
    for frame, height in zip(frames, heights, strict=True):
        screen, paper = frame.evaluate("[window.screen_now, window.paper]")
        assert paper["width"] < screen["width"]
        assert paper["height"] <= height
        assert paper["blank"] == 0
        assert paper["drawn"] > 0
        more.append(paper["drawn"] - screen["drawn"])
    assert more[:2] == [0, 0]
    assert more[2] > 0  # the stage is higher than the window
    assert at_rest(three, HEIGHTS, frames=30)[:2] == heights[:2]
    for frame in frames:
        assert frame.evaluate("innerWidth === window.screen_now.width")


def test_a_learning_platform_receives_the_height_in_its_own_format(
    new_context, host: Server, stranger: Course
):
    line = f'<iframe src="{host.url}?embed&view=matrix:{MATRIX}&height=auto" width="600"></iframe>'
    page = open_course(new_context, host, stranger, f"<script>{COUNTED}</script>{line}")
    page.wait_for_function("window.got?.some(({subject}) => subject === 'lti.frameResize')")
    (lti, own) = page.evaluate(
        """["subject", "type"].map((name) => window.got.filter((message) =>
          ["lti.frameResize", "height"].includes(message[name])).at(-1).height)"""
    )
    assert lti == own > 100


PAPER = """() => {
  const isBlank = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return !new Uint32Array(data.buffer).some(Boolean);
  };
  const count = () => {
    const found = allOf("canvas").filter((el) => el.width && el.checkVisibility());
    const { height } = document.body.getBoundingClientRect();
    return { height, width: innerWidth, drawn: found.length, blank: found.filter(isBlank).length };
  };
  window.screen_now = count();
  // As print.js has it: the browser narrows the frame before one of them.
  addEventListener("beforeprint", () => (window.paper = count()));
  matchMedia("print").addEventListener("change", ({ matches }) => {
    if (matches) window.paper = count();
  });
}"""


def test_server_document_shows_the_page_as_it_looks_alone(
    new_context, host: Server, course: Course
):
    url = f"{host.url.rpartition('/')[0]}/embedded"
    lines = server_document(url, arguments={"view": f"matrix:{MATRIX}", "theme": "dark"})
    page = open_course(new_context, host, course, f'<div style="width: 700px">{lines}</div>')
    page.wait_for_selector("iframe")
    frame = page.locator("iframe").element_handle().content_frame()
    frame.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    assert frame.evaluate("window.tinkerformer.paths()") == [MATRIX]
    assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_function(  # in the shadow tree of the document's root
        """() => {
          const [{ offsetHeight }] = allOf("iframe");
          return offsetHeight > 100 && offsetHeight !== 360;
        }"""
    )
    assert frame.evaluate("innerWidth") == 700


# The distances by which the heading and the ring are out of view, and the bottom of the page.
IN_SIGHT = """() => {
  const inside = (el) => {
    const { top, bottom, height } = el.getBoundingClientRect();
    return height > 0 && top >= -1 && bottom <= innerHeight + 1;
  };
  const [heading] = allOf(".lesson h2"), [next] = allOf(".lesson .steps button:last-child");
  const rings = allOf(".ring.pointed-out").filter((el) => el.offsetWidth);
  const isRinged = !rings.length || rings.some(inside);
  return [heading.textContent, inside(heading) && inside(next), isRinged];
}"""


@pytest.mark.parametrize(("lesson", "width"), [("film", 1000), ("attention", 420)])
def test_the_height_of_a_lesson_shows_its_picture_without_scrolling(
    new_context, host: Server, course: Course, lesson: str, width: int
) -> None:
    """It was once as high as all matrices, 32,145 px, with the right one far below the text."""
    body = element(host, "lesson", f'view="lesson:{lesson}"')
    page = open_course(new_context, host, course, body, viewport={"width": width, "height": 1000})
    frame = frame_of(page, "lesson")
    box = "document.querySelector('#lesson iframe').offsetHeight"
    page.wait_for_function(f"{box} === 680")
    seen = set()
    for _ in range(3):
        frame.wait_for_function(f"({IN_SIGHT})().slice(1).every(Boolean)")
        seen.add(frame.evaluate(IN_SIGHT)[0])
        assert at_rest(page, box, frames=30) == 680
        frame.locator(".lesson .steps button", has_text="Next").click()
        frame.wait_for_function(f"(was) => !was.includes(({IN_SIGHT})()[0])", arg=[*seen])
    assert len(seen) == 3
    # After closing the lesson, the frame is as high as its contents.
    frame.get_by_role("button", name="Close the lesson").click()
    page.wait_for_function(f"{box} !== 680")


def test_a_missing_lesson_does_not_change_the_height_of_the_frame(
    new_context, host: Server, course: Course
) -> None:
    page = open_course(new_context, host, course, element(host, "lesson", 'view="lesson:none"'))
    frame = frame_of(page, "lesson")
    frame.get_by_role("heading", name="Lessons").wait_for()
    page.wait_for_function(
        "(height) => document.querySelector('#lesson iframe').offsetHeight > height", arg=700
    )


def test_a_frame_with_a_given_height_keeps_it(new_context, host: Server, course: Course):
    page = open_course(new_context, host, course, element(host, "fixed", 'height="300"'))
    frame = frame_of(page, "fixed")
    assert at_rest(page, "document.querySelector('iframe').offsetHeight") == 300
    assert "height=auto" not in frame.url
