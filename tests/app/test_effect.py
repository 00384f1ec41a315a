import numpy as np
import pytest
from tinkerformer.explain.apart import moved_share
from tinkerformer.explain.effect import LEAST, effect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.model.scenario.scenario import Scenario

BIAS = "output.b_out"


def with_lead(lead: float) -> tuple[Scenario, list[int]]:
    """Return a model whose second likeliest word leads by ``lead`` logits, and both ids."""
    scenario = Scenario().with_setting("output_bias", True).with_tokens("target", ["<sos>"])
    probabilities = ForwardPassRunner().trace(scenario)[PROBABILITIES].value[-1]
    first, second = np.argsort(-probabilities)[:2].tolist()
    gap = float(np.log(probabilities[first] / probabilities[second]))
    return scenario.with_value(BIAS, (second,), gap + lead), [first, second]


def test_a_next_word_that_is_replaced_is_named_even_if_its_probability_hardly_changes() -> None:
    (before, ids), (now, _) = with_lead(-1e-3), with_lead(1e-3)
    runner = ForwardPassRunner()
    both = [runner.trace(each)[PROBABILITIES].value[-1] for each in (before, now)]
    assert np.abs(both[0] - both[1]).max() < LEAST
    words = [before.output_vocabulary[k] for k in ids]
    said = effect(before, now, runner).sentence
    assert said == f"Of the next words, “{words[0]}” becomes “{words[1]}”."


@pytest.mark.parametrize("lead", [1e-3, 2e-3])
def test_no_next_word_changes_if_each_likeliest_word_remains_likeliest(lead: float) -> None:
    runner = ForwardPassRunner()
    said = effect(with_lead(lead)[0], with_lead(lead * 1.1)[0], runner).sentence
    assert said == "None of the next words changes."


@pytest.mark.parametrize("row", range(1, 7))
def test_the_word_with_the_largest_change_of_probability_is_named(row: int) -> None:
    """The effect is the difference of the word's probabilities, in every row."""
    before = catalog.first("blanks")
    runner = ForwardPassRunner()
    path = "encoder.0.self_attn.head.0.weights"
    count = len(before.source)
    now = before.with_values(path, {(row % count, k): float(k == 1) for k in range(count)})
    both = [runner.trace(each)[PROBABILITIES].value for each in (before, now)]
    change = np.abs(both[1] - both[0])
    at = np.unravel_index(change.argmax(), change.shape)
    word = before.output_vocabulary[int(at[1])]
    said = effect(before, now, runner).sentence
    if " becomes " not in said:
        moved = moved_share(both[0][at], both[1][at])
        assert said == f"Of the words, “{word}” {moved} changes most."


def test_two_probabilities_have_so_many_digits_that_they_differ() -> None:
    assert moved_share(0.878, 0.884) == ".878 → .884"
    assert moved_share(0.84, 0.77) == ".84 → .77"
    assert moved_share(0.5, 0.5) == ".50 → .50"


def test_rows_are_compared_if_they_read_the_same_word() -> None:
    written = catalog.first("phrases").with_writing(False)
    target = written.target
    at = target.index("chat")
    without = written.with_tokens("target", [*target[:at], *target[at + 1 :]])
    said = effect(written, without, ForwardPassRunner()).sentence
    # The next row reads “est”, and predicts “assis” as before.
    assert said == "Of the next words, “est” becomes “noir”."


def test_an_effect_is_attributed_to_the_row_of_its_first_named_word() -> None:
    runner = ForwardPassRunner()
    first = with_written_target(catalog.first("phrases"), runner)
    other = ["hen" if word == "cat" else word for word in first.source]
    now = with_written_target(first.with_tokens("source", other), runner)
    row = effect(first, now, runner).row
    assert row is not None
    assert first.target[: row + 1] == now.target[: row + 1]
    assert first.target[row + 1] != now.target[row + 1]
    (before, _), (led, _) = with_lead(-1e-3), with_lead(1e-3)
    assert effect(before, led, runner).row == 0
    assert effect(led, with_lead(1.1e-3)[0], runner).row is None


def test_in_a_text_with_a_blank_only_the_row_of_the_blank_counts() -> None:
    before = catalog.first("blanks")
    path = "encoder.0.self_attn.head.0.weights"
    for row, word in enumerate(before.source):
        looks = {(row, k): float(k == 1) for k in range(len(before.source))}
        found = effect(before, before.with_values(path, looks), ForwardPassRunner())
        assert found.row in (None, before.blank), word
