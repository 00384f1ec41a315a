import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tinkerformer.components.esm import ModuleError, esm

RENDER = "export function render() {}\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(**files: str) -> Path:
        """Return files by name, with __ for a slash; the first is the entry."""
        paths = []
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        return paths[0]

    return write


def answer(module: str, folder: Path) -> str:
    """Return the result of the joined module's ``render``, run by Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    file = folder / "joined.mjs"
    file.write_text(module + "\nconsole.log(render());\n", encoding="utf-8")
    return subprocess.run(
        [node, file], capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()


def test_an_imported_module_is_included_once_and_before_its_importers(write) -> None:
    entry = write(
        board__main='import { a } from "./a.js";\nimport { b } from "../shared/b.js";\n' + RENDER,
        board__a='import { b } from "../shared/b.js";\nexport const a = b;\n',
        shared__b="export const b = 2;\n",
    )
    heads = re.findall(r"^// ---- (.*)$", esm(entry), re.MULTILINE)
    assert heads == ["../shared/b.js", "a.js", "main.js"]


def test_the_joined_module_runs(write, tmp_path: Path) -> None:
    entry = write(
        main='import {\n  a,\n  Box as B,\n  later,\n} from "./a.js";\n'
        "const own = 1;\nexport function render() { return [a, new B().x, own, typeof later]; }\n",
        a='import { c } from "./c.js";\nconst own = 40;\nexport const a = own + c;\n'
        "export class Box { x = own; }\nexport async function later() {}\n",
        c="const own = 2;\nexport const c = own;\n",
    )
    # Each file has its own variable `own`.
    assert answer(esm(entry), tmp_path) == "[ 42, 40, 1, 'function' ]"


def test_only_the_entry_is_exported(write) -> None:
    entry = write(main='import { a } from "./a.js";\n' + RENDER, a="export const a = 1;\n")
    exports = re.findall(r"^export .*$", esm(entry), re.MULTILINE)
    assert exports == ["export { render };"]


def test_comments_are_removed_and_nothing_else(write) -> None:
    entry = write(
        main="/** Of the file. */\n\n/**\n * @param {*} a star\n */\nexport function render() {\n"
        '  /** @type {number} */ const n = 1;\n  // why\n  return "/** kept */" + n;\n}\n'
    )
    joined = esm(entry)
    assert "Of the file" not in joined
    assert "@param" not in joined
    assert "/** @type {number} */ const n = 1;" in joined
    assert "// why" not in joined
    assert '"/** kept */"' in joined


BROKEN = {
    "no such file": (
        {"main": 'import { a } from "./data/a.js";\n' + RENDER},
        r"main\.js imports data/a\.js, which does not exist",
    ),
    "not exported": (
        {"main": 'import { a } from "./b.js";\n' + RENDER, "b": "const a = 1;\n"},
        r"main\.js imports a from b\.js, which does not export",
    ),
    "circle": (
        {
            "main": 'import { a } from "./a.js";\n' + RENDER,
            "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
            "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
        },
        r"circle: a\.js → b\.js → a\.js$",
    ),
    "exported twice": (
        {
            "main": 'import { a } from "./a.js";\nimport { b } from "./b.js";\n' + RENDER,
            "a": "export const a = 1;\nexport function same() {}\n",
            "b": "export const b = 1;\nexport class same {}\n",
        },
        r"same is exported by a\.js and by b\.js",
    ),
    "exported twice by one": (
        {"main": "export function a() {}\nexport function a() {}\n" + RENDER},
        r"a is exported by main\.js and by main\.js",
    ),
    "imported twice": (
        {
            "main": 'import { a } from "./a.js";\nimport { b as a } from "./b.js";\n' + RENDER,
            "a": "export const a = 1;\n",
            "b": "export const b = 1;\n",
        },
        r"main\.js imports a from a\.js and b\.js",
    ),
    "no render": ({"main": "export const a = 1;\n"}, r"main\.js exports no render"),
    "no name": (
        {"main": 'import { a b } from "./a.js";\n' + RENDER, "a": "export const a = 1;\n"},
        r"main\.js imports 'a b', which is no name",
    ),
}


@pytest.mark.parametrize(("files", "said"), BROKEN.values(), ids=BROKEN)
def test_the_error_of_modules_that_cannot_be_joined_names_the_files(
    write, files: dict[str, str], said: str
):
    with pytest.raises(ModuleError, match=said):
        esm(write(**files))


@pytest.mark.parametrize(
    "line",
    [
        'import "./a.js";',
        'import a from "./a.js";',
        'import * as a from "./a.js";',
        'import { a } from "package";',
        "import { a } from './a.js'",
        "export default 1;",
        "export let a = 1;",
        "export const { a } = {};",
        "export { a };",
        'export { a } from "./a.js";',
        'export * from "./a.js";',
    ],
)
def test_other_forms_of_imports_and_exports_are_refused_with_the_file(write, line: str) -> None:
    entry = write(main=f"const a = 1;\n{line}\n" + RENDER, a="export const a = 1;\n")
    with pytest.raises(ModuleError, match=r"^main\.js imports or exports in a way .*" + line[:6]):
        esm(entry)


def test_an_entry_may_export_another_name(tmp_path):
    (tmp_path / "a.js").write_text("export class Shell {}\n")
    assert esm(tmp_path / "a.js", "Shell").endswith("export { Shell };\n")
    with pytest.raises(ModuleError, match="exports no render"):
        esm(tmp_path / "a.js")


def test_a_list_of_exports_at_the_end_is_joined(write, tmp_path: Path) -> None:
    entry = write(
        main='import { big, render as draw } from "./vendored.js";\n'
        "export function render() { return [big, draw(2)]; }\n",
        vendored="/**\n * @license\n * Somebody\n */\nconst a=1,b=x=>x*2;"
        "export{a as big,b as render};\n"
        "//# sourceMappingURL=vendored.js.map\n",
    )
    joined = esm(entry)
    assert "@license" in joined
    assert "sourceMappingURL" not in joined
    assert answer(joined, tmp_path) == "[ 1, 4 ]"


def test_a_module_that_the_page_provides_is_not_included(write, tmp_path: Path) -> None:
    entry = write(
        main='import { a } from "./a.js";\nexport function render() { return a; }\n',
        a="export const a = 1;\n",
    )
    joined = esm(entry, provided={tmp_path / "a.js": "globalThis.given"})
    assert "a.js" not in joined
    assert answer(f"globalThis.given = {{ a: 7 }};\n{joined}", tmp_path) == "7"
