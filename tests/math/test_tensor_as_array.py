import io
import operator

import numpy as np
import pandas as pd
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from transformer_math import Config, Transformer

SIZES = {"d_model": 6, "heads": 2, "source_vocabulary": 13, "target_vocabulary": 17}


@pytest.fixture(scope="module")
def trace():
    model = Transformer.create(Config.preset("sandbox", **SIZES), seed=1)
    return model([3, 1, 4], [0, 5], labels=[5, 9])


@pytest.fixture
def logits(trace):
    return trace["output.logits"]  # (position 2, vocabulary 17)


NUMPY = {
    "argmax": np.argmax,
    "argsort": np.argsort,
    "mean": lambda x: np.mean(x, axis=0),
    "sum": np.sum,
    "max": np.max,
    "std": np.std,
    "cumsum": np.cumsum,
    "shape": np.shape,
    "size": np.size,
    "ndim": np.ndim,
    "array": np.array,
    "array of another type": lambda x: np.array(x, dtype=np.float64),
    "ascontiguousarray": np.ascontiguousarray,
    "copy": np.copy,
    "list of arrays": lambda x: np.array([x, x]),
    "stack": lambda x: np.stack([x, x]),
    "concatenate": lambda x: np.concatenate([x, x]),
    "transpose": np.transpose,
    "reshape": lambda x: np.reshape(x, (-1,)),
    "take": lambda x: np.take(x, [0], axis=1),
    "sort": np.sort,
    "clip": lambda x: np.clip(x, 0, 1),
    "where": lambda x: np.where(np.asarray(x) > 0, x, 0),
    "isnan": np.isnan,
    "floor": np.floor,
    "add.reduce": np.add.reduce,
    "dot": lambda x: np.dot(x, np.ones(17)),
    "einsum": lambda x: np.einsum("pv,qv->pq", x, x),
    "norm": np.linalg.norm,
    "allclose": lambda x: np.allclose(x, np.asarray(x)),
    "array_equal": lambda x: np.array_equal(x, np.asarray(x)),
    "histogram": lambda x: np.histogram(x, 3)[0],
    "list": lambda x: np.array(list(x)),
    "len": len,
    "row": lambda x: x[1],
    "cell": lambda x: x[1, -1],
    "mask": lambda x: x[np.asarray(x) > 0],
    "minus a number": lambda x: x - 1,
    "a number minus": lambda x: 1 - x,
    "minus an array": lambda x: x - np.ones(17),
    "an array minus": lambda x: np.ones(17) - x,
    "minus itself": lambda x: x - x,
    "product": lambda x: x @ np.ones((17, 3)),
    "product of two": lambda x: x @ np.transpose(x),
    "greater": lambda x: x > 0,
    "equal to a number": lambda x: x == 0,
    "equal to itself": lambda x: x == x,
    "unequal": lambda x: x != np.zeros(17),
    "negative": operator.neg,
    "absolute": abs,
    "in": lambda x: 1e9 in x,
}


@pytest.mark.parametrize("call", NUMPY.values(), ids=NUMPY)
def test_numpy_computes_with_a_tensor_as_with_its_value(logits, call):
    expected = call(logits.value)
    np.testing.assert_array_equal(call(logits), expected)
    assert np.asarray(call(logits)).dtype == np.asarray(expected).dtype


def test_a_tensor_has_the_attributes_of_its_array(logits):
    assert (logits.shape, logits.ndim, logits.dtype) == ((2, 17), 2, np.float32)


def test_asarray_copies_only_on_request(logits):
    assert np.asarray(logits) is logits.value
    assert np.array(logits) is not logits.value
    assert np.asarray(logits, copy=True) is not logits.value
    with pytest.raises(ValueError, match="copy"):
        np.asarray(logits, dtype=np.float64, copy=False)


def test_numpy_saves_a_tensor(logits):
    out = io.BytesIO()
    np.save(out, logits)
    out.seek(0)
    np.testing.assert_array_equal(np.load(out), logits.value)


def test_a_tensor_of_one_number_can_be_converted_to_a_number(trace):
    loss = trace["output.loss"]
    assert float(loss) == loss.value.item()
    assert bool(loss)
    with pytest.raises(TypeError, match="len"):
        len(loss)


def test_the_truth_value_of_several_numbers_is_ambiguous(logits):
    with pytest.raises(ValueError, match="ambiguous"):
        bool(logits)


def test_a_tensor_in_a_set_is_compared_by_identity(trace):
    logits, probabilities = trace["output.logits"], trace["output.probabilities"]
    assert {logits: 1, probabilities: 2}[logits] == 1
    assert len({logits, probabilities, logits}) == 2


def test_a_tensor_cannot_be_changed_in_place(trace, logits):
    before = logits.value.copy()
    with pytest.raises(TypeError, match="compute another pass, as model"):
        logits[0, 0] = 1.0
    with pytest.raises(TypeError, match="are not changed in place"):
        np.negative(logits, out=logits)
    with pytest.raises(TypeError, match="are not changed in place"):
        operator.iadd(logits, 1)
    np.testing.assert_array_equal(trace["output.logits"].value, before)


def test_pandas_accepts_a_tensor(trace, logits):
    pd.testing.assert_frame_equal(pd.DataFrame(logits), pd.DataFrame(logits.value))
    row = trace["source.ids"]
    pd.testing.assert_series_equal(pd.Series(row), pd.Series(row.value))
    table = pd.DataFrame({"id": row, "twice": row * 2})
    assert table["twice"].tolist() == [6, 2, 8]
    table["again"] = row
    assert (table["again"] == row).all()


def test_bokeh_accepts_a_tensor(trace, logits):
    source = ColumnDataSource({"x": trace["source.ids"], "y": trace["source.ids"] * 2})
    plot = figure()
    plot.line(x="x", y="y", source=source)
    plot.scatter(x=trace["source.ids"], y=[1, 2, 3])
    plot.image(image=[logits], x=0, y=0, dw=1, dh=1)
    document = Document()
    document.add_root(plot)
    columns = [x.data for x in document.models if isinstance(x, ColumnDataSource)]
    assert sorted(map(sorted, columns)) == [["image"], ["x", "y"], ["x", "y"]]
    sent = str(document.to_json())
    assert sent.count("ndarray") >= 3
    np.testing.assert_array_equal(source.data["x"], [3, 1, 4])


def test_matplotlib_accepts_a_tensor(trace, logits):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed.")
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    np.testing.assert_array_equal(axes.imshow(logits).get_array(), logits.value)
    ids = trace["source.ids"]
    [line] = axes.plot(ids)
    np.testing.assert_array_equal(line.get_ydata(), ids.value)
    assert len(axes.plot(logits)) == 17
    np.testing.assert_array_equal(axes.scatter(ids, ids).get_offsets(), [[3, 3], [1, 1], [4, 4]])
    assert [bar.get_height() for bar in axes.bar(range(3), ids)] == [3, 1, 4]
    np.testing.assert_array_equal(axes.pcolormesh(logits).get_array(), logits.value)
    assert sum(axes.hist(ids)[0]) == 3
