import dataclasses
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tinkerformer.explain import ablation
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.model.matrices.values import OVERRIDDEN, matrix_values
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import MEAN, ZERO, Silence
from tinkerformer.session.session_json import SavedSession, from_json, to_dict, to_json
from tinkerformer.session.state import AppState

from transformer_math import sweep
from transformer_math.experiments import mean_values, silenced
from transformer_math.ops.tensor import head_path, split_head

from .cells import details

PHRASES = catalog.first("phrases")
SANDBOX = Scenario()
HEAD = "decoder.0.cross_attn.head.1.context"
OUT = "encoder.0.self_attn.out"
UNITS = "decoder.0.feed_forward.activation"


def parts(scenario):
    """Draw any part, as a whole, a row or a column."""
    paths = [
        *(f"encoder.0.self_attn.head.{k}.context" for k in range(scenario.settings.heads)),
        *(f"decoder.0.{name}.head.0.context" for name in ("self_attn", "cross_attn")),
        *(f"{at}.out" for at in ("encoder.0.feed_forward", "decoder.0.cross_attn")),
        UNITS,
        "source.embedding",
        "encoder.0.feed_forward.norm",
    ]
    whole = st.sampled_from(paths).map(lambda path: Silence(path))
    some = st.builds(
        lambda path, row, column, to: Silence(path, row, column, to),
        st.sampled_from(paths),
        st.none() | st.integers(0, 2),
        st.none() | st.integers(0, 3),
        st.sampled_from([ZERO, MEAN]),
    )
    return whole | some


def expected(scenario, silence):
    """Return the pass with the values that silencing sets, computed from a pass without it."""
    runner = ForwardPassRunner()
    model = runner.model(scenario)
    ids = [np.array(scenario.ids(side)) for side in ("source", "target")]
    stored, head = split_head(silence.path)
    value = 0.0
    if silence.to == MEAN:
        passes = [model(*ids)]
        if scenario.data is not None:
            pairs, read = scenario.data.pairs(), []
            for source, target in zip(
                pairs.held_out_source[:200].tolist(),
                pairs.held_out_target[:200].tolist(),
                strict=True,
            ):
                s = [k for k in source if k != pairs.source_tokenizer.pad]
                t = [k for k in target if k != pairs.target_tokenizer.pad]
                read.append((np.array(s), np.array(t[:-1])))
            passes = (model(s, t) for s, t in read)
        mean = mean_values(passes, [stored])[stored]
        value = mean if head is None else mean[head]
    cells = silenced(
        model(*ids),
        silence.path,
        rows=slice(None) if silence.row is None else silence.row,
        columns=slice(None) if silence.column is None else silence.column,
        value=value,
    )
    return model(*ids, overrides={stored: cells})


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([SANDBOX, PHRASES]), st.data())
def test_a_silenced_part_has_the_expected_values(scenario, data):
    silence = data.draw(parts(scenario))
    if silence.to == MEAN and scenario is PHRASES:
        silence = silence._replace(to=ZERO)  # the means of trained models are tested below
    now = ForwardPassRunner().trace(scenario.with_silence(silence))
    then = expected(scenario, silence)
    for path in (split_head(silence.path)[0], PROBABILITIES):
        np.testing.assert_allclose(now[path].value, then[path].value, atol=1e-6)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "pre", "residual": False},
        {"decoder_layers": 0, "heads": 1},
        {"encoder_layers": 0, "positions": "none"},
        {"encoder_layers": 2, "decoder_layers": 3, "final_norm": True},
    ],
)
@pytest.mark.parametrize("training", [False, True])
def test_every_existing_part_can_be_silenced_and_no_other(changes, training):
    scenario = SANDBOX
    for name, value in changes.items():
        scenario = scenario.with_setting(name, value)
    scenario, runner = scenario.with_training(training), ForwardPassRunner()
    trace = runner.trace(scenario)
    for stored, tensor in trace.tensors.items():
        has_heads = tensor.dims[:1] == ("head",)
        path = head_path(stored, scenario.settings.heads - 1) if has_heads else stored
        shape = scenario.part_shape(path)
        if shape is None:
            is_row = len(trace[path].dims) == 2 and trace[path].dims[0].endswith("position")
            others = ("vocab", "position", "key_position", "source_position")
            is_feature = is_row and trace[path].dims[1] not in others
            assert not is_feature or "unprojected" in path
            continue
        assert trace[path].shape == shape
        for to in (ZERO, MEAN):
            quiet = runner.trace(scenario.with_silence(Silence(path, to=to)))[path].value
            assert np.ptp(quiet, axis=0).max() == 0
            assert quiet.any() == (to == MEAN and bool(trace[path].value.any()))


