import ast
import codecs
import errno
import gzip
import hashlib
import html.parser
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tinkerformer.cli import main
from tinkerformer.learning.draft import ENCODINGS
from tinkerformer.site import build, bytecode, index, runtime_files, to_bytecode
from tinkerformer.site.archive import sent
from tinkerformer.site.bokeh_modules import bokeh_modules
from tinkerformer.site.late_imports import LateImports
from tinkerformer.site.runtime_files import RuntimeFiles, own_runtime
from tinkerformer.site.slimming import is_left_out, slim_library
from tinkerformer.site.to_bytecode import packed
from tinkerformer.transport.port.catalog import component_classes

from transformer_math.checkpoints import whole_file

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
WHEEL = runtime_files.NUMPY
OWN = RuntimeFiles("runtime/", True, {"pyodide.js": b"export {}"}, ("pyodide.js",))


@pytest.fixture(scope="module")
def archives() -> dict[str, bytes]:
    """Return the archives of the app's modules, as sources."""
    return build.app_archives()


@pytest.fixture(scope="module")
def files(archives) -> dict[str, bytes]:
    """Return the files of a site with a fake runtime."""
    return build.site_files(OWN, archives)


@pytest.fixture(scope="module")
def folder(files) -> str:
    """Return the folder of all files except the page and the service worker."""
    [found] = {name.split("/")[0] for name in files if name.endswith("/page.js")}
    return found


class Links(html.parser.HTMLParser):
    """Return the addresses of all files that an HTML page loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.regions: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("script", "link", "img"):
            self.found += [given[name] for name in ("src", "href") if given.get(name)]
        if "data-region" in given:
            self.regions.append(given["data-region"])


def said_of(kind, text):
    """Return the value of an entry of a message."""
    return next(entry[2] for entry in json.loads(text) if entry[0] == kind)


def test_the_site_has_every_file_that_the_page_loads(files, folder):
    links = Links(files["index.html"].decode())
    ours = [link for link in links.found if not link.startswith(("data:", "#"))]
    assert len(ours) > 8
    for link in ours:
        assert link.removeprefix("./") in files, link
    assert f"./{folder}/page.js" in ours
    rules = files[f"{folder}/katex/katex.min.css"].decode()
    fonts = re.findall(r'url\("([^"]+)"\)', rules)
    assert len(fonts) == rules.count("@font-face") > 5
    assert all(f"{folder}/katex/{font}" in files for font in fonts)
    said = json.loads(files[f"{folder}/first.json"])["said"]
    regions = said_of("place", said[0]["text"])
    assert sorted(links.regions) == sorted(regions)


def test_the_service_worker_caches_every_file_and_nothing_is_loaded_from_elsewhere(files, folder):
    links = Links(files["index.html"].decode())
    assert not [link for link in links.found if re.match(r"(https?:)?//", link)]
    kept = json.loads(re.search(r"SITE = (\{.*\});", files["service_worker.js"].decode())[1])
    assert not [file for file in kept["files"] if "//" in file]
    assert {file.removeprefix("./") for file in kept["files"]} == {
        "",
        *(name for name in files if name.startswith(f"{folder}/")),
    }


def test_a_public_runtime_is_cached_too_and_has_its_version_in_its_address():
    runtime = runtime_files.public_runtime()
    assert f"v{runtime_files.VERSION}/" in runtime.url
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert package["devDependencies"]["pyodide"] == runtime_files.VERSION
    assert {"pyodide.mjs", "pyodide.asm.wasm", runtime_files.NUMPY} <= set(runtime.fetched)


def test_every_component_is_a_module_with_its_styles(files, folder):
    for name, cls in component_classes().items():
        text = files[f"{folder}/components/{name}.js"].decode()
        assert re.search(r"^export \{[^}]*\brender\b", text, re.MULTILINE), name
        assert f"export const styles = {json.dumps(cls._stylesheets)};" in text
        assert f'"{name}": "components/{name}.js"' in files[f"{folder}/page.js"].decode()


def test_the_folder_has_another_name_if_any_of_its_files_differs(files, folder, archives):
    other = build.site_files(OWN._replace(files={"pyodide.js": b"export { }"}), archives)
    assert not any(name.startswith(f"{folder}/") for name in other)
    again = {name: data for name, data in files.items() if name.startswith(folder)}
    assert build._version({n.removeprefix(f"{folder}/"): d for n, d in again.items()}) == folder


# As in the browser: only these archives and NumPy.
IN_BROWSER = """
import sys
class Without:
    def __init__(self, finder): self.finder = finder
    def find_spec(self, name, *more):
        top, found = name.partition(".")[0], self.finder.find_spec(name, *more)
        there = top in sys.stdlib_module_names or top == "numpy"
        places = [found.origin, *(found.submodule_search_locations or ())] if found else []
        inside = any(str(place).startswith(sys.argv[1]) for place in places)
        return found if there or inside else None
    def find_distributions(self, *more):
        return getattr(self.finder, "find_distributions", lambda *_: iter(()))(*more)
