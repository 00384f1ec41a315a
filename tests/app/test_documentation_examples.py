import contextlib
import html.parser
import io
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from tinkerformer.cli import command
from tinkerformer.cli.command import main
from tinkerformer.lessons.catalog import catalog
from tinkerformer.session.address import page_address
from tinkerformer.site.runtime_files import commands as commands_for
from tinkerformer.transport.runtime.limits import LIMITS

from tests import units
from tests.documentation import ROOT, SOURCES
from tests.math.stored import load

pytestmark = pytest.mark.thorough

FILES = sorted(f for f in SOURCES.rglob("*.md") if "_ext" not in f.parts)
READ = [ROOT / "README.md", *FILES]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The function that tries each kind of example; examples of other kinds would not be tried.
KINDS = {"python", "output", "sh", "html", "js", "markdown"}
NGINX = (units.FILES / "nginx.conf").read_text(encoding="utf-8")
PATIENCE = 60  # seconds for a server to answer
PORT = "PORT"  # in place of a free port
MADE = re.compile(r"<!-- made: .*?<!-- end of made -->", re.DOTALL)
ASSIGNED = re.compile(r"[A-Z_]+=")


class Example(NamedTuple):
    """A block of code, its place, and the output that it should print."""

    file: Path
    line: int
    kind: str
    text: str


def _as_lines(made: re.Match[str]) -> str:
    return "\n" * made[0].count("\n")


def examples(file: Path) -> list[Example]:
    """Return the text written by hand; the generated tables are tested elsewhere."""
    text = MADE.sub(_as_lines, file.read_text(encoding="utf-8"))
    found = []
    for match in re.finditer(r"^( *)(`{3,})([^\n`]*)\n(.*?)^\1\2 *$", text, re.M | re.S):
        line = text.count("\n", 0, match.start()) + 1
        found.append(Example(file, line, match[3].strip(), match[4]))
    return [each for each in found if not each.kind.startswith("{")]


EVERY = [each for file in READ for each in examples(file)]


def named(each: Example) -> str:
    return f"{each.file.relative_to(ROOT)}:{each.line}"


def of_kind(kind: str) -> list[Example]:
    found = [each for each in EVERY if each.kind == kind]
    assert found, kind
    return found


def test_every_example_has_a_kind_that_is_tried() -> None:
    assert {each.kind for each in EVERY} == KINDS


# -- programs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file",
    [f for f in READ if any(e.kind == "python" for e in examples(f))],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_the_programs_of_a_page_print_the_text_below_them(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the blocks in order, each with the names of the blocks before. ``…`` matches any text."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed: str | None = None
    for each in examples(file):
        if each.kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(each.text, named(each), "exec"), names)
            printed = out.getvalue()
        elif each.kind == "output":
            assert printed is not None, named(each)
            wanted = ".*".join(map(re.escape, each.text.split("…")))
            assert re.fullmatch(wanted, printed), f"{named(each)}: {printed}"
            printed = None


# -- commands -------------------------------------------------------------------------------------


