import dataclasses

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.experiments import dropout_draws
from tinkerformer.explain.dropout_words import dropout_sentence
from tinkerformer.features.dropout.view import NOTHING, OFF, RESTS, TOO_LARGE, DropoutView
from tinkerformer.files import catalog
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.scenario.model_settings import DROPOUT_PRESETS, DropoutSettings
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.cells import details
from transformer_math.ops.elementwise import Dropout

PHRASES = catalog.first("phrases")
SITES = {
    "embedding": "embeddings",
    "attention_weights": "on the attention weights",
    "attention_output": "attention",
    "activation": "after",
    "feed_forward_output": "output",
}


def captions(scenario):
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    return [row["caption"] or "" for stage in manifest["stages"] for row in stage["rows"]]


@pytest.mark.parametrize("name", DROPOUT_PRESETS)
def test_the_sentence_of_a_preset_names_the_places_of_dropout(name):
    settings = DropoutSettings().changed("preset", name)
    assert settings.preset == name
    for site, rate in settings.values().items():
        if rate:
            assert SITES[site] in settings.words
    assert ("ReLU" in settings.words) == (name == "after_activation")


def test_the_sentence_is_below_the_choice_and_changes_with_it():
    state = AppState()
    view = DropoutView(state)

    def under():
        names = [field["name"] for field in view.rates.fields]
        assert names.index("sites") == names.index("dropout.preset") + 1
        return view.rates.fields[names.index("sites")]["value"]

    assert under().startswith("The paper (Section 5.4)")
    state.change(state.scenario.with_setting("dropout.preset", "after_activation"))
    assert under().startswith("Variant: after the embeddings")
    view.rates.receive({"type": "change", "name": "dropout.activation", "value": "0.3"})
    assert under().startswith("Your own rates")


def test_a_stage_shows_the_rate_of_its_own_site():
    settings = {"dropout.preset": "torch", "dropout.attention_weights": 0.2}
    scenario = Scenario().with_training(True)
    for name, raw in settings.items():
        scenario = scenario.with_setting(name, raw)
    found = [caption for caption in captions(scenario) if "Dropout with p" in caption]
    weights = [caption for caption in found if caption.startswith("Each row of A")]
    assert weights
    assert all("p = 0.2" in caption and "1 − p = 0.8" in caption for caption in weights)
    others = [caption for caption in found if caption not in weights]
    assert others
    assert all("p = 0.1" in caption and "1 − p = 0.9" in caption for caption in others)
    assert not any("Dropout with p" in caption for caption in captions(Scenario()))


def test_the_inspector_says_what_dropout_does_and_when_it_is_off():
    scenario = Scenario().with_training(True).with_setting("dropout.embedding", 0.25)
    runner = ForwardPassRunner()
    found = details(runner, scenario, "source.dropout", 0, 0)
    for words in ("p = 0.25", "divided by 1 − p = 0.75", "expected value", "regularizes", "off"):
        assert words in found["note"]


def test_the_card_counts_the_dropped_numbers_and_draws_other_masks():
    state = AppState()
    view = DropoutView(state)

    def now():
        return next(field["value"] for field in view.form.fields if field["name"] == "now")

    assert now() == OFF
    state.change(state.scenario.with_training(True).with_setting("dropout.common", 0.5))
    masks = [t.op.kept for t in state.trace.tensors.values() if isinstance(t.op, Dropout)]
    gone, count = sum((~mask).sum() for mask in masks), sum(mask.size for mask in masks)
    assert now().startswith(f"Dropped now: {gone} of {count:,} numbers at {len(masks)} sites")
    before = state.scenario.mask_seed
    view.form.receive({"type": "change", "name": "resample"})
    assert state.scenario.mask_seed != before
    view.form.receive({"type": "change", "name": "keep_masks", "value": False})
    assert state.scenario.keep_masks is False
    view.rates.receive({"type": "change", "name": "dropout.common", "value": "0"})
    assert now() == NOTHING


