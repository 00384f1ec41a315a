"""Configures Sphinx for these pages: ``python -m sphinx -W -n -b html assets/docs DIR``."""

import re
import sys
from importlib.metadata import version as installed
from pathlib import Path

import tinkerformer
from tinkerformer.theme import COLORS, FONTS

sys.path += [str(Path(__file__).parent / folder) for folder in ("_ext", "tables")]

project = "Tinkerformer"
copyright = "the authors of Tinkerformer, BSD-3-Clause"
version = release = installed("tinkerformer")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "live_embeds",
    "local_formulas",
    "property_sentences",
]
exclude_patterns = ["_ext", "tables"]
templates_path: list[str] = []

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# The logo of the page, as a data URL.
_frame = (Path(tinkerformer.__file__).parent / "shell" / "frame.html").read_text(encoding="utf-8")
_mark = re.search(r'rel="icon" href="(data:[^"]+)"', _frame)
assert _mark
html_favicon = html_logo = _mark[1]

html_theme = "furo"
html_title = "Tinkerformer"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "katex"


def _variables(theme: str) -> dict[str, str]:
    """The colors of the page, for the theme of the documentation."""
    color = COLORS[theme]
    return {
        "font-stack": FONTS["font-text"],
        "font-stack--monospace": FONTS["font-number"],
        "color-background-primary": color["paper"],
        "color-background-secondary": color["soft"],
        "color-background-hover": color["soft"],
        "color-background-border": color["line"],
        "color-foreground-primary": color["ink"],
        "color-foreground-secondary": color["muted"],
        "color-foreground-muted": color["muted"],
        "color-foreground-border": color["line-strong"],
        "color-brand-primary": color["accent"],
        "color-brand-content": color["accent"],
        "color-brand-visited": color["accent"],
        "color-sidebar-background": color["soft"],
        "color-card": color["card"],
        "color-code-background": color["soft"],
        "color-inline-code-background": color["soft"],
        "color-accent-soft": color["accent-soft"],
    }


html_theme_options = {
    "light_css_variables": _variables("light"),
    "dark_css_variables": _variables("dark"),
    "sidebar_hide_name": False,
}

# -- the API ---------------------------------------------------------------------------------------

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "DTypeLike": "DTypeLike"}
default_role = "code"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# Types that other packages document, that are not part of the API, or that rename others.
nitpick_ignore_regex = [
    ("py:.*", r".*\b(numpy|np|collections|os|datetime|typing|param)\..*"),
    ("py:.*", r"transformer_math\.checkpoints\.text_normalizer\..*"),
    ("py:.*", r"(tuple\[~?)?tinkerformer\..*|FramedPage|NotebookWidget"),
    (
        "py:.*",
        r"(.*\.)?(_\w+|ArrayLike|DTypeLike|TypeAliasForwardRef|Activation|AttentionScale|Ending|Files|Forward|Index|Names|Norm|NormDeviation|Override|Positions|SmoothingForm|Value)|tuple\[str",
    ),
]
