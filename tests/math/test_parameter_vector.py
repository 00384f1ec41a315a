import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import Transformer
from transformer_math.training.parameter_vector import ParameterVector


def small() -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    return {
        "W_q": random.normal(size=(2, 5, 3)),
        "W_o": random.normal(size=(7, 5)).T,
        "b_o": random.normal(size=5),
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_a_model_of_the_vector_s_views_has_its_numbers(name: str) -> None:
    model = tiny(**VARIANTS[name])
    packed = ParameterVector(model.parameters)
    again = Transformer(model.config, packed.arrays, shared=True)
    assert packed.flat.size == model.config.parameter_count()
    for path, array in again.parameters.items():
        np.testing.assert_array_equal(array, model.parameters[path])
        assert np.shares_memory(array, packed.flat), path
    ids = read_by(model, SOURCE, TARGET)
    before = again.logits(*ids)
    np.testing.assert_array_equal(before, model.logits(*ids))
    packed.flat *= 0.5
    assert not np.allclose(again.logits(*ids), before)
    np.testing.assert_array_equal(before, model.logits(*ids))


def test_weights_of_all_heads_are_stored_as_one_matrix() -> None:
    arrays = small()
    packed = ParameterVector(arrays)
    columns = arrays["W_q"].transpose(1, 0, 2).reshape(5, 6)
    np.testing.assert_array_equal(packed.flat[:30].reshape(5, 6), columns)
    assert packed.arrays["W_q"].transpose(1, 0, 2).flags.c_contiguous


def test_written_numbers_are_those_of_their_parameters() -> None:
    arrays = small()
    packed = ParameterVector({path: np.zeros_like(array) for path, array in arrays.items()})
    assert packed.write({"W_q": arrays["W_q"]}) is packed.flat
    assert not packed.arrays["W_o"].any()
    packed.write(dict(reversed(arrays.items())))
    np.testing.assert_array_equal(packed.flat, ParameterVector(arrays).flat)
    with pytest.raises(ValueError, match="There is no parameter b_x"):
        packed.write({"b_x": arrays["b_o"]})
    with pytest.raises(ValueError, match=r"W_q has the shape \(2, 5, 3\), not \(5, 3\)"):
        packed.write({"W_q": arrays["W_q"][0]})


def test_gather_stores_arrays_in_the_order_of_the_vector() -> None:
    arrays = small()
    packed = ParameterVector(arrays)
    np.testing.assert_array_equal(packed.gather(arrays), packed.flat)
    shuffled = dict(reversed(arrays.items()))
    np.testing.assert_array_equal(packed.gather(shuffled), packed.flat)
    views = packed.views(packed.gather({"W_q": arrays["W_q"]}))
    np.testing.assert_array_equal(views["W_q"], arrays["W_q"])
    assert not views["W_o"].any()
    assert not views["b_o"].any()


def test_gather_keeps_the_dtype_of_the_parameters() -> None:
    packed = ParameterVector({"b": np.zeros(3, np.float32)})
    assert packed.gather({"b": np.ones(3)}).dtype == np.float32


def test_a_vector_of_a_wrong_length_is_refused() -> None:
    packed = ParameterVector(small())
    with pytest.raises(ValueError, match="no parameter W_x"):
        packed.gather({"W_x": np.zeros(3)})
    with pytest.raises(ValueError, match=r"b_o has the shape \(5,\), not \(1,\)"):
        packed.gather({"b_o": np.zeros(1)})
    with pytest.raises(ValueError, match=r"shape \(69,\), the parameters fill \(70,\)"):
        packed.views(np.zeros(69))
    with pytest.raises(ValueError, match="not float32 and float64"):
        ParameterVector({"a": np.zeros(2), "b": np.zeros(2, np.float32)})
    with pytest.raises(ValueError, match="not int64"):
        ParameterVector({"a": np.zeros(2, np.int64)})
    with pytest.raises(ValueError, match="no array at all"):
        ParameterVector({})
