import numpy as np
import pytest
from tinkerformer.charts.cost import cost_curves
from tinkerformer.explain import parameter_table
from tinkerformer.files import catalog
from tinkerformer.ideas.cost.view import cost
from tinkerformer.ideas.kit.prose import table
from tinkerformer.ideas.kit.symbols import Symbol, symbol_html

PHRASES = catalog.first("phrases")


@pytest.mark.parametrize(
    ("latex", "html"),
    [
        (r"W_{\mathrm{src}}^{E}", "<i>W</i><sub>src</sub><sup><i>E</i></sup>"),
        (r"2 × h·d_{k}", "2 × <i>h</i>·<i>d</i><sub><i>k</i></sub>"),
        (r"W_{1}", "<i>W</i><sub>1</sub>"),
        (r"\gamma", "<i>&gamma;</i>"),
        ("W^{<}", "<i>W</i><sup>&lt;</sup>"),
    ],
)
def test_a_symbol_is_typeset(latex, html):
    assert symbol_html(latex) == html
    assert html in table(("name",), [(Symbol(latex),)]).object
    assert html not in table(("name",), [(latex,)]).object


def test_no_two_rows_of_the_parameters_have_the_same_name():
    lines = parameter_table.lines(PHRASES.config)
    names = [(line.symbol, line.size) for line in lines]
    assert len(names) == len(set(names))
    assert [line.symbol for line in lines if line.group == "embeddings"] == [
        r"W_{\mathrm{src}}^{E}",
        r"W_{\mathrm{tgt}}^{E}",
    ]
    assert sum(line.total for line in lines) == PHRASES.config.parameter_count()


def test_curves_that_coincide_are_both_visible_and_the_caption_says_so():
    n = np.array([1, 2])
    plot = cost_curves(n, {"a": n, "b": 2 * n, "c": n}, 1, 2, dark=False)
    assert [line.glyph.line_dash for line in plot.renderers] == [[], [], [6]]

    def said(width: int) -> str:
        scenario = PHRASES.with_setting("d_ff", str(width))
        return " ".join(
            getattr(placed, "object", "")
            for placed in cost(scenario, False)
            if isinstance(getattr(placed, "object", None), str)
        )

    twice = 2 * PHRASES.config.d_model
    assert "projections and feed-forward take the same number" in said(twice)
    assert "take the same number" not in said(twice + 1)