is_ours = lambda finder: "editable" in f"{finder} {type(finder)}".lower()
sys.meta_path[:] = [Without(finder) for finder in sys.meta_path if not is_ours(finder)]
sys.path.insert(0, sys.argv[1])
import json, asyncio, tinkerformer, param
for module in tinkerformer, param:
    assert module.__file__.startswith(sys.argv[1]), module.__file__
from tinkerformer.site import late_imports
unpacked = []
class Fetched:
    def to_bytes(self):
        unpacked.append(1)
        return open(sys.argv[2], "rb").read()
late_imports.install(["bokeh", "jinja2", "markupsafe", "yaml"], Fetched, sys.argv[1])
from tinkerformer.transport.port import PortPage
from tinkerformer.shell.page import create_page
async def run():
    said = []
    port = PortPage(lambda text, buffers: said.append(text))
    page = create_page(port.session)
    port.place(page.regions)
    number = port.number_of(page.regions["main"][0])
    port.receive(json.dumps(["message", number, {"type": "ready", "link": None, "saved": None, "again": False}]))
    assert any('"manifest"' in text for text in said)
    assert not unpacked and "bokeh" not in sys.modules
    port.receive(json.dumps(["set", port.number_of(page.regions["forms"][0]), {"value": "idea:positions"}]))
    assert any('"charts"' in text for text in said), said[-1][:300]
    assert unpacked and sys.modules["bokeh"].__file__.startswith(sys.argv[1])
asyncio.run(run())
print("done")
"""  # noqa: E501 -- a program


def test_the_archives_contain_all_modules_that_a_page_needs(files, folder, tmp_path):
    archive, later = tmp_path / "unpacked", tmp_path / "bokeh.zip.packed"
    app = gzip.decompress(files[f"{folder}/app.zip.packed"])
    zipfile.ZipFile(io.BytesIO(app)).extractall(archive)
    later.write_bytes(files[f"{folder}/{later.name}"])
    command = [sys.executable, "-W", "ignore", "-c", IN_BROWSER, str(archive), str(later)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "done", done.stderr


def test_the_first_message_contains_the_page_and_its_numbers(files, folder):
    place, ready = json.loads(files[f"{folder}/first.json"])["said"]
    assert said_of("place", place["text"])
    kinds = {content["type"] for kind, _, content in json.loads(ready["text"]) if kind == "message"}
    assert {"manifest", "frame"} <= kinds
    assert ready["buffers"]


def test_the_first_actions_are_answered_before_python_has_started(files, folder):
    first = json.loads(files[f"{folder}/first.json"])
    regions = said_of("place", first["said"][0]["text"])
    [guide], [film] = regions["guide"], regions["film"]
    names = {(guide["number"], "press"): "name", (film["number"], "scene"): "scene"}
    answered = {}
    for text, file in first["answers"].items():
        kind, number, content = json.loads(text)
        assert kind == "message"
        said = [
            x
            for packet in json.loads(files[f"{folder}/{file}"])
            for x in json.loads(packet["text"])
        ]
        of = content[names[number, content["type"]]]
        answered[of] = {x["type"] for kind, _, x in said if kind == "message"}
    acting = {k for k, scene in enumerate(film["properties"]["value"]) if scene["acts"]}
    assert set(answered) == {name for name, _ in guide["properties"]["things"]} | acting
    assert all("orbit" in answered[k] for k in ("swing", *acting))
    assert "frame" in answered["swap"]


# -- the runtime -----------------------------------------------------------------------------------


@pytest.fixture
def runtime(tmp_path) -> Path:
    """Return a folder with the files of npm's pyodide and a wheel beside them."""
    found = tmp_path / "runtime"
    found.mkdir()
    with zipfile.ZipFile(found / WHEEL, "w") as wheel:
        for name in (
            "numpy/__init__.py",
            "numpy/tests/test_x.py",
            "numpy/f2py/a.py",
            "numpy/a.pyi",
        ):
            wheel.writestr(name, name)
    sha = hashlib.sha256((found / WHEEL).read_bytes()).hexdigest()
    numpy = {"name": "numpy", "file_name": WHEEL, "sha256": sha, "depends": []}
    lock = {"info": {"python": "3"}, "packages": {"numpy": numpy, "other": {}}}
    (found / "pyodide-lock.json").write_text(json.dumps(lock))
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        (found / name).write_bytes(name.encode() * 100)
    (found / "python_stdlib.zip").write_bytes(packed({"json/__init__.py": b""}))
    return found


