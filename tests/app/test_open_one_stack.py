"""GPT-2 and BERT in Hugging Face's files, opened on the page."""

import json
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.board.stages import explore, picture
from tinkerformer.board.stages.sheet import Viewport
from tinkerformer.files.given_model import scenario_of
from tinkerformer.files.open_model import opened
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from tests.math.test_hugging_face import FILES, READ
from transformer_math.checkpoints.state import Wanted

EACH = pytest.mark.parametrize("name", FILES)
GPT = [f"w{n}" for n in range(17)]
BERT = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", *(f"w{n}" for n in range(15))]


def files(name: str) -> dict[str, bytes]:
    """Return the files of a model with its words, as in its folder."""
    if name == "gpt2":
        words = json.dumps({token: n for n, token in enumerate(GPT)})
        return {**FILES[name], "vocab.json": words.encode()}
    return {**FILES[name], "vocab.txt": "\n".join(BERT).encode()}


@EACH
@pytest.mark.parametrize("from_folder", [False, True])
def test_the_page_computes_the_same_output_as_the_library(
    name: str, from_folder: bool, tmp_path: Path
) -> None:
    if from_folder:
        for file, data in files(name).items():
            (tmp_path / file).write_bytes(data)
        scenario = scenario_of(tmp_path, None, None, None, {})
    else:
        scenario = opened(files(name), Scenario())
    model = READ[name](FILES[name])
    assert scenario.config.kind == model.config.kind
    runner = ForwardPassRunner()
    if name == "gpt2":
        scenario = scenario.with_tokens("target", [GPT[0], GPT[5], GPT[9]])
        wanted = model.logits(None, [0, 5, 9])
    else:
        assert scenario.source == ("[CLS]", "[MASK]", "[SEP]")
        assert scenario.blank == 1
        scenario = scenario.with_tokens("source", [BERT[1], BERT[3], BERT[2], BERT[0]])
        wanted = model.logits([1, 3, 2, 0])
    trace = runner.trace(scenario)
    np.testing.assert_allclose(trace["output.logits"].value, wanted, atol=1e-5)
    (lanes,) = picture.manifest(scenario, trace, 1)["whole"]["stacks"]
    assert lanes["stack"] == ("decoder" if name == "gpt2" else "encoder")
    stages = [s["id"] for s in explore.manifest(scenario, trace, 1, Viewport())["stages"]]
    assert stages[-1] == "output"


@EACH
def test_without_a_vocabulary_ids_are_shown(name: str) -> None:
    scenario = opened(FILES[name], Scenario())
    assert scenario.output_vocabulary[:3] == ("0", "1", "2")


@EACH
def test_weights_without_settings_need_the_number_of_heads(name: str) -> None:
    weights = {"model.safetensors": FILES[name]["model.safetensors"]}
    with pytest.raises(Wanted) as wanted:
        opened(weights, Scenario())
    assert (wanted.value.setting, wanted.value.choices) == ("heads", [1, 3, 5, 15])
    assert opened(weights, Scenario(), heads=3).config.heads == 3