@pytest.mark.parametrize("path", [HEAD, OUT, UNITS])
def test_the_mean_of_a_trained_model_is_over_phrases_that_it_has_not_seen(path):
    silence = Silence(path, to=MEAN)
    now = ForwardPassRunner().trace(PHRASES.with_silence(silence))
    then = expected(PHRASES, silence)
    np.testing.assert_allclose(now[path].value, then[path].value, atol=1e-5)
    np.testing.assert_allclose(now[PROBABILITIES].value, then[PROBABILITIES].value, atol=1e-4)
    assert np.ptp(now[path].value, axis=0).max() == 0


@pytest.mark.parametrize("model", ["phrases", "dates"])
def test_an_edit_does_not_change_the_mean_of_a_silenced_part(model):
    scenario, runner = catalog.first(model), ForwardPassRunner()
    runner.trace(scenario)
    quiet = scenario.with_silence(Silence(OUT, to=MEAN))
    mean = runner.trace(quiet)[OUT].value
    again = runner.trace(quiet.with_value("source.W_e", (0, 0), 0.25))[OUT].value
    np.testing.assert_array_equal(mean, again)


@settings(max_examples=25, deadline=None)
@given(st.lists(parts(SANDBOX), max_size=4))
def test_a_restored_part_has_exactly_its_values_before(several):
    scenario = SANDBOX
    for each in several:
        scenario = scenario.with_silence(each)
    for each in scenario.silences:
        scenario = scenario.without_silence(*each.part)
    assert scenario == SANDBOX
    runner = ForwardPassRunner()
    np.testing.assert_array_equal(
        runner.trace(scenario)[PROBABILITIES].value, runner.trace(SANDBOX)[PROBABILITIES].value
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(parts(SANDBOX), max_size=5))
def test_json_stores_and_restores_silences(several):
    scenario = SANDBOX
    for each in several:
        scenario = scenario.with_silence(each)
    assert from_json(to_json(SavedSession(scenario))).scenario == scenario
    assert ("silenced" in to_dict(SavedSession(scenario))) == bool(several)


def test_a_part_remains_silenced_when_the_tokens_change():
    quiet = SANDBOX.with_silence(Silence(OUT))
    longer = quiet.with_tokens("source", ["a", "b"] * 10)
    assert not ForwardPassRunner().trace(longer)[OUT].value.any()
    row = SANDBOX.with_silence(Silence(OUT, row=5))
    short = row.with_tokens("source", ["a", "b"])
    assert ForwardPassRunner().trace(short)[OUT].override is None  # the missing row has no effect
    again = short.with_tokens("source", SANDBOX.source)
    assert not ForwardPassRunner().trace(again)[OUT].value[5].any()


def test_silences_of_parts_that_the_model_loses_are_removed_and_reported():
    state = AppState(SANDBOX)
    head, out = Silence("encoder.0.self_attn.head.1.context"), Silence(OUT)
    state.change(SANDBOX.with_silence(head).with_silence(out))
    state.change(state.scenario.with_setting("heads", 1))
    assert state.scenario.silences == (out,)
    assert "silenced" in state.notice
    state.undo()
    assert state.scenario.silences == (head, out)


def test_a_later_edit_overrides_a_silence_and_a_silence_removes_earlier_edits():
    edited = SANDBOX.with_value(OUT, (2, 1), 7).with_value(HEAD, (0, 0), 3)
    quiet = edited.with_silence(Silence(OUT))
    assert [edit.path for edit in quiet.edits] == [split_head(HEAD)[0]]
    value = ForwardPassRunner().trace(quiet.with_value(OUT, (2, 1), 5))[OUT].value
    assert value[2, 1] == 5
    assert np.count_nonzero(value) == 1


def test_all_silences_are_removed_with_the_overrides_and_with_all_edits():
    quiet = SANDBOX.with_silence(Silence(OUT)).with_value("source.W_e", (0, 0), 1)
    assert quiet.without_overrides().silences == ()
    assert quiet.without_overrides().edits
    assert quiet.without_edits() == SANDBOX


def test_a_model_writes_the_words_of_the_pass_with_silences():
    quiet = PHRASES.with_silence(Silence(HEAD)).with_silence(
        Silence("decoder.0.cross_attn.head.0.context")
    )
    runner = ForwardPassRunner()
    written = with_written_target(quiet, runner)
    assert written.target != PHRASES.target
    best = runner.trace(written)[PROBABILITIES].value.argmax(-1).tolist()
    assert [written.target_vocabulary[k] for k in best[:-1]] == list(written.target[1:])