def test_a_runtime_is_packed_and_its_wheel_slimmed(runtime):
    found = own_runtime(runtime)
    files = sent(found.files)
    wheel = gzip.decompress(files[f"{WHEEL}.packed"])
    lock = json.loads(files["pyodide-lock.json"])
    assert set(lock["packages"]) == {"numpy"}
    assert lock["packages"]["numpy"]["sha256"] == hashlib.sha256(wheel).hexdigest()
    names = zipfile.ZipFile(io.BytesIO(wheel)).namelist()
    assert names == ["numpy/__init__.py"]
    assert len(files["pyodide.asm.wasm.packed"]) < (runtime / "pyodide.asm.wasm").stat().st_size
    assert not [name for name in files if name.endswith((".mjs", ".gz", ".zip", ".whl"))]
    assert {f"{name}.packed" for name in found.early} <= set(files)


def imported(source: bytes) -> set[str]:
    """Return the modules that a source may import, at any place in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_no_module_of_the_site_imports_a_removed_module_of_the_library(archives):
    for archive in archives.values():
        with zipfile.ZipFile(io.BytesIO(archive)) as given:
            for name in given.namelist():
                if name.endswith(".py"):
                    assert not [*filter(is_left_out, imported(given.read(name)))], name


def test_an_environment_behind_a_link_has_the_same_files_for_charts(
    archives, tmp_path, monkeypatch
):
    (tmp_path / "link").symlink_to(sys.prefix)
    python = tmp_path / "link" / Path(sys.executable).relative_to(sys.prefix)
    monkeypatch.setattr(sys, "executable", str(python))
    with zipfile.ZipFile(io.BytesIO(archives[build.CHARTS_ARCHIVE])) as given:
        assert {*bokeh_modules()} == {*given.namelist()}


def test_the_library_contains_the_modules_that_pages_need(runtime):
    modules = ("json/__init__", "xml/sax/saxutils", "pdb", "encodings/utf_8", "encodings/big5")
    (runtime / "python_stdlib.zip").write_bytes(packed({f"{name}.py": b"" for name in modules}))
    library = own_runtime(runtime).files["python_stdlib.zip"]
    kept = zipfile.ZipFile(io.BytesIO(library)).namelist()
    assert sorted(kept) == ["encodings/utf_8.py", "json/__init__.py"]
    assert is_left_out("xml.sax")
    assert is_left_out("multiprocessing")
    assert not is_left_out("asyncio")
    assert not is_left_out("encodings")


def test_the_library_contains_every_encoding_of_own_data():
    named = [name for name, _ in ENCODINGS]
    codecs_used = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", *named]
    names = [codecs.lookup(codec).name.replace("-", "_") for codec in codecs_used]
    files = {f"encodings/{name}.py": b"" for name in names}
    kept = zipfile.ZipFile(io.BytesIO(slim_library(packed(files)))).namelist()
    assert sorted(kept) == sorted(files)


def test_an_incomplete_runtime_is_refused(runtime):
    fetched_by = f"These two commands fetch the runtime:\n{runtime_files.commands(runtime)}"
    (runtime / WHEEL).write_bytes(b"another")
    with pytest.raises(ValueError, match=f"another {WHEEL} than .*") as refused:
        own_runtime(runtime)
    assert str(refused.value).endswith(fetched_by)
    (runtime / "python_stdlib.zip").unlink()
    with pytest.raises(ValueError, match=r"has no python_stdlib\.zip") as refused:
        own_runtime(runtime)
    assert str(refused.value).endswith(fetched_by)


def test_a_runtime_of_another_release_is_refused(runtime):
    lock = runtime / "pyodide-lock.json"
    lock.write_text(lock.read_text().replace("numpy-2.4.3", "numpy-2.5.0"))
    with pytest.raises(
        ValueError, match=f"another release of Pyodide than {runtime_files.VERSION}"
    ):
        own_runtime(runtime)


def test_the_guide_lists_the_commands_that_fetch_the_runtime():
    guide = Path(__file__).parents[2] / "assets/docs/teachers/static_site.md"
    assert runtime_files.commands(Path("runtime")) in guide.read_text(encoding="utf-8")


# -- bytecode --------------------------------------------------------------------------------------


def test_bytecode_does_the_same_as_its_source(tmp_path):
    archive = packed({"a/__init__.py": b"def f():\n    'doc'\n    return 3\n", "a/b.txt": b"text"})
    made = to_bytecode.compiled(archive)
    assert to_bytecode.compiled(archive) == made
    zipfile.ZipFile(io.BytesIO(made)).extractall(tmp_path)
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["__init__.pyc", "b.txt"]
    program = "import a; print(a.f(), a.f.__doc__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=tmp_path)
    assert done.stdout.decode().split() == ["3", "None"]


def test_only_the_requested_modules_are_compiled():
    archive = packed({"a.py": b"1", "b.py": b"2"})
    made = to_bytecode.compiled(archive, wanted={"b.py"}.__contains__)
    assert zipfile.ZipFile(io.BytesIO(made)).namelist() == ["a.py", "b.pyc"]


FAULTY = b"""x: int = 1

