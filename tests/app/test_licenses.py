import io
import json
import re
import zipfile

import pytest
from tinkerformer.cli import main
from tinkerformer.site import build
from tinkerformer.site.licenses import LICENSES, parts
from tinkerformer.site.runtime_files import RuntimeFiles, public_runtime
from tinkerformer.site.to_bytecode import APP_ARCHIVE, CHARTS_ARCHIVE, packed

from tests.app.building import ROOT

pytestmark = pytest.mark.thorough

WHEEL = "numpy-9.9-wasm32.whl"
RUNTIME = RuntimeFiles(
    "runtime/",
    True,
    {
        "pyodide.js": b"export {}",
        "pyodide.asm.wasm": b"",
        "python_stdlib.zip": packed({"os.py": b""}),
        "pyodide-lock.json": json.dumps({"info": {"python": "3.99.1"}}).encode(),
        WHEEL: packed({"numpy/__init__.py": b"", "numpy.dist-info/LICENSE.txt": b"NumPy's text"}),
    },
    ("pyodide.js",),
)
# Generated files: the page, its modules, its first message, and the archives.
OURS = re.compile(
    r"(index\.html|service_worker\.js|embed/tinkerformer\.js|licenses\.txt|page\.js|worker\.js"
    r"|first\.json|card\.png|answer_\d+\.json|components/\w+\.js|shell/\w+\.(js|css)|(app|bokeh)\.zip\.packed)\Z"
)
OUR_MODULES = ("tinkerformer/", "transformer_math/")


@pytest.fixture(scope="module")
def archives():
    return build.app_archives()


@pytest.fixture(scope="module")
def files(archives):
    return build.site_files(RUNTIME, archives)


def of_others(names, is_ours):
    return [name for name in names if not is_ours(name)]


def in_folder(name):
    """Return the name of a file whose name contains a hash of its content."""
    first, _, rest = name.partition("/")
    return rest if re.fullmatch(r"[0-9a-f]{12}", first) else name


def test_every_file_is_generated_here_or_has_a_license(files):
    known = parts(RUNTIME)
    found = of_others(map(in_folder, files), OURS.match)
    assert {"bokeh.min.js", "katex/katex.min.js", f"runtime/{WHEEL}.packed"} <= {*found}
    assert [name for name in found if not any(part.has(name) for part in known)] == []


@pytest.mark.parametrize("name", [APP_ARCHIVE, CHARTS_ARCHIVE])
def test_every_module_in_an_archive_is_generated_here_or_has_a_license(archives, name):
    known = parts(RUNTIME)
    with zipfile.ZipFile(io.BytesIO(archives[name])) as archive:
        found = of_others(archive.namelist(), lambda each: each.startswith(OUR_MODULES))
    assert found
    assert [each for each in found if not any(part.has(each) for part in known)] == []


def test_every_part_is_in_the_file_with_its_text(files):
    told = files[LICENSES].decode()
    for part in parts(RUNTIME):
        assert f"{part.name} {part.version}: {part.license}" in told
        assert part.text.strip() in told
        assert len(part.text) > 10
    assert "Python 3.99.1: PSF-2.0" in told
    assert "NumPy's text" in told
    assert "Redistribution and use in source and binary forms" in told  # of Bokeh and of us
    assert "SIL OPEN FONT" in told or "MIT" in told


def test_every_named_part_is_in_the_site(archives, files):
    """The named files still exist."""
    there = [in_folder(name) for name in files]
    for data in archives.values():
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            there += archive.namelist()
    assert [part.name for part in parts(RUNTIME) if not any(map(part.has, there))] == []


def test_a_runtime_at_a_public_address_is_named_and_not_listed_as_a_part(archives):
    told = build.site_files(public_runtime(), archives)[LICENSES].decode()
    assert f"Python itself is fetched from {public_runtime().url}" in told
    assert "PSF-2.0" not in told


def test_the_command_lists_the_installed_dependencies_of_the_page(capsys):
    main(["licenses"])
    lines = capsys.readouterr().out.splitlines()
    assert "tinkerformer 1.0.0: BSD-3-Clause AND CC-BY-4.0" in lines
    names = {line.split()[0].lower() for line in lines}
    assert {"numpy", "panel", "bokeh", "param", "jinja2", "tornado", "pyyaml"} <= names
    assert not names & {"pytest", "hypothesis", "torch"}
    assert not [line for line in lines if "not said" in line]


def test_the_fonts_in_the_wheel_have_their_license():
    folder = ROOT / "app" / "shell" / "fonts"
    assert any(folder.glob("*.woff2"))
    assert "MIT License" in (folder / "LICENSE-KaTeX.txt").read_text(encoding="utf-8")
    folder = ROOT / "app" / "cards" / "fonts"
    assert any(folder.glob("*.woff"))
    assert "SIL Open Font License" in (folder / "LICENSE-NotoSans.txt").read_text(encoding="utf-8")
