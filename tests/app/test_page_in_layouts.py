import copy
import io
import pickle
import subprocess
import sys
import textwrap

import panel as pn
import pytest
import tinkerformer as tf
from bokeh.document import Document
from panel.layout.base import NamedListPanel, Panel
from panel.template.base import BasicTemplate
from param import concrete_descendents

SHOWN = "<the page of the trained phrases>"


@pytest.fixture(params=[tf.show, tf.panel])
def page(request):
    return request.param("phrases", "the black cat")


def layouts():
    """Return every layout of Panel that accepts any object."""
    kinds = concrete_descendents(Panel).values()
    takes_any = [kind for kind in kinds if kind.__module__.startswith("panel.layout")]
    return sorted({*takes_any} - {pn.layout.Divider}, key=lambda kind: kind.__name__)


def placed(layout, page):
    if issubclass(layout, pn.layout.grid.GridSpec):
        grid = layout()
        grid[0, 0] = page
        return grid
    if issubclass(layout, NamedListPanel):
        return layout(("a page", page))
    return layout(page)


def rendered(viewable):
    document = Document()
    document.add_root(viewable.get_root(document))
    return document.to_json()


@pytest.mark.parametrize("layout", layouts(), ids=lambda kind: kind.__name__)
def test_every_layout_prints_and_renders_a_page(layout, page):
    around = placed(layout, page)
    assert "<the page of t" in repr(around)  # some layouts shorten their contents
    assert str(around)
    assert rendered(around)


@pytest.mark.parametrize("layout", [pn.Row, pn.Column, pn.Card, pn.FlexBox, pn.GridBox])
def test_a_cloned_layout_renders_its_page(layout, page):
    assert rendered(layout(page).clone())


def test_dynamic_tabs_render_the_page_whenever_its_tab_is_active(page):
    tabs = pn.Tabs(("a page", page), ("a text", "nothing"), dynamic=True)
    root = tabs.get_root()

    def is_shown():
        data = getattr(root.tabs[0].child, "data", None)
        return data is not None and "next: " in data.esm_constants["picture"]

    assert is_shown()
    tabs.active = 1
    assert not is_shown()
    tabs.active = 0
    assert is_shown()


@pytest.mark.parametrize(
    "template", [*concrete_descendents(BasicTemplate).values()], ids=lambda kind: kind.__name__
)
def test_every_template_prints_and_renders_a_page(template, page):
    made = template(title="Mine")
    if isinstance(made, pn.template.ReactTemplate):
        made.main[:1, :1] = page
    else:
        made.main.append(page)
    assert SHOWN in repr(made)
    assert made._init_doc(Document()).roots


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda page: page.clone()])
def test_a_copy_is_an_independent_page(page, copied):
    other = copied(page)
    assert type(other) is type(page)
    with pytest.raises(ValueError, match="d_model"):
        other.d_model = 9
    other.source = "the dog"
    assert page.source == "the black cat"
    page.source = "a mouse"
    assert page.scenario.source == ("a", "mouse")
    assert page.target.startswith("une souris")
    assert other.source == "the dog"


def test_copies_of_a_layout_hold_pages_of_their_own(page):
    row = pn.Row(page)
    other = pn.Row(*map(copy.copy, row))
    other[0].source = "the dog"
    assert row[0].source == "the black cat"


def test_a_page_refuses_to_be_pickled(page):
    for each in (page, pn.Row(page)):
        with pytest.raises(TypeError, match="A page cannot be pickled, because"):
            pickle.dumps(each)


def test_a_saved_layout_contains_the_picture_of_the_page(page):
    out = io.StringIO()
    pn.Row(page).save(out)
    assert "tinkerformer-" in out.getvalue()
    assert "next: " in out.getvalue()


NOTEBOOK = """
    import panel as pn, tinkerformer as tf
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    {extension}
    for make in (tf.show, tf.panel):
        row = pn.Row(make("phrases", "the black cat"))
        formats, _ = shell.display_formatter.format(row)
        print(sorted(formats), formats["text/plain"])
"""


@pytest.mark.parametrize("extension", ["", "pn.extension()", "pn.extension(inline=True)"])
def test_a_notebook_displays_a_row_with_a_page(extension):
    pytest.importorskip("IPython", reason="IPython is not installed (extra notebook).")
    code = textwrap.dedent(NOTEBOOK).format(extension=extension)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr
    assert done.stdout.count(f"[0] {SHOWN}") == 2
    if extension:
        assert done.stdout.count("text/html") >= 2
