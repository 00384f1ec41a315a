import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import DropoutRates, Tensor, Trace, explain, ops

CELLS = 5
PADDED_SOURCE, PADDED_TARGET = [3, 1, 5, 0, 1], [2, 7, 1, 4]


def sampled(shape: tuple[int, ...], random: np.random.Generator) -> set[tuple[int, ...]]:
    """Return the first and the last cell and some between."""
    corners = {tuple(0 for _ in shape), tuple(n - 1 for n in shape)}
    return corners | {tuple(int(random.integers(n)) for n in shape) for _ in range(CELLS)}


def traces(variant: str) -> list[Trace]:
    model = tiny(**VARIANTS[variant], dropout=DropoutRates(0.3, 0.3, 0.3, 0.3, 0.3))
    ids = read_by(model, PADDED_SOURCE, PADDED_TARGET)
    return [model(*ids, with_unprojected=True), model(*ids, training=True, seed=1)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_cell_equals_its_explanation(variant: str) -> None:
    """The operands are cells of the inputs, with their numbers.

    Its text in symbols and in numbers is one line, folded or in full, and never code. If every
    input cell that the explanation does not name is changed, the cell does not change.
    """
    random = np.random.default_rng(1)
    for trace in traces(variant):
        for path in trace.paths():
            tensor = trace[path]
            tolerance = 2e-5 if tensor.value.dtype == np.float32 else 1e-12
            sources = {id(source) for source in tensor.inputs} or {id(tensor)}
            for index in sampled(tensor.shape, random):
                tree, value = explain(trace, path, index), float(tensor.value[index])
                found = tree.evaluate()
                assert found == pytest.approx(value, rel=tolerance, abs=tolerance), (path, index)
                for cell in tree.operands():
                    assert id(cell.tensor) in sources, path
                    assert cell.evaluate() == float(cell.tensor.value[cell.index])
                    address, own = cell.address
                    assert trace[address].value[own] == cell.tensor.value[cell.index]
                for fold in (4, None):
                    for text in (tree.symbols(fold=fold), tree.numbers(fold=fold)):
                        assert text
                        assert not any(
                            word in text for word in ("nan", "inf", "None", "np.", "<", "\n")
                        )
                if not tensor.is_leaf:
                    named = {(id(cell.tensor), cell.index) for cell in tree.operands()}
                    scrambled = [scrambled_but(source, named, random) for source in tensor.inputs]
                    again = tensor.op.forward(*scrambled)[index]
                    assert again == pytest.approx(value, rel=1e-5, abs=1e-6), path


def scrambled_but(source: Tensor, named: set, random: np.random.Generator) -> np.ndarray:
    """Return the numbers of a tensor at random, except for the named cells."""
    value = source.value.copy()
    if value.dtype.kind == "f":
        for cell in np.ndindex(value.shape):
            if (id(source), cell) not in named:
                value[cell] = random.normal()
    return value


@pytest.mark.parametrize("variant", ["post", "pre", "tied"])
def test_every_named_cell_affects_the_value(variant: str) -> None:
    """Conversely, the sum over the named cells changes when one of them changes.

    Except for the factors of a zero, for values that ReLU cuts off, and next to a masked score.
    """
    trace = tiny(**VARIANTS[variant], activation="gelu") if variant != "pre" else tiny(norm="pre")
    trace = trace(SOURCE, TARGET)
    for path in ("encoder.0.self_attn.q", "encoder.0.self_attn.raw_scores", "output.logits"):
        tensor = trace[path]
        index = tuple(n - 1 for n in tensor.shape)
        for cell in explain(trace, path, index).operands():
            moved = [source.value.copy() for source in tensor.inputs]
            for source, value in zip(tensor.inputs, moved, strict=True):
                if source is cell.tensor:
                    value[cell.index] += 1.0
            assert tensor.op.forward(*moved)[index] != tensor.value[index], (path, cell)


def test_the_text_contains_the_numbers() -> None:
    trace = tiny()(SOURCE, TARGET)
    tree = explain(trace, "source.embedding", (1, 4))
    value = trace["source.W_e"].value[SOURCE[1], 4]
    assert f"{abs(value):.3g}" in tree.numbers()
    assert "√6" in tree.numbers()
    assert "W_e[1, 4]" in tree.symbols()


def test_the_explanation_of_an_edited_cell_is_its_number() -> None:
    path = "encoder.0.self_attn.scores"
    trace = tiny()(SOURCE, TARGET, overrides={path: {(1, 2, 3): 4.5}})
    tree = explain(trace, path, (1, 2, 3))
    assert tree.evaluate() == 4.5
    assert list(tree.operands()) == []
    beside = explain(trace, path, (1, 2, 2))
    assert beside.evaluate() == pytest.approx(trace[path].value[1, 2, 2], rel=1e-12)
    # Later cells are explained by the edited number.
    weights = "encoder.0.self_attn.weights"
    assert explain(trace, weights, (1, 2, 3)).evaluate() == pytest.approx(
        trace[weights].value[1, 2, 3], rel=1e-12
    )


def test_an_overridden_array_is_explained_as_given() -> None:
    """Its cells were not computed from the inputs."""
    path = "encoder.0.self_attn.scores"
    plain = tiny()(SOURCE, TARGET)
    trace = tiny()(SOURCE, TARGET, overrides={path: plain[path].value + 1})
    found = explain(trace, path, (1, 2, 3)).evaluate()
    assert found == pytest.approx(trace[path].value[1, 2, 3])


def test_a_row_whose_keys_are_all_masked_is_explained_as_zero() -> None:
    trace = tiny(source_pad=1)([1, 1], TARGET)
    for path in ("encoder.0.self_attn.weights", "decoder.0.cross_attn.context"):
        tensor = trace[path]
        for index in np.ndindex(tensor.shape):
            tree = explain(trace, path, index)
            assert tree.evaluate() == 0
            assert tree.numbers()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_computed_tensor_has_a_formula(variant: str) -> None:
    for trace in traces(variant):
        for path in trace.paths():
            tensor = trace[path]
            assert tensor.symbol, path
            formula = tensor.formula
            if tensor.is_leaf:
                assert formula == "", path
            else:
                assert formula, path
                assert formula.count("{") == formula.count("}"), path
                assert formula.count(r"\left") == formula.count(r"\right"), path
            if isinstance(tensor.op, ops.Dropout):
                assert "dropout" in formula


FORMULAS = {  # path -> formula, with its section of the paper
    "source.embedding": r"W_{\mathrm{src}}^{E}[\mathrm{ids}]\cdot\sqrt{d_{\mathrm{model}}}",  # 3.4
    "encoder.0.self_attn.raw_scores": r"Q\,K^{\top}",  # 3.2.1
    "encoder.0.self_attn.scores": r"\frac{S^{0}}{\sqrt{d_{k}}}",
    "encoder.0.self_attn.weights": r"\mathrm{softmax}\left(S^{M}\right)",
    "encoder.0.self_attn.context": r"A\,V",
    "encoder.0.self_attn.concat": r"\mathrm{Concat}(Z_{1}, \ldots, Z_{h})",  # 3.2.2
    "encoder.0.feed_forward.hidden": r"N_{a}\,W_{1} + b_{1}",  # 3.3
    "encoder.0.feed_forward.activation": r"\max(0, H)",
    "encoder.0.feed_forward.out": r"F^{\prime}\,W_{2} + b_{2}",
    "encoder.0.feed_forward.norm": r"\gamma\odot\frac{R_{f}-\mu}{\sqrt{\sigma^{2}+\varepsilon}}"
    r"+\beta",
}


@pytest.mark.parametrize("path", FORMULAS)
def test_the_formula_of_a_step_is_the_formula_of_the_paper(path: str) -> None:
    assert tiny()(SOURCE, TARGET)[path].formula == FORMULAS[path]
