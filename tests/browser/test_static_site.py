import gzip
import io
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tinkerformer.cli.lesson_walk import walk_one
from tinkerformer.files import catalog
from tinkerformer.lessons.catalog import catalog as lesson_catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario

from tests import by_day
from tests.browser.conftest import STARTS, open_first_page, stages_link
from tests.browser.static_site import ALIVE, StaticSite
from tests.browser.student import at_rest, open_view, slide_to, type_token, wait_until_shown

pytestmark = pytest.mark.in_turn

SLOW = 240_000  # ms for a training run on a busy machine
W_Q = "encoder.0.self_attn.head.0.W_q"
# The path alone is stored before the edit if its matrix is selected, so this tests the edit.
IS_KEPT = "JSON.parse(sessionStorage['tinkerformer-visit']).edits?.['encoder.0.self_attn.W_q']"
FIRST = catalog.first("phrases")
SEEN = "output.probabilities"
NUMBERS = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
SENTENCE = ".starting"


@pytest.fixture
def opened(new_context, site: StaticSite) -> Page:
    """Open the site, and wait until it is alive."""
    return open_first_page(new_context(site.url), site.url)


@pytest.fixture
def alone(new_context, site: StaticSite) -> BrowserContext:
    """Open a context whose pages share no Python, so that its worker can be observed."""
    context: BrowserContext = new_context(site.url)
    context.add_init_script("delete window.SharedWorker")
    return context


def expect_written(page: Page, words: str) -> None:
    expect(page.locator(".written li:not(.end) .chip")).to_have_text(words.split())


def sentence(scenario: Scenario) -> Scenario:
    """Return the scenario with the text that the model writes."""
    return with_written_target(scenario, ForwardPassRunner())


def test_a_student_s_path_works_without_a_server(opened: Page, site: StaticSite) -> None:
    """A token, a slider, an oscillation, a training run, a link, a reload."""
    page = opened
    wait_until_shown(page, FIRST, SEEN)
    type_token(page, "black", "white")
    expect_written(page, "<sos> le chat blanc est assis sur le tapis")
    white = FIRST.with_tokens("source", ["the", "white", "cat", "sat", "on", "the", "mat"])
    wait_until_shown(page, sentence(white), SEEN)

    page.evaluate("(path) => window.tinkerformer.show(path, 0, 0)", W_Q)
    page.wait_for_function("window.tinkerformer.selection()?.path")
    slide_to(page, 0.5)
    value = at_rest(page, "window.tinkerformer.value(a[0], 0, 0)", W_Q, frames=30)
    assert value == pytest.approx(0.5, abs=0.05)
    slid = sentence(white.with_value(W_Q, (0, 0), value))
    wait_until_shown(page, slid, SEEN)

    page.evaluate("window.tinkerformer.oscillate(true)")
    page.wait_for_function("window.tinkerformer.oscillating()")
    frames = page.evaluate("window.tinkerformer.frames")
    page.wait_for_function(f"window.tinkerformer.frames > {frames} + 20")
    page.evaluate("window.tinkerformer.oscillate(false)")
    page.wait_for_function("!window.tinkerformer.oscillating()")
    wait_until_shown(page, slid, SEEN)

    page.wait_for_function(IS_KEPT)
    page.reload()
    page.wait_for_function(ALIVE, timeout=STARTS)
    wait_until_shown(page, slid, SEEN)


def test_a_training_reaches_99_percent(opened: Page) -> None:
    page = opened
    open_view(page, "Train")
    page.get_by_label("pace", exact=True).select_option("full")
    page.get_by_role("button", name="Train again", exact=False).click()
    right = page.get_by_text(re.compile(r"\b(19[89]|200) of 200 unseen phrases right"))
    expect(right.first).to_be_visible(timeout=SLOW)
    right = page.get_by_role("region", name="Curves of the run").locator("strong").first
    expect(right).to_have_text(re.compile(r"^(99\.\d|100) %$"))