def test_the_card_states_the_changes_that_fifty_masks_make():
    state = AppState(PHRASES.with_training(True))
    state.go("asked", 2)
    view = DropoutView(state)

    def said():
        return next((f["value"] for f in view.form.fields if f["name"] == "draws"), None)

    def expected(scenario):
        plain = ForwardPassRunner().trace(scenario.with_training(False))[PROBABILITIES].value
        likeliest, found, stays, every = plain.argmax(-1), [], 0, 0
        for seed in range(scenario.mask_seed + 1, scenario.mask_seed + 51):
            drawn = dataclasses.replace(scenario, mask_seed=seed)
            shares = ForwardPassRunner().trace(drawn)[PROBABILITIES].value
            found.append(shares[2, likeliest[2]])
            stays += shares[2].argmax() == likeliest[2]
            every += (shares.argmax(-1) == likeliest).all()
        word = scenario.output_vocabulary[likeliest[2]]
        return (
            f"Without dropout “{word}” is the likeliest word. It stays the likeliest in {stays} of "
            f"50 random draws; its probability is {np.mean(found):.2f} ± {np.std(found):.2f}. The "
            f"whole sentence stays the same in {every}."
        )

    first = said()
    assert first == expected(state.scenario)
    state.change(state.scenario.resampled())
    assert said() == expected(state.scenario)
    state.change(state.scenario.with_setting("dropout.common", 0.02))
    assert said() == expected(state.scenario) != first
    state.select(CellAddress("source.W_e", 0, 0))
    state.oscillation = state.oscillation._replace(on=True)
    assert said() == RESTS
    state.oscillation = state.oscillation._replace(on=False)
    assert said() == expected(state.scenario)
    state.change(state.scenario.with_value("source.W_e", (0, 0), 2.0), press=1, held=True)
    assert said() == RESTS
    state.release()
    assert said() == expected(state.scenario)
    state.change(state.scenario.with_setting("dropout.common", 0))
    assert said() is None
    state.change(PHRASES)
    assert said() is None


def test_a_large_model_has_fewer_masks_or_none(monkeypatch):
    scenario = PHRASES.with_training(True)
    each = cost.forward_pass(scenario)
    for most, times in ((each * 7, 7), (each * 3, 0), (each * 700, 50)):
        monkeypatch.setattr(dropout_draws, "MOST_WORK", most)
        assert dropout_draws.count_of(scenario) == times
    monkeypatch.setattr(dropout_draws, "MOST_WORK", 0)
    view = DropoutView(AppState(scenario))
    assert TOO_LARGE in [field["value"] for field in view.form.fields if "value" in field]


def test_one_rate_applies_to_all_sites_that_drop_numbers():
    settings = DropoutSettings().changed("preset", "torch").changed("common", "0.3")
    assert settings.preset == "torch"
    assert {settings.values()[site] for site in settings.sites} == {0.3}
    none = settings.changed("common", 0)
    assert (none.sites, none.field("common")["value"]) == ([], 0)
    # If no site drops, the rate is applied to the paper's sites.
    assert none.changed("common", 0.2).sites == DropoutSettings().sites
    with pytest.raises(ValueError, match=r"0 to 0\.9"):
        settings.changed("common", "2")


def test_a_sentence_states_the_effect_of_dropout_on_the_shown_pass():
    runner = ForwardPassRunner()
    scenario = PHRASES.with_training(True)
    trace = runner.trace(scenario)
    sites = [t for t in trace.tensors.values() if isinstance(t.op, Dropout)]
    zeros = sum(int((t.value == 0).sum() - (t.inputs[0].value == 0).sum()) for t in sites)
    size = sum(t.value.size for t in sites)
    said = dropout_sentence(scenario, trace)
    assert said == (
        f"Dropout sets {zeros} of {size} numbers to 0 at random and divides the others by 0.9; "
        "the decoder reads the words written without dropout."
    )
    for tensor in sites:
        kept = tensor.value != 0
        np.testing.assert_allclose(
            tensor.value[kept] * 0.9, tensor.inputs[0].value[kept], rtol=1e-5
        )
    # A typed target is read as typed; sites may have rates of their own.
    own = scenario.with_setting("dropout.embedding", 0.5)
    assert "by 1 − p, by the rate p of each site" in dropout_sentence(own, runner.trace(own))
    given = scenario.with_tokens("target", list(scenario.target))
    assert not given.writes_itself
    assert dropout_sentence(given, runner.trace(given)).endswith("the others by 0.9.")
    assert dropout_sentence(PHRASES, runner.trace(PHRASES)) == ""