def commands() -> list[pytest.param]:
    return [
        pytest.param(line, id=f"{named(each)} {line[:40]}")
        for each in of_kind("sh")
        for line in each.text.splitlines()
        if line.strip()
    ]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with the files that the commands name."""
    lessons = tmp_path / "my_lessons"
    lessons.mkdir()
    shutil.copy(ROOT / "assets" / "lessons" / "03-attention.md", lessons / "my-lesson.md")
    for name in ("my_model.safetensors", "phrases.safetensors"):
        shutil.copy(ROOT / "assets" / "dates.safetensors", tmp_path / name)
    for name in ("my_model.pt", "mine.pt"):
        (tmp_path / name).write_bytes(load("family_annotated").arrays["file/model.pt"].tobytes())
    words = "\n".join(f"{a} {b},{b} {a}" for a in "abc" for b in "abc")
    (tmp_path / "my.csv").write_text(f"source,target\n{words}\n", encoding="utf-8")
    for name in [name for name in os.environ if name.startswith("TINKERFORMER_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", commands())
def test_a_command_in_the_documentation_works(
    line: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in line.split(" && "):
        words = shlex.split(re.sub(r"\$\(([^)]+)\)", said_by, part), comments=True)
        given = dict(word.split("=", 1) for word in itertools.takewhile(ASSIGNED.match, words))
        first, *rest = words[len(given) :]
        assert Path(first).name in TRIED, f"Nothing tries {part}."
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        TRIED[Path(first).name](rest, place)


def said_by(match: re.Match[str]) -> str:
    """Run the command inside ``$(…)`` and return its output."""
    first, *rest = match[1].split()
    return subprocess.run(
        [sys.executable, "-m", Path(first).name, *rest], capture_output=True, text=True, check=True
    ).stdout.strip()


def try_own(rest: list[str], _: Path) -> None:
    """Parse and run commands of the package; start each server once."""
    options = command._parser().parse_args(rest)
    does = options.run.__module__.rpartition(".")[2]
    if does == "serve":
        answered(["tinkerformer", *rest, "--no-show", "--port", PORT])
    elif does == "train":
        main([*rest, "--steps", "2", "--warmup", "1"])
        assert options.out.is_file()
    elif getattr(options, "runtime", None):  # it is not installed; test_site builds with a runtime
        assert str(options.runtime) in commands_for(options.runtime)
    else:
        main(rest)


def answered(arguments: list[str], path: str = "main") -> None:
    """Check that a server starts, answers and stops."""
    [port] = units.free_ports(1)
    process = subprocess.Popen(
        [sys.executable, "-m", *(str(port) if each is PORT else each for each in arguments)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/{path}", timeout=30) as page:
                    assert page.status == 200
                    return
            except OSError:
                assert process.poll() is None, process.stderr and process.stderr.read().decode()
                time.sleep(0.2)
        raise AssertionError("It did not answer.")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)
        if process.stderr:
            process.stderr.close()


def try_pip(rest: list[str], _: Path) -> None:
    """Check that a command builds this project or installs its extras; CI runs both."""
    if rest[0] == "wheel":
        assert rest[1:] == ["--no-deps", "."]
        return
    assert rest[0] == "install"
    wanted = [each for each in rest[1:] if not each.startswith("-")]
    for each in wanted:
        found = re.fullmatch(r"(?:\.|tinkerformer)(?:\[([\w,-]+)\])?", each)
        assert found, each
        for extra in (found[1] or "").split(","):
            assert not extra or extra in PROJECT["optional-dependencies"], extra


def try_python(rest: list[str], place: Path) -> None:
    if rest[0].endswith("convert.py"):
        converted(rest, place)
        return
    module = rest[rest.index("-m") + 1]
    if module == "http.server":
        folder = place / rest[rest.index("--directory") + 1]
        folder.mkdir(parents=True)
        (folder / "index.html").write_text("there", encoding="utf-8")
        assert rest[-1].isdecimal()
        answered([*rest[1:-1], PORT], "index.html")
    elif module == "sphinx":  # test_documentation builds it
        told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        assert f"python {' '.join(rest)} " in told
    elif module == "tests.benchmarks":  # its groups take minutes, so only their names are checked
        helped = subprocess.run(
            [sys.executable, "-m", module, "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert all(word in helped.stdout for word in rest[rest.index(module) + 1 :])
    else:
        assert module == "venv"


def try_panel(rest: list[str], _: Path) -> None:
    assert rest[0] == "serve"
    app = str(ROOT / rest[1])
    others = [each for each in rest[2:] if each != "--show"]
    answered(["panel", "serve", app, *others, "--port", PORT])


def converted(rest: list[str], place: Path) -> None:
    """The example script converts an app, which then installs whole wheels in the browser."""
    script, app, out, wheel = rest
    (place / wheel).touch()
    command = [sys.executable, str(ROOT / script), str(ROOT / app), out, wheel]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    worker = (place / out / f"{Path(app).stem}.js").read_text(encoding="utf-8")
    (line,) = re.findall(r"micropip\.install\(\[(.*?)\]\)", worker)
    installed = [each.strip(" '") for each in line.split(",")]
    whole = {f"{name}=={version(name)}" for name in ("bokeh", "panel")}
    assert whole < {*installed}
    assert f"emfs:packed_wheels/{wheel}" in installed


def try_as_root(rest: list[str], place: Path) -> None:
    TRIED[Path(rest[0]).name](rest[1:], place)


def try_install(rest: list[str], place: Path) -> None:
    """Copy a file of the project to its destination, below a folder of the test."""
    *options, source, target = rest
    below = place / target.lstrip("/")
    if "-D" not in options:  # the folders on a machine with nginx and systemd
        (below if target.endswith("system") else below.parent).mkdir(parents=True)
    subprocess.run(["install", *options, str(ROOT / source), str(below)], check=True)
    file = below / Path(source).name if below.is_dir() else below
    assert file.read_bytes() == (ROOT / source).read_bytes()
    if target.startswith("/etc/tinkerformer"):  # the file with the key
        assert file.stat().st_mode & 0o077 == 0
        assert units.unit()["EnvironmentFile"] == target
    elif target.startswith("/var/www"):
        assert f"root {Path(target).parent};" in NGINX


def try_echo(rest: list[str], _: Path) -> None:
    """The key is written into the file that the units read."""
    text, *others = rest
    assert re.fullmatch(r"BOKEH_SECRET_KEY=\w{32,}", text)
    assert others == ["|", "sudo", "tee", "-a", units.unit()["EnvironmentFile"]]


def try_systemctl(rest: list[str], _: Path) -> None:
    if rest[0] == "enable":
        begin, end = map(int, re.fullmatch(r"tinkerformer@\{(\d+)\.\.(\d+)\}", rest[-1]).groups())
        named = re.findall(r"^  server 127\.0\.0\.1:(\d+) ", NGINX, re.MULTILINE)
        assert [*map(int, named)] == [*range(begin, end + 1)]
    else:
        assert rest == ["reload", "nginx"]


def try_fetching(rest: list[str], _: Path) -> None:
    """The commands that `tinkerformer build` prints fetch the runtime of a site."""
    assert shlex.join(rest) in commands_for(Path("runtime"))


def try_nginx(rest: list[str], _: Path) -> None:
    assert rest == ["-t"]  # test_hosting checks the file


def try_docker(rest: list[str], _: Path) -> None:
    """This machine has no container engine: check that the named files exist."""
    if rest[0] == "build":
        assert (ROOT / rest[rest.index("-f") + 1]).is_file()
        assert rest[-1] == "."
    else:
        assert rest[rest.index("-p") + 1].endswith(":5006")
        variable, _, value = rest[rest.index("-e") + 1].partition("=")
        assert value.isdecimal()
        assert variable in {limit.variable for limit in LIMITS}


def try_kubectl(rest: list[str], _: Path) -> None:
    """This machine has no cluster: check that the named files exist."""
    text = (units.FILES / "kubernetes.yaml").read_text(encoding="utf-8")
    if rest[0] == "apply":
        assert (ROOT / rest[-1]).read_text(encoding="utf-8") == text
    else:
        assert f"secretRef: {{name: {rest[3]}}}" in text
        assert re.fullmatch(r"--from-literal=BOKEH_SECRET_KEY=\w{32,}", rest[-1])


def try_pytest(rest: list[str], _: Path) -> None:
    assert rest == []


TRIED = {
    "tinkerformer": try_own,
    "pip": try_pip,
    "python": try_python,
    "python3": try_python,
    "panel": try_panel,
    "pytest": try_pytest,
    "sudo": try_as_root,
    "install": try_install,
    "echo": try_echo,
    "systemctl": try_systemctl,
    "nginx": try_nginx,
    **dict.fromkeys(("mkdir", "npm", "tar", "curl"), try_fetching),
    "docker": try_docker,
    "kubectl": try_kubectl,
}


# -- other people's pages -------------------------------------------------------------------------


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


@pytest.mark.parametrize("each", of_kind("html"), ids=named)
def test_the_markup_for_course_pages_names_existing_views(each: Example) -> None:
    parser = Tags()
    parser.feed(each.text)
    frames = [given for tag, given in parser.tags if tag in ("iframe", "tinker-former")]
    assert frames
    for given in frames:
        query = urlsplit(given["src"]).query or f"embed&view={given.get('view', '')}"
        asked = page_address(query)
        assert asked.problems == ()
        assert asked.view or asked.lesson in catalog().lessons
        assert asked.parts is not None


@pytest.mark.parametrize("each", of_kind("js"), ids=named)
def test_a_script_calls_only_existing_functions(each: Example) -> None:
    """The browser runs it in `tests/browser/test_documentation.py`."""
    script = (ROOT / "assets" / "embed" / "tinkerformer.js").read_text(encoding="utf-8")
    for name in re.findall(r"\bmodel\.(\w+)\(", each.text):
        assert re.search(rf'"{name}"|\b{name}\(', script), name


def test_the_documented_environment_variables_are_the_ones_that_the_code_reads() -> None:
    page = (SOURCES / "reference" / "environment.md").read_text(encoding="utf-8")
    read = {
        name
        for file in (ROOT / "app").rglob("*.py")
        for name in re.findall(r'"(TINKERFORMER_\w+)"', file.read_text(encoding="utf-8"))
    }
    told = {*re.findall(r"`(TINKERFORMER_\w+)`", page), *(limit.variable for limit in LIMITS)}
    assert told == read