def test_the_tasks_of_a_lesson_can_be_done_without_a_server(new_context, site: StaticSite) -> None:
    said: list[str] = []
    for lesson in by_day.share(list(lesson_catalog().lessons.values()), 2, by_day.TURN):
        assert walk_one(new_context(site.url).new_page(), site.url, lesson, said.append), said


def test_a_link_opens_its_scenario_and_view(new_context, site: StaticSite) -> None:
    scenario = sentence(FIRST.with_value(W_Q, (1, 1), 3))
    page = open_first_page(new_context(site.url), f"{site.url}#s={stages_link(scenario)}")
    wait_until_shown(page, scenario, SEEN)
    page = open_first_page(new_context(site.url), f"{site.url}?view=writing")
    button = page.get_by_role("button", name="How it writes", exact=True)
    expect(button).to_have_attribute("aria-expanded", "true")


@pytest.fixture
def before_python(alone: BrowserContext, site: StaticSite) -> tuple[Page, Callable[[], None]]:
    """Open a page with its first numbers; also return a function that lets Python start."""
    held: list = []
    alone.route("**/app.zip.packed", lambda route: held.append(route))
    page = alone.new_page()
    page.goto(site.url)
    page.wait_for_function(NUMBERS)

    def let_python_in() -> None:
        for route in held:
            route.continue_()
        page.wait_for_function(ALIVE, timeout=STARTS)

    return page, let_python_in


