import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page

from tests.browser.conftest import ROOT, Server
from tests.browser.course import Allowing, Course

EXAMPLES = ROOT / "assets" / "course_pages"
ADDRESS = "https://tinkerformer.example.org/"  # the address in the examples
TEXT = {".html", ".py", ".rst", ".md", ".yml", ".qmd"}
REVEAL = ROOT / "node_modules" / "reveal.js"
STAGE = "encoder.0.self_attn"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Return the folder of the built examples."""
    with Course(folder=tmp_path_factory.mktemp("site")) as course:
        yield course


@pytest.fixture(scope="module")
def host(site: Course) -> Iterator[Server]:
    server = Allowing(site)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def example(site: Course, host: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Copy an example, with the address at which the page is served."""
    name = request.param
    for file in sorted((EXAMPLES / name).rglob("*")):
        if file.suffix in TEXT:
            copy = tmp_path / file.relative_to(EXAMPLES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            assert ADDRESS in text or file.name in NO_ADDRESS, file
            copy.write_text(text.replace(ADDRESS, host.url), encoding="utf-8")
    return tmp_path / name


NO_ADDRESS = {"_toc.yml", "myst.yml"}


def place(site: Course, built: Path) -> str:
    """Copy a built folder to the site, and return its address."""
    assert site.folder
    shutil.copytree(built, site.folder / built.parent.name / built.name, dirs_exist_ok=True)
    return f"{site.origin}/{built.parent.name}/{built.name}"


def need(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed; pip install -e '.[test]' brings it.")


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def opened(new_context, host: Server, site: Course):
    def opened(address: str) -> Page:
        page = new_context(host.url, site.origin).new_page()
        page.set_default_timeout(20_000)
        page.goto(address)
        return page

    return opened


def frames(page: Page, count: int = 1) -> list[Frame]:
    """Return the frames of the page, once their pages are ready."""
    page.wait_for_function(
        "(count) => document.querySelectorAll('iframe').length === count", arg=count
    )
    found = [frame for frame in page.frames if frame.parent_frame == page.main_frame]
    for element in page.locator("iframe").all():
        element.scroll_into_view_if_needed()
    for frame in found:
        frame.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    return found


def check_stage(page: Page) -> None:
    (frame,) = frames(page)
    assert [stage["id"] for stage in frame.evaluate("window.tinkerformer.stages()")] == [STAGE]


@pytest.mark.parametrize("example", ["plain"], indirect=True)
def test_a_plain_page_controls_the_model_by_its_own_slider(example, opened, site):
    page = opened(f"{place(site, example)}/index.html")
    model, matrix, stage = frames(page, 3)
    page.evaluate("scrollTo(0, 0)")  # browsers do not draw hidden frames
    assert matrix.evaluate("window.tinkerformer.paths().length") == 1
    assert len(stage.evaluate("window.tinkerformer.stages()")) == 1
    slider = page.get_by_label("A number of WQ")
    page.wait_for_function("document.querySelector('#now').value !== ''")
    slider.fill("2.5")
    cell = "'encoder.0.self_attn.head.0.W_q', 0, 1"
    model.wait_for_function(f"window.tinkerformer.value({cell}) === 2.5")
    page.wait_for_function("document.querySelector('#now').value === '2.50'")


@pytest.mark.parametrize("example", ["server_document"], indirect=True)
def test_a_page_made_by_bokeh_contains_the_frame(example, opened, site):
    script = example / "page.py"
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    (example / "index.html").write_text(made.stdout, encoding="utf-8")
    page = opened(f"{place(site, example)}/index.html")
    page.wait_for_selector("iframe")  # in the shadow tree of Bokeh's root
    frame = page.locator("iframe").element_handle().content_frame()
    frame.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    assert [s["id"] for s in frame.evaluate("window.tinkerformer.stages()")] == [STAGE]


@pytest.mark.parametrize("example", ["sphinx"], indirect=True)
def test_sphinx_builds_both_kinds_of_pages(example, opened, site):
    need("sphinx")
    need("myst_parser")
    run("sphinx", "-q", "-W", str(example), str(example / "out"))
    address = place(site, example / "out")
    check_stage(opened(f"{address}/index.html"))
    (frame,) = frames(opened(f"{address}/markdown.html"))
    weights = "encoder.0.self_attn.head.0.weights"
    assert frame.evaluate("window.tinkerformer.paths()") == [weights]


@pytest.mark.parametrize("example", ["mkdocs"], indirect=True)
def test_mkdocs_builds_the_page(example, opened, site):
    need("mkdocs")
    run("mkdocs", "build", "-q", "-f", str(example / "mkdocs.yml"), "-d", str(example / "out"))
    page = opened(f"{place(site, example / 'out')}/index.html")
    check_stage(page)


@pytest.mark.parametrize("example", ["slides"], indirect=True)
def test_a_slide_shows_the_model_within_its_height(example, opened, site):
    if not REVEAL.is_dir():
        pytest.skip("reveal.js is not installed; npm install brings it.")
    shutil.copytree(REVEAL, example / "node_modules" / "reveal.js")
    page = opened(f"{place(site, example)}/index.html")
    page.wait_for_function("window.Reveal?.isReady()")
    page.keyboard.press("ArrowRight")
    (frame,) = frames(page)
    assert frame.evaluate("innerHeight") == 620
    assert frame.evaluate("window.tinkerformer.paths().length") > 1


@pytest.mark.parametrize("example", ["lms"], indirect=True)
def test_a_platform_resizes_the_frame_by_its_own_message(example, opened, site):
    page = opened(f"{place(site, example)}/resize.html")
    check_stage(page)
    page.wait_for_function("document.querySelector('iframe').offsetHeight > 1000")
    line = re.compile(r"<iframe .*?</iframe>")
    texts = [(example / name).read_text("utf-8") for name in ("page.html", "resize.html")]
    assert line.findall(texts[0]) == line.findall(texts[1])


# These builders need tools that are in no registry, so only their output is opened.
RAW = {
    "jupyter_book": ("attention.md", r"```\{raw\} html\n(.*?)```"),
    "quarto": ("attention.qmd", r"```\{=html\}\n(.*?)```"),
    "mystmd": ("attention.md", r":::\{iframe\} (\S+)\n"),
}


@pytest.mark.parametrize("example", [*RAW], indirect=True)
def test_the_code_for_other_builders_works_on_a_plain_page(example, opened, site):
    file, pattern = RAW[example.name]
    (line,) = re.findall(pattern, (example / file).read_text("utf-8"), re.DOTALL)
    if example.name == "mystmd":
        line = f'<iframe src="{line}" width="100%"></iframe>'
    config = example / "_config.yml"
    scripts = re.findall(r"- (\S+\.js)", config.read_text("utf-8")) if config.is_file() else []
    head = "".join(f'<script src="{script}"></script>' for script in scripts)
    (example / "index.html").write_text(f"<!doctype html>{head}{line}", encoding="utf-8")
    check_stage(opened(f"{place(site, example)}/index.html"))


def test_every_example_is_documented_and_tried() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", (EXAMPLES / "README.md").read_text("utf-8"), re.M)
    folders = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
    assert sorted(listed) == folders
    tried = re.findall(r'parametrize\("example", \["(\w+)"\]', Path(__file__).read_text("utf-8"))
    assert sorted({*tried, *RAW}) == folders
