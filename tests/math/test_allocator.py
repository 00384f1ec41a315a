import ctypes
import platform
import sys
from typing import Any

import pytest

from transformer_math.training.allocator import keep_freed_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is another one")
def test_with_glibc_the_allocator_is_set() -> None:
    assert keep_freed_memory() is True
    assert keep_freed_memory() is True  # a second call has no effect


def no_library(_name: Any) -> Any:
    raise OSError("no such library")


@pytest.mark.parametrize("system", ["win32", "darwin", "emscripten"])
def test_on_another_system_nothing_is_set(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(ctypes, "CDLL", no_library)
    assert keep_freed_memory() is False


@pytest.mark.parametrize("library", [no_library, lambda _name: object()], ids=["none", "another"])
def test_with_another_library_nothing_is_set(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", library)
    assert keep_freed_memory() is False