def test_numbers_are_shown_before_python_starts_and_actions_are_kept_for_it(before_python) -> None:
    page, let_python_in = before_python
    assert not page.evaluate("document.documentElement.dataset.python ?? null")
    expect(page.locator(SENTENCE)).to_contain_text("Python is starting")
    wait_until_shown(page, FIRST, SEEN)
    # The page can zoom in and describe the number under the pointer.
    page.evaluate("window.tinkerformer.near(window.tinkerformer.parts()[0].id)")
    camera = at_rest(page, "window.tinkerformer.look()")
    assert not camera["isAll"]
    # The action is done when Python starts, which the test has not yet allowed.
    page.evaluate("([path]) => void window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    let_python_in()
    expect(page.locator(SENTENCE)).to_be_hidden()
    wait_until_shown(page, sentence(FIRST.with_value(W_Q, (0, 0), 4)), SEEN)
    now = page.evaluate("window.tinkerformer.look()")
    assert now["zoom"] == pytest.approx(camera["zoom"], rel=0.2), "the picture has jumped back"


def test_a_number_oscillates_before_python_starts(before_python) -> None:
    page, let_python_in = before_python
    page.get_by_role("button", name=re.compile("oscillate$")).click()
    page.wait_for_function("window.tinkerformer.oscillating()")
    frames = page.evaluate("window.tinkerformer.frames")
    page.wait_for_function(f"window.tinkerformer.frames > {frames} + 20")
    assert not page.evaluate("document.documentElement.dataset.python ?? null")
    selected = page.evaluate("window.tinkerformer.selection()")
    let_python_in()
    page.wait_for_function("window.tinkerformer.oscillating()")
    assert page.evaluate("window.tinkerformer.selection()") == selected
    page.evaluate("window.tinkerformer.oscillate(false)")
    page.wait_for_function("!window.tinkerformer.oscillating()")


def test_the_film_plays_before_python_starts(before_python) -> None:
    page, let_python_in = before_python
    page.get_by_role("button", name="Watch one word cross it · 40 s").click()
    page.wait_for_function("document.documentElement.dataset.film === 'plays'")
    film = page.get_by_role("region", name="Film", exact=True)
    expect(film.locator(".caption")).to_have_text("How did this model come to write noir?")
    film.get_by_role("slider").fill("35")
    page.wait_for_function("window.tinkerformer.oscillating()")
    expect(film.locator(".caption")).to_contain_text("oscillates between")
    assert not page.evaluate("document.documentElement.dataset.python ?? null")
    let_python_in()
    page.keyboard.press("Escape")
    page.wait_for_function("!window.tinkerformer.oscillating()")
    assert page.evaluate("window.tinkerformer.selection()") is None
    wait_until_shown(page, FIRST, SEEN)


def test_a_python_that_died_is_started_again_with_the_session(
    alone: BrowserContext, site: StaticSite
) -> None:
    context = alone
    context.add_init_script(
        "window.Worker = class extends Worker {"
        "  constructor(...a) { super(...a); window.w = this; } }"
    )
    page = open_first_page(context, site.url)
    page.evaluate("([path]) => window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    edited = sentence(FIRST.with_value(W_Q, (0, 0), 4))
    wait_until_shown(page, edited, SEEN)
    page.wait_for_function(IS_KEPT)
    first = page.evaluate_handle("window.w")
    # No page sends this message; its error counts as the end of Python.
    page.evaluate("window.w.postMessage({text: '[]', buffers: [{}]})")
    page.wait_for_function("(first) => window.w !== first", arg=first)
    page.wait_for_function(ALIVE, timeout=STARTS)
    wait_until_shown(page, edited, SEEN)


def test_a_python_that_hangs_is_noticed_and_started_again_with_the_session(
    alone: BrowserContext, site: StaticSite
) -> None:
    page = open_first_page(alone, site.url)
    page.evaluate("([path]) => window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    edited = sentence(FIRST.with_value(W_Q, (0, 0), 4))
    wait_until_shown(page, edited, SEEN)
    page.wait_for_function(IS_KEPT)
    [worker] = page.workers
    worker.evaluate("void setTimeout(() => { while (true); })")
    expect(page.locator(SENTENCE)).to_contain_text("has not answered", timeout=STARTS)
    # The browser waits before it ends an endless loop, so the new Python may start earlier.
    with worker.expect_event("close", timeout=STARTS):
        page.get_by_role("button", name="Start Python again").click()
    expect(page.locator(SENTENCE)).not_to_contain_text("has not answered")
    page.wait_for_function(ALIVE, timeout=STARTS)
    wait_until_shown(page, edited, SEEN)


def test_without_webassembly_a_sentence_says_why(new_context, site: StaticSite) -> None:
    context: BrowserContext = new_context(site.url)
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_function(NUMBERS)
    expect(page.locator(SENTENCE)).to_contain_text("no WebAssembly")
    wait_until_shown(page, FIRST, SEEN)


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js")
def test_no_module_is_compiled_while_the_page_starts(site: StaticSite) -> None:
    """The modules needed for the start are bytecode in the site."""
    for name in ("app.zip", "runtime/python_stdlib.zip"):
        [path] = site.folder.glob(f"*/{name}.packed")
        names = set(zipfile.ZipFile(io.BytesIO(gzip.decompress(path.read_bytes()))).namelist())
        wanted = {"inspect.pyc", "asyncio/base_events.pyc"}
        assert not [x for x in names if x.endswith(".py")] if "app" in name else wanted <= names


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js")
def test_the_modules_of_charts_are_loaded_with_the_first_chart(
    new_context, site: StaticSite
) -> None:
    # The service worker would fetch all files for a later visit.
    context = new_context(site.url, service_workers="block")
    context.add_init_script("delete window.SharedWorker")  # its requests are not visible
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page = open_first_page(context, site.url)
    type_token(page, "black", "white")
    expect_written(page, "<sos> le chat blanc est assis sur le tapis")
    assert "app.zip.packed" in asked
    assert not {"rest.zip.packed", "bokeh.zip.packed"} & {*asked}
    open_view(page, "Cost")  # its chart is drawn by Bokeh
    page.wait_for_function("[...(window.Bokeh?.index ?? [])].length >= 1", timeout=STARTS)
    assert "bokeh.zip.packed" in asked
    assert "rest.zip.packed" not in asked


def test_the_picture_stays_until_python_is_ready(alone: BrowserContext, site: StaticSite) -> None:
    context = alone
    context.route("**/python_stdlib.zip.packed", lambda route: route.abort())
    page = context.new_page()
    page.goto(site.url)
    expect(page.locator(SENTENCE)).to_contain_text("could not be loaded", timeout=STARTS)
    wait_until_shown(page, FIRST, SEEN)
    page.evaluate("([path]) => void window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    context.unroute("**/python_stdlib.zip.packed")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator(SENTENCE)).to_contain_text("Python is starting")
    page.wait_for_function(ALIVE, timeout=STARTS)
    wait_until_shown(page, sentence(FIRST.with_value(W_Q, (0, 0), 4)), SEEN)


@pytest.fixture
def plain(browser: Browser, site: StaticSite) -> Iterator[BrowserContext]:
    """Open a context with a service worker, which may contact any host; record its requests."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    assert [url for url in asked if not url.startswith((site.url, "data:", "blob:"))] == []


def test_the_second_visit_needs_no_network(plain: BrowserContext, site: StaticSite) -> None:
    page = open_first_page(plain, site.url)
    page.wait_for_function("navigator.serviceWorker.controller", timeout=STARTS)
    page.close()
    site.stop()
    try:
        page = open_first_page(plain, site.url)
        type_token(page, "black", "white")
        expect_written(page, "<sos> le chat blanc est assis sur le tapis")
        open_view(page, "Train")
        page.get_by_role("button", name="Step", exact=True).click()
        expect(page.get_by_text("step 1 of 1,000", exact=True)).to_be_visible(timeout=STARTS)
        expect(page.get_by_role("region", name="Curves of the run")).to_be_visible()
        open_view(page, "Cost")  # its chart is drawn by Bokeh
        page.wait_for_function("[...(window.Bokeh?.index ?? [])].length >= 1", timeout=STARTS)
    finally:
        site.start()


def test_frames_of_one_page_share_one_python(plain: BrowserContext, site: StaticSite) -> None:
    """The two frames keep separate sessions."""
    page = plain.new_page()
    page.goto(f"{site.url}files.json")
    page.evaluate(
        """(url) => {
          for (const view of ["stages", "whole"]) {
            const frame = document.createElement("iframe");
            Object.assign(frame, {src: `${url}?embed&view=${view}`, width: 700, height: 500});
            document.body.append(frame);
          }
        }""",
        site.url,
    )
    page.wait_for_function("frames.length === 2")
    one, other = page.frames[1:]
    for frame in (one, other):
        frame.wait_for_function(ALIVE, timeout=STARTS)
    one.evaluate("([path]) => window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    one.wait_for_function("([p]) => window.tinkerformer.value(p, 0, 0) === 4", arg=[W_Q])
    assert other.evaluate("([p]) => window.tinkerformer.value(p, 0, 0)", [W_Q]) != 4
    assert page.workers == [], "each has started a Python of its own"


def test_two_tabs_share_one_python_and_outlive_its_end(new_context, site: StaticSite) -> None:
    context: BrowserContext = new_context(site.url)
    context.add_init_script(
        "window.SharedWorker = class extends SharedWorker {"
        "  constructor(...a) { super(...a); window.shared = this; } };"
        "window.own = 0;"
        "window.Worker = class extends Worker {"
        "  constructor(...a) { super(...a); window.own += 1; } }"
    )
    one, other = (open_first_page(context, site.url) for _ in range(2))
    assert [page.evaluate("own") for page in (one, other)] == [0, 0], "a tab has its own Python"
    one.evaluate("([path]) => window.tinkerformer.set(path, 0, 0, 4)", [W_Q])
    edited = sentence(FIRST.with_value(W_Q, (0, 0), 4))
    wait_until_shown(one, edited, SEEN)
    wait_until_shown(other, FIRST, SEEN)
    one.wait_for_function(IS_KEPT)
    # End Python as in the test above; then each tab starts its own Python.
    one.evaluate("window.shared.port.postMessage({text: '[]', buffers: [{}]})")
    for page, shown in ((one, edited), (other, FIRST)):
        page.wait_for_function("own === 1", timeout=STARTS)
        page.wait_for_function(ALIVE, timeout=STARTS)
        wait_until_shown(page, shown, SEEN)