def test_with_a_mean_over_the_text_each_word_is_written_by_its_own_pass():
    own = dataclasses.replace(PHRASES, data=None)
    quiet = own.with_silence(Silence("decoder.0.self_attn.out", to=MEAN))
    runner = ForwardPassRunner()
    written = with_written_target(quiet, runner)
    for length in range(1, len(written.target)):  # each by a pass of the words before it
        short = written.with_written(written.target[:length])
        best = runner.trace(short)[PROBABILITIES].value[-1].argmax()
        assert written.target_vocabulary[best] == written.target[length]


@pytest.mark.parametrize("to", [ZERO, MEAN])
@pytest.mark.parametrize("path", [HEAD, OUT])
def test_sweeps_and_gradients_include_silences(path, to):
    quiet = SANDBOX.with_silence(Silence(path, to=to))
    runner = ForwardPassRunner()
    W_v = f"{path.rpartition('.')[0]}.W_v" if path == HEAD else "encoder.0.self_attn.head.1.W_v"
    swept = sweep(runner.trace(quiet), "source.W_e", (1, 2), [-2.0, 0.5, 3.0])
    for t, value in enumerate((-2.0, 0.5, 3.0)):
        one = ForwardPassRunner().trace(quiet.with_value("source.W_e", (1, 2), value))
        np.testing.assert_allclose(
            swept.frame(t)[PROBABILITIES].value, one[PROBABILITIES].value, atol=1e-6
        )
    # A silenced part has no gradient.
    assert not runner.with_gradients(quiet)[W_v].grad.any()
    assert runner.with_gradients(SANDBOX)[W_v].grad.any()


def test_a_silenced_large_matrix_is_marked_on_its_whole_overview():
    large = SANDBOX.with_setting("d_model", 64).with_setting("d_ff", 256)
    path = "encoder.0.feed_forward.out"
    scenario = large.with_tokens("source", [f"w{k}" for k in range(60)]).with_silence(Silence(path))
    trace = ForwardPassRunner().trace(scenario)
    _, marks = matrix_values(scenario, trace, f"{path}@overview")
    assert (marks == OVERRIDDEN).all()
    _, none = matrix_values(scenario, trace, "encoder.0.feed_forward.hidden@overview")
    assert none is None


def test_silencing_is_one_step_of_undo_and_a_locked_page_refuses_it():
    from tinkerformer.session.address import page_address

    state = AppState(PHRASES)
    state.change(PHRASES.with_silence(Silence(HEAD)))
    assert state.scenario.silences
    state.undo()
    assert state.scenario == PHRASES
    locked = AppState(PHRASES, page_address("lock=all"))
    locked.change(PHRASES.with_silence(Silence(HEAD)))
    assert locked.scenario == PHRASES
    assert locked.notice


def test_a_baseline_keeps_its_own_silences():
    state = AppState(PHRASES)
    state.baseline = PHRASES
    state.change(PHRASES.with_silence(Silence(HEAD)))
    assert state.pinned.trace[HEAD].value.any()
    assert not state.trace[HEAD].value.any()


def test_a_silenced_row_beyond_the_text_is_named_by_its_number():
    row = len(SANDBOX.source) + 1
    assert row == 7
    assert ablation.label(SANDBOX, Silence(OUT, row=row)) == f"row {row}"
    assert ablation.label(SANDBOX, Silence(OUT, row=0)) == f"row “{SANDBOX.source[0]}”"


@pytest.mark.parametrize(
    "silence",
    [Silence(HEAD), Silence(OUT), Silence("encoder.0.feed_forward.activation", column=3)],
)
def test_changing_a_number_that_the_inspector_calls_silenced_changes_nothing(silence):
    quiet = SANDBOX.with_silence(silence)
    runner = ForwardPassRunner()
    trace, said = runner.trace(quiet), set()
    scope = silence.path.split(".")[:3]
    for tensor in (trace[each] for each in trace if each.split(".")[:3] == scope):
        heads = range(len(tensor.value)) if tensor.value.ndim == 3 else [None]
        *_, rows, columns = (1, *tensor.shape)
        for head, i, j in product(heads, range(min(rows, 3)), range(min(columns, 4))):
            path = tensor.path if head is None else head_path(tensor.path, head)
            found = details(runner, quiet, path, i, j)
            if not found["editable"]:
                continue
            edit = quiet.with_value(path, (i, j)[2 - len(trace[path].shape) :], 9.0)
            after = ForwardPassRunner().trace(edit)[PROBABILITIES].value
            is_same = np.array_equal(after, trace[PROBABILITIES].value)
            assert is_same or "unheard" not in found, (path, i, j)
            said.add("unheard" in found)
    assert said == {True, False}
