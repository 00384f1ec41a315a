import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, tiny
from transformer_math import Labels, Recipe, Trainer, Transformer, explain
from transformer_math.data.phrases import phrases
from transformer_math.training.trainer import config_for


def all_values(trace) -> dict[str, np.ndarray]:
    return {path: trace[path].value.copy() for path in trace.paths()}


@pytest.mark.parametrize("variant", ["post", "tied", "learned_positions", "float32"])
def test_the_numbers_of_a_model_are_read_only(variant: str) -> None:
    model = tiny(**VARIANTS[variant])
    trace = model(SOURCE, TARGET)
    for path in (*model.parameters, "target.mask"):
        value = trace[path].value
        with pytest.raises(ValueError, match="read-only"):
            value[(0,) * value.ndim] = 7


def test_the_arrays_given_to_a_model_can_be_changed_without_effect_on_it() -> None:
    given = {path: np.array(array) for path, array in tiny().parameters.items()}
    model = Transformer(tiny().config, given)
    before = model.logits(SOURCE, TARGET)
    for array in given.values():
        array += 1
    np.testing.assert_array_equal(model.logits(SOURCE, TARGET), before)


def test_a_read_only_array_is_shared_unless_its_base_can_be_written() -> None:
    path = "encoder.0.feed_forward.W_1"
    array = np.array(tiny().parameters[path])
    view = array.view()
    view.flags.writeable = False
    assert not np.shares_memory(tiny().with_parameters({path: view}).parameters[path], array)
    array.flags.writeable = False
    assert np.shares_memory(tiny().with_parameters({path: array}).parameters[path], array)


def test_the_ids_given_to_a_pass_can_be_changed_without_effect_on_it() -> None:
    source, target = np.array(SOURCE), np.array(TARGET)
    labels = np.array(TARGET)
    trace = tiny()(source, target, labels=Labels(labels))
    before = all_values(trace)
    source[:], target[:], labels[:] = 0, 0, 0
    for path, value in before.items():
        np.testing.assert_array_equal(trace[path].value, value)


def test_a_pass_of_a_model_in_training_keeps_its_numbers_after_further_steps() -> None:
    pairs = phrases(held_out=10)
    trainer = Trainer(Transformer.create(config_for(pairs, "phrases")), pairs, Recipe())
    next(trainer)
    source, target = pairs.held_out_source[0], pairs.held_out_target[0]
    trace = trainer.model(source, target[:-1])
    changed = trainer.model.with_parameters({})
    kept, model_kept = all_values(trace), changed.logits(source, target[:-1])
    logit = explain(trace, "output.logits", (0, 3))
    said = logit.numbers(fold=None)
    for _ in range(5):
        next(trainer)
    for path, value in kept.items():
        np.testing.assert_array_equal(trace[path].value, value, err_msg=path)
    again = explain(trace, "output.logits", (0, 3))
    assert again.numbers(fold=None) == said
    assert again.evaluate() == pytest.approx(float(trace["output.logits"].value[0, 3]), rel=1e-5)
    np.testing.assert_array_equal(changed.logits(source, target[:-1]), model_kept)
    now = trainer.model(source, target[:-1])
    assert not np.array_equal(now["output.logits"].value, kept["output.logits"])


def test_the_trainer_sets_a_number_of_a_model_in_training() -> None:
    pairs = phrases(held_out=10)
    trainer = Trainer(Transformer.create(config_for(pairs, "phrases")), pairs, Recipe())
    path, index = "decoder.0.cross_attn.W_q", (1, 2, 3)
    with pytest.raises(ValueError, match="read-only"):
        trainer.model.parameters[path][index] = 3
    trainer.set_cell(path, index, 3)
    source, target = pairs.held_out_source[0], pairs.held_out_target[0]
    assert trainer.model(source, target)[path].value[index] == 3
    next(trainer)
    assert 2.9 < trainer.parameters()[path][index] < 3.1
    for name, cell in ((path, (2, 0, 0)), (path, 3), ("decoder.0.W_x", (0, 0))):
        with pytest.raises(ValueError, match=r"(no cell|none called) .*\.$"):
            trainer.set_cell(name, cell, 1)