class C:
    field: str

async def early(a: int) -> int:
    return a

def outer(a: int, *rest: str, b: float = 2.0) -> float:
    def fault(c: int) -> float:
        many = [c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c]

        raise ValueError(many)

    return fault(a)
"""
ASK_FAULTY = """import traceback, faulty
try:
    faulty.outer(1)
except ValueError as error:
    for frame in traceback.extract_tb(error.__traceback__)[1:]:
        print(frame.filename, frame.name, frame.lineno)
print(faulty.outer.__annotations__, faulty.C.__annotations__, faulty.__annotations__)
"""


@pytest.mark.parametrize("typed", [True, False])
def test_bytecode_names_the_function_of_an_error_and_its_first_line(tmp_path, typed):
    made = to_bytecode.compiled(packed({"faulty.py": FAULTY}), typed=typed)
    zipfile.ZipFile(io.BytesIO(made)).extractall(tmp_path)
    command = [sys.executable, "-c", ASK_FAULTY]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    first, second, said = done.stdout.splitlines()
    assert (first, second) == ("faulty.py outer 9", "faulty.py fault 10")
    kept = "'field': <class 'str'>"
    assert kept in said
    assert ("'b': <class 'float'>" in said) == typed


def test_modules_that_are_not_imported_at_start_are_in_a_second_archive():
    archives = {
        "python_stdlib.zip": packed({f"{name}.py": b"" for name in ("a", "b", "d", "encodings/c")}),
        "app.zip": packed(
            {"p/__init__.py": b"", "p/q.py": b"", "p/o/__init__.py": b"", "p/o/data.json": b""}
        ),
        "numpy-1.whl": packed(
            {
                "n/__init__.py": b"",
                "n/r.cpython-1.so": b"",
                "n/s/__init__.py": b"",
                "n/s/data/README": b"",
                "numpy-1.dist-info/METADATA": b"",
            }
        ),
        "bokeh.zip": packed({"bokeh/__init__.py": b""}),
    }
    made = to_bytecode.split_by_use(archives, {"a", "p", "n"}, {"d", "n.s"})
    names = {name: zipfile.ZipFile(io.BytesIO(data)).namelist() for name, data in made.items()}
    assert names == {
        "python_stdlib.zip": ["a.py", "encodings/c.py"],
        "app.zip": ["p/__init__.py", "p/o/__init__.py", "p/o/data.json"],
        "numpy-1.whl": ["n/__init__.py", "numpy-1.dist-info/METADATA"],
        "bokeh.zip": ["bokeh/__init__.py", "d.py", "n/s/__init__.py", "n/s/data/README"],
        "rest.zip": ["b.py", "n/r.cpython-1.so", "p/q.py"],
    }
    assert [*map(to_bytecode.module_name, names["rest.zip"])] == ["b", "n.r", "p.q"]


LATE = """
import io, sys, zipfile, gzip
from tinkerformer.site import late_imports
sys.path[:0] = [sys.argv[1]]
fetched = []
class Fetched:
    def to_bytes(self):
        fetched.append(1)
        return open(sys.argv[2], "rb").read()
