import json
from typing import Any

import numpy as np
import pytest

from tests.math.training_cases import PAIRS, small, trainer
from transformer_math import Trainer
from transformer_math.checkpoints import safetensors
from transformer_math.data.pairs import read_csv

SAVED = trainer(model=small())
next(SAVED)
DATA = SAVED.save()
ARRAYS, ABOUT = safetensors.load(DATA)
GAMMA = "encoder.0.self_attn.gamma"


def refused(data: bytes) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+\.$") as raised:
        Trainer.load(data, PAIRS)
    return str(raised.value)


def with_about(**changes: str) -> bytes:
    return safetensors.save(ARRAYS, {**ABOUT, **changes})


def with_config(**changes: Any) -> bytes:
    return with_about(config=json.dumps({**json.loads(ABOUT["config"]), **changes}))


def with_array(name: str, array: np.ndarray) -> bytes:
    return safetensors.save({**ARRAYS, name: array}, ABOUT)


def without(*names: str) -> bytes:
    return safetensors.save({k: v for k, v in ARRAYS.items() if k not in names}, ABOUT)


def test_a_loaded_run_is_saved_as_the_same_bytes() -> None:
    assert Trainer.load(DATA, PAIRS).save() == DATA


def test_a_file_that_is_no_run_is_refused() -> None:
    assert "holds no training run" in refused(safetensors.save(small().parameters))
    assert "holds no training run" in refused(safetensors.save(ARRAYS, {"step": "1"}))


@pytest.mark.parametrize(
    "about",
    [
        *[{"step": step} for step in ("", "one", "1.5", "NaN")],
        *[{key: text} for key in ("config", "recipe") for text in ("", "[1]", "null", "3", '"x"')],
        {"config": "[" * 100_000},
        {"recipe": '{"speed": 3}'},
        {"config": '{"color": 3}'},
        {"config": '{"dropout": 3}'},
        {"config": '{"dropout": {"everywhere": 0.1}}'},
        {"config": '{"epsilon": "small"}'},
        {"recipe": '{"beta_1": "0.9"}'},
        {"recipe": '{"peak": NaN}'},
        {"recipe": '{"steps": 0}'},
    ],
    ids=lambda about: str(about)[:40],
)
def test_contradictions_in_a_run_file_are_refused(about: dict[str, str]) -> None:
    assert refused(with_about(**about)) == "The file holds no training run."


def test_an_invalid_count_of_steps_is_refused() -> None:
    assert "steps is a whole number from 0" in refused(with_about(step="-1"))
    finished = Trainer.load(with_about(step="1000000"), PAIRS)
    assert list(finished) == []


def test_a_model_that_does_not_fit_the_arrays_is_refused() -> None:
    assert "shape" in refused(with_config(d_ff=13))
    assert "layers" in refused(with_config(encoder_layers=10**9))
    assert "missing" in refused(with_config(encoder_layers=2))
    assert "float32, the model of float64" in refused(with_config(dtype="float64"))
    assert "holds no" in refused(with_config(source_vocabulary=0))


def test_arrays_that_do_not_fit_are_refused() -> None:
    gamma = ARRAYS[f"parameters/{GAMMA}"]
    for group in ("parameters", "m", "v"):
        name = f"{group}/{GAMMA}"
        assert "shape" in refused(with_array(name, np.ones(gamma.size + 1, np.float32)))
        assert "NaN or infinite" in refused(with_array(name, gamma * np.nan))
        assert "float64" in refused(with_array(name, gamma.astype(np.float64)))
        assert "lacks one of Adam's means" in refused(without(name))
    assert "no array called w/x" in refused(with_array("w/x", gamma))
    assert "missing" in refused(without(*(f"{g}/{GAMMA}" for g in ("parameters", "m", "v"))))
    assert "not below 0" in refused(with_array(f"v/{GAMMA}", -gamma))


def test_pairs_that_do_not_fit_are_refused() -> None:
    other = read_csv("left,right\nup,down")
    with pytest.raises(ValueError, match=r"^The source of the pairs has .*\.$"):
        Trainer.load(DATA, other)
