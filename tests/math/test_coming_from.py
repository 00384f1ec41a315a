import re
from pathlib import Path

import pytest

import transformer_math
from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Config, Decoding, DropoutRates, Recipe, Trainer, attention, masks
from transformer_math.suggestions import ALIASES

PAGE = Path(__file__).parents[2] / "assets" / "docs" / "coming_from.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S))


def rows(section: str) -> list[list[str]]:
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("| ")]
    return [re.split(r"(?<!\\)\|", line.strip("| ")) for line in lines[1:]]


def test_the_programs_of_the_page_run() -> None:
    programs = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    assert programs
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), {})


def test_the_right_column_names_settings_and_the_left_names_are_answered_with_them() -> None:
    known = {*Config.__dataclass_fields__, *Config().as_dict()}
    for *theirs, ours in rows("Settings"):
        named = re.findall(r"`(\w+)[=`]", ours)
        assert known.intersection(named), ours
        for name in (n for cell in theirs for n in re.findall(r"`(\w+)[=`]", cell)):
            assert name in known or name in ALIASES or "dropout" in name, name
    for name in set(re.findall(r"DropoutRates\.(\w+)", TEXT)):
        assert callable(getattr(DropoutRates, name))
    assert "Config(n_heads=8)" in TEXT
    with pytest.raises(TypeError) as told:
        Config(n_heads=8)
    assert str(told.value) in TEXT


def test_the_right_column_names_paths() -> None:
    model = tiny(norm="pre")
    trace = model(SOURCE, TARGET)
    found = set(re.findall(r"`(?:trace\[\")?((?:encoder|decoder)\.(?:0|final)[\w.]+)", TEXT))
    assert len(found) >= 9
    for path in found:
        assert path in trace or any(name.startswith(path) for name in trace), path


def test_the_right_column_names_functions() -> None:
    places = (transformer_math, attention, masks, transformer_math.decoding)
    right = [row[-1] for section in ("Training", "Generation") for row in rows(section)]
    called = {name for cell in right for name in re.findall(r"(?<![\w.])(\w+)\(", cell)} - {"next"}
    assert {"Trainer", "Decoding", "beam_search", "sample", "greedy_decode"} <= called
    for name in called | set(re.findall(r"(?:masks|attention)\.(\w+)", TEXT)):
        assert any(hasattr(place, name) for place in places) or hasattr(Trainer, name), name
    for setting in ("forbidden_tokens", "normalize_forbidden"):
        assert setting in TEXT
        assert setting in Decoding.__dataclass_fields__
    for schedule in re.findall(r'Recipe\(schedule="(\w+)"', TEXT):
        Recipe(schedule=schedule)
