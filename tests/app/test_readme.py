"""What the README shows is what works: its example runs, and CI runs its very commands."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_run(capsys):
    said = []
    for example in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(compile(example, "README.md", "exec"), {})
        said.append(capsys.readouterr().out)
    assert "√4" in said[0]
    assert "(4, 32, 8)" in said[1]
    assert "0.0526·(0.0136 − 0.00149)" in said[1]
    selected, shape = said[2].splitlines()
    assert "encoder.0.self_attn.head.0.weights" in selected
    assert shape == "(2, 16)"


def test_ci_runs_the_tests_by_the_readme_s_command():
    serve, test, _ = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert "panel serve app/main.py --show" in serve
    assert "\n" not in serve + test
    assert test in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_picture_is_there():
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / name).is_file()