late_imports.install(["there.late", "late_alone"], Fetched, sys.argv[3])
import there.early
assert not fetched
import there.late, late_alone
assert fetched == [1]
assert there.late.__file__.startswith(sys.argv[3]), there.late.__file__
print(there.early.x, there.late.x, late_alone.x)
"""


def test_a_module_can_be_imported_late_into_a_package_in_another_folder(tmp_path):
    there = tmp_path / "first" / "there"
    there.mkdir(parents=True)
    (there / "__init__.py").touch()
    (there / "early.py").write_text("x = 1")
    (tmp_path / "folder").mkdir()
    rest = packed(
        {"there/late.py": b"from .early import x as y; x = y + 1", "late_alone.py": b"x=3"}
    )
    (tmp_path / "rest.packed").write_bytes(gzip.compress(rest))
    where = [str(tmp_path / name) for name in ("first", "rest.packed", "folder")]
    command = [sys.executable, "-W", "error", "-c", LATE, *where]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == ["1", "2", "3"], done.stderr


def test_without_node_the_modules_stay_sources_and_a_sentence_says_so(
    runtime, quick, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(bytecode.shutil, "which", lambda _name: None)
    main(["build", str(tmp_path / "site"), "--runtime", str(runtime)])
    assert "there is no Node.js" in capsys.readouterr().out
    assert (tmp_path / "site" / "index.html").exists()


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js")
def test_a_runtime_that_does_not_run_leaves_the_modules_sources(runtime):
    with pytest.raises(bytecode.NoBytecode, match=r"failed in Node\.js: \w*Error"):
        bytecode.as_bytecode(runtime, {"app.zip": packed({})})


# -- writing a site --------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """Make a site of two files."""
    content = {"index.html": b"<p>one", "v1/page.js": b"1"}
    monkeypatch.setattr(build, "app_archives", dict)
    monkeypatch.setattr(build, "site_files", lambda *_: content)
    return content


def test_a_folder_that_is_not_empty_is_refused_without_an_option(quick, tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SystemExit, match="is not empty"):
        main(["build", str(tmp_path)])
    assert not (tmp_path / "index.html").exists()
    main(["build", str(tmp_path), "--force"])
    assert (tmp_path / "index.html").read_bytes() == b"<p>one"
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    assert "2 files" in capsys.readouterr().out
    file = tmp_path / "thesis.txt"
    with pytest.raises(SystemExit, match="is not empty"):
        main(["build", str(file)])


def test_only_files_of_an_earlier_build_are_removed(quick, tmp_path):
    build.build(tmp_path / "site")
    (tmp_path / "site" / "v1" / "mine.txt").write_text("mine")
    (tmp_path / "outside.txt").write_text("mine")
    listed = json.loads((tmp_path / "site" / build.LIST).read_text())
    (tmp_path / "site" / build.LIST).write_text(json.dumps([*listed, "../outside.txt"]))
    quick["v2/page.js"] = quick.pop("v1/page.js")
    build.build(tmp_path / "site", force=True)
    assert (tmp_path / "site" / "v2" / "page.js").exists()
    assert not (tmp_path / "site" / "v1" / "page.js").exists()
    assert (tmp_path / "site" / "v1" / "mine.txt").exists()
    assert (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("name", ["v2/page.js", "index.html"])
def test_a_full_disk_keeps_the_earlier_build(quick, tmp_path, monkeypatch, name):
    build.build(tmp_path)
    before = contents(tmp_path)
    quick.update({"index.html": b"<p>two", "v2/page.js": b"2"})
    del quick["v1/page.js"]
    written = whole_file._write

    def full(path, data):
        if path.name.startswith(f"{Path(name).name}."):
            raise OSError(errno.ENOSPC, "No space left on device")
        written(path, data)

    monkeypatch.setattr(whole_file, "_write", full)
    with pytest.raises(SystemExit, match=r"could not be written: No space left on device\. What"):
        main(["build", str(tmp_path), "--force"])
    assert contents(tmp_path) == before
    monkeypatch.undo()
    monkeypatch.setattr(build, "app_archives", dict)
    monkeypatch.setattr(build, "site_files", lambda *_: quick)
    main(["build", str(tmp_path), "--force"])
    assert (tmp_path / "v2" / "page.js").exists()
    assert not (tmp_path / "v1").exists()


def contents(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_parents_that_may_control_the_page_are_named_in_it(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(build, "site_files", lambda *given: asked.append(given[2]) or {})
    monkeypatch.setattr(build, "app_archives", dict)
    main(["build", str(tmp_path / "a"), "--allow-parent", "https://Course.example.org:443/"])
    assert asked == [["https://course.example.org"]]
    assert "https://course.example.org" in index.index("./v/", [], "first.json", asked[0])
    with pytest.raises(SystemExit, match="is not an origin"):
        main(["build", str(tmp_path / "b"), "--allow-parent", "course"])


def test_the_page_names_its_picture_for_links_in_chats(files, tmp_path, monkeypatch):
    assert files["card.png"].startswith(b"\x89PNG")
    assert 'property="og:image" content="card.png"' in files["index.html"].decode()
    asked = []
    monkeypatch.setattr(build, "site_files", lambda *given: asked.append(given[3]) or {})
    monkeypatch.setattr(build, "app_archives", dict)
    main(["build", str(tmp_path / "a"), "--site-address", "https://example.org/tf"])
    assert asked == ["https://example.org/tf/"]
    page = index.index("./v/", [], "first.json", (), asked[0])
    assert 'property="og:image" content="https://example.org/tf/card.png"' in page
    assert 'property="og:url" content="https://example.org/tf/"' in page
    with pytest.raises(SystemExit):
        main(["build", str(tmp_path / "b"), "--site-address", "example.org"])


def test_a_missing_runtime_is_an_error_with_the_commands(tmp_path):
    with pytest.raises(SystemExit, match=r"has no pyodide\.mjs"):
        main(["build", str(tmp_path / "site"), "--runtime", str(tmp_path)])
    assert not (tmp_path / "site").exists()


# -- in the worker ---------------------------------------------------------------------------------


def test_an_archive_is_unpacked_at_the_first_import_and_again_after_an_error(tmp_path, monkeypatch):
    calls = []

    def unpack() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("no network")
        (tmp_path / "late_package.py").write_text("x = 3")

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        sys, "meta_path", [*sys.meta_path, LateImports(["late_package"], unpack, str(tmp_path))]
    )
    with pytest.raises(ModuleNotFoundError):
        __import__("another_package")
    assert not calls
    with pytest.raises(OSError, match="no network"):
        __import__("late_package")
    assert __import__("late_package").x == 3
    assert len(calls) == 2
    del sys.modules["late_package"]
