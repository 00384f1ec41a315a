"""Parses the formulas of lessons with the page's KaTeX, in Node or in a browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence

from ..lessons.formulas import Formula
from ..site.math_files import SCRIPT, math_files
from .browser import installed_browser

NO_ENGINE = "could not be read: that takes Node, or Playwright and a browser"
PATIENCE = 60  # seconds

# Uses the options of `components/shared/katex.js`, as on the page.
_READ = """asked => asked.map(([tex, displayMode]) => {
  try {
    katex.renderToString(tex, { displayMode, throwOnError: true, strict: "ignore", trust: false });
    return "";
  } catch (error) {
    return String(error.message);
  }
})"""


class NoEngine(Exception):
    """No JavaScript engine is available."""


def wrong_formulas(formulas: Sequence[Formula]) -> list[tuple[Formula, str]]:
    """Return the formulas that KaTeX cannot parse, each with its error message.

    Raise ``NoEngine`` if neither Node nor a browser is installed.
    """
    asked = [[each.tex, each.display] for each in formulas]
    said = _by_node(asked) if shutil.which("node") else _by_browser(asked)
    return [
        (each, what.removeprefix("KaTeX parse error: "))
        for each, what in zip(formulas, said, strict=True)
        if what
    ]


def _by_node(asked: list[list[object]]) -> list[str]:
    katex = math_files()[SCRIPT].decode()
    script = (
        f"{katex};\nconst katex = module.exports;\n"
        f"console.log(JSON.stringify(({_READ})({json.dumps(asked)})));"
    )
    done = subprocess.run(
        ["node", "-"], input=script, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


def _by_browser(asked: list[list[object]]) -> list[str]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError:
        raise NoEngine from None
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=installed_browser(), args=["--no-sandbox"]
            )
            page = browser.new_page()
            page.add_script_tag(content=math_files()[SCRIPT].decode())
            found: list[str] = page.evaluate(_READ, asked)
            browser.close()
            return found
    except Error:
        raise NoEngine from None
