import os
import subprocess
import sys
from pathlib import Path

import pytest

from transformer_math import Config, Transformer
from transformer_math.checkpoints.whole_file import NotWritten, write_whole

resource = pytest.importorskip("resource")  # not on Windows

SMALL = ("--data", "phrases", "--steps", "2", "--warmup", "1", "--batch", "2")


def train(out: Path, most_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``tinkerformer train`` with a limit on the size of files, as on a full disk."""

    def limited() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.run(
        [sys.executable, "-m", "tinkerformer", "train", str(out), *SMALL],
        preexec_fn=limited,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_training_without_room_on_the_disk_reports_it_and_keeps_the_old_file(tmp_path):
    out = tmp_path / "model.safetensors"
    assert train(out).returncode == 0
    before = out.read_bytes()
    assert len(before) > 4096
    failed = train(out, 4096)
    assert failed.returncode == 1
    assert failed.stderr.splitlines() == [
        f"{out} could not be written: File too large. What was there before is as it was."
    ]
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_missing_folder_is_reported_before_the_training(tmp_path):
    failed = train(tmp_path / "none" / "model.safetensors")
    assert failed.stderr.startswith("There is no folder ")
    assert failed.stdout == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_device_is_written_to_and_not_replaced(tmp_path):
    link = tmp_path / "model.safetensors"
    link.symlink_to("/dev/full")
    with pytest.raises(NotWritten, match="No space left on device"):
        write_whole({link: b"12345"})
    assert link.is_symlink()
    assert Path("/dev/full").is_char_device()


def test_several_files_are_written_together_or_not_at_all(tmp_path):
    one, two = tmp_path / "one", tmp_path / "none" / "two"
    one.write_bytes(b"old")
    with pytest.raises(NotWritten, match="two could not be written"):
        write_whole({one: b"new", two: b"new"})
    assert one.read_bytes() == b"old"
    two.parent.mkdir()
    write_whole({one: b"new", two: b"new"})
    assert one.read_bytes() == two.read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["none", "one", "two"]


def test_a_symbolic_link_is_written_through_and_not_replaced(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write_whole({link: b"new"})
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_failed_save_keeps_the_old_model(tmp_path, monkeypatch):
    config = Config(source_vocabulary=5, target_vocabulary=5, d_model=4, heads=2)
    model = Transformer.create(config, seed=0)
    path = tmp_path / "model.safetensors"
    model.save(path)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        with pytest.raises(NotWritten, match="as it was"):
            Transformer.create(config, seed=1).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
