"""``tinkerformer train``, and the checkpoint of the page, which it wrote."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.cli import train
from tinkerformer.cli.command import main
from tinkerformer.files import model_file
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import Config, Transformer, initialization
from transformer_math.checkpoints import safetensors
from transformer_math.data.dates import dates
from transformer_math.data.phrases import ENGLISH, FRENCH
from transformer_math.training.evaluation import exact_matches

ASSET = Path(__file__).parents[2] / "assets" / "dates.safetensors"
SMALL = ["--d-model", "8", "--heads", "2", "--batch", "4", "--warmup", "1"]


def model_of(path: Path) -> Transformer:
    file = safetensors.load(path.read_bytes())
    config = Config.from_dict(json.loads(file.metadata["config"]))
    return Transformer(config, file.arrays)


def told(file: safetensors.TensorFile) -> dict[str, object]:
    """Return the metadata of a file, with defaults for missing settings."""
    return {**file.metadata, "config": Config.from_dict(json.loads(file.metadata["config"]))}


def test_the_checkpoint_of_the_page_translates_every_held_out_date_correctly() -> None:
    assert ASSET.stat().st_size < 300_000
    assert exact_matches(model_of(ASSET), dates()) == (1_000, 1_000)


def test_the_checkpoint_of_the_page_is_one_that_the_command_writes(tmp_path: Path) -> None:
    """Only shapes and settings are compared, because computing the numbers takes ten seconds."""
    main(["train", str(tmp_path / "a.safetensors"), "--steps", "2", "--warmup", "1"])
    made = safetensors.load((tmp_path / "a.safetensors").read_bytes())
    kept = safetensors.load(ASSET.read_bytes())
    assert told(made) == told(kept)
    assert {p: a.shape for p, a in made.arrays.items()} == {
        p: a.shape for p, a in kept.arrays.items()
    }


def test_training_reports_its_progress_and_the_page_opens_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small.safetensors"
    main(["train", str(out), "--steps", "3", *SMALL])
    said = capsys.readouterr().out
    assert "step 3: loss " in said
    assert "of 1,000 unseen pairs right" in said
    scenario = model_file.load(out.read_bytes(), Scenario(), "small")
    assert scenario.weights is not None
    assert scenario.own_vocabulary is not None
    assert len(scenario.target_vocabulary) == 68
    found = scenario.weights.arrays["decoder.0.cross_attn.W_q"]
    np.testing.assert_array_equal(found, model_of(out).parameters["decoder.0.cross_attn.W_q"])


def test_weights_are_drawn_in_the_order_of_their_names_in_either_notation(tmp_path: Path) -> None:
    """Both draw pairs alike, so that they train the same numbers with the same seed."""
    out = tmp_path / "drawn.safetensors"
    nothing_learned = ["--steps", "2", "--warmup", "1", "--peak", "1e-30"]
    main(["train", "--data", "phrases", "--seed", "7", *nothing_learned, str(out)])
    model = model_of(out)
    drawn = initialization.parameters(model.config, 7, ENGLISH.tokens, FRENCH.tokens)
    assert model.parameters.keys() == drawn.keys()
    for path, array in model.parameters.items():
        np.testing.assert_allclose(array, drawn[path], rtol=0, atol=1e-20, err_msg=path)


def test_own_pairs_are_reported_and_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv = tmp_path / "pairs.csv"
    csv.write_text("source,target\nab,ba\ncd,dc\nalone\nef,fe\n", encoding="utf-8")
    main(["train", str(tmp_path / "own.safetensors"), "--pairs", str(csv), "--steps", "2", *SMALL])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "3 pairs with 6 and 6 different characters."
    assert said[4].startswith("Skipped 1 line. Line 4 has 1 column and needs 2")
    assert "of 1 unseen pairs right" in said[-1]
    assert model_of(tmp_path / "own.safetensors").config.source_vocabulary == 9


def test_a_spreadsheet_of_own_pairs_is_learned_word_by_word(tmp_path: Path) -> None:
    csv, out = tmp_path / "pairs.csv", tmp_path / "own.safetensors"
    text = "en;fr;note\r\nthe cat;le chat;1\r\na cat;un chat;2\r\na cat;une chatte;3\r\n"
    csv.write_bytes(text.encode("utf-16"))
    words = ["--most-words", "5", "--pairs", str(csv), str(out)]
    main(["train", "--steps", "2", *SMALL, *words])
    scenario = model_file.load(out.read_bytes(), Scenario(), "own")
    assert scenario.vocabulary.unit == "word"
    assert scenario.source_vocabulary == ("a", "cat", "the", "<sos>", "<eos>", "<pad>")
    assert scenario.target_vocabulary == (
        *("chat", "chatte", "le", "un", "une"),
        *("<sos>", "<eos>", "<pad>"),
    )


def test_a_report_is_printed_on_a_console_with_few_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, printed = tmp_path / "pairs.csv", io.BytesIO()
    file.write_text("en,ru\nyes,да\nno,нет\nred cat,рыжий кот\n", "utf-8")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, "cp1252", write_through=True))
    main(["train", str(tmp_path / "a.safetensors"), "--steps", "2", *SMALL, "--pairs", str(file)])
    assert "Read as comma-separated, UTF-8; en ? ru." in printed.getvalue().decode("cp1252")


def test_two_parallel_files_are_learned(tmp_path: Path) -> None:
    files = [tmp_path / "train.en", tmp_path / "train.fr"]
    for file, text in zip(files, ("the cat\na dog\n", "le chat\nun chien\n"), strict=True):
        file.write_text(text, "utf-8")
    out = tmp_path / "own.safetensors"
    options = ["--steps", "2", *SMALL, "--pairs", *map(str, files)]
    main(["train", str(out), *options])
    made = out.read_bytes()
    main(["train", *options, str(out)])  # the output file may be the last argument
    assert out.read_bytes() == made
    assert model_of(out).config.target_vocabulary == 7
    with pytest.raises(SystemExit, match=r"^Name the \.safetensors file to write\.$"):
        main(["train", *options])
    assert files[1].read_text("utf-8") == "le chat\nun chien\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--unit", "word"], "^--unit is for --pairs"),
        (["--data", "phrases", "--most-words", "9"], "^--most-words is for --pairs, not for phr"),
        (["--pairs", "a", "b", "c"], "--pairs takes one file, or two parallel ones"),
    ],
)
def test_errors_are_one_sentence(options: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=sentence):
        main(["train", str(tmp_path / "x.safetensors"), *options])


def test_data_are_either_built_in_or_own_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["train", str(tmp_path / "x"), "--data", "phrases", "--pairs", "my.csv"])
    assert "not allowed with argument --data" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["train", str(tmp_path / "x"), "--data", "verbs"])
    assert "invalid choice: 'verbs'" in capsys.readouterr().err


def test_pairs_that_leave_one_to_learn_are_refused_with_the_first_bad_line(tmp_path: Path) -> None:
    csv = tmp_path / "pairs.csv"
    csv.write_text("ab,ba\ncd\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"[Ll]ine 2"):
        main(["train", str(tmp_path / "x.safetensors"), "--pairs", str(csv)])


LESSON = "---\ntitle: A\nminutes: 1\nscenario: phrases\n---\n\n## A step\n\n:::{predict}\n"


def test_lessons_are_checked_without_a_browser(tmp_path: Path, capsys) -> None:
    right, wrong = tmp_path / "right.md", tmp_path / "wrong.md"
    ask = "ask: How many?\ntolerance: 0.1\nhint: Count.\n"
    right.write_text(f'{LESSON}answer: length("source")\n{ask}:::\n', encoding="utf-8")
    main(["lesson", "check", "--no-browser", str(right)])
    assert "right.md: 1 step," in capsys.readouterr().out
    wrong.write_text(f"{LESSON}answer: word(99)\n{ask}:::\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["lesson", "check", "--no-browser", str(tmp_path)])
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "right.md: 1 step," in said
    assert "wrong.md, line 9: " in said


def test_without_playwright_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    monkeypatch.delitem(sys.modules, "tinkerformer.cli.lesson_walk", raising=False)
    file = tmp_path / "a.md"
    file.write_text(LESSON.replace(":::{predict}\n", "Text.\n"), encoding="utf-8")
    with pytest.raises(SystemExit, match="pip install playwright"):
        main(["lesson", "check", str(file)])


def test_a_missing_folder_of_lessons_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There is no folder"):
        main(["--lessons", str(tmp_path / "none"), "--no-show"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pairs", "none.csv"], "There is no file none.csv to read pairs from."),
        (["--heads", "3"], "--d-model (32) has to be a multiple of --heads (3)."),
        (["--steps", "0"], "--steps is a whole number from 1 to 1,000,000, not 0."),
        (["--peak", "0"], "--peak is a number above 0 and at most 100, not 0.0."),
        (["--d-ff", "0"], "--d-ff is a whole number from 1, not 0."),
        (["--seed", "-1"], "--seed is a whole number from 0 to 2,147,483,647, not -1."),
        (
            ["--warmup", "9000"],
            "--warmup (9,000) has to end before the last of the 600 steps: give --steps 600 "
            "--warmup 60.",
        ),
    ],
)
def test_an_error_of_the_command_names_its_options(tmp_path, options, said):
    with pytest.raises(SystemExit) as stopped:
        main(["train", str(tmp_path / "a.safetensors"), *options])
    assert stopped.value.code == said


def test_errors_of_the_command_name_only_existing_options(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    listed = capsys.readouterr().out
    assert all(option in listed for option in train.OPTIONS.values())


@pytest.mark.parametrize("name", ["a.safetensors", "a.pt"])
def test_a_file_without_weights_is_refused_by_name(tmp_path, name, capsys):
    (tmp_path / name).write_bytes(b"no weights at all")
    with pytest.raises(SystemExit, match=f"^{name} is neither in the safetensors format nor a"):
        main(["names", str(tmp_path / name), "--to", str(tmp_path / "names.json")])
