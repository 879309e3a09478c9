"""The fence: what a process that answers an assistant may open, list and do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutlist_cli.assistants.fence import folders_of_code, guard
from cutlist_cli.assistants.roots import Roots, read_roots


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "root"
    folder.mkdir()
    (folder / "a.yaml").write_text("a: 1\n")
    (folder / "link.yaml").symlink_to("/etc/passwd")
    return folder


def refused(hook: Callable[[str, tuple[Any, ...]], None], event: str, *arguments: Any) -> bool:
    """Tell whether a fence refuses what an audit event reports."""
    try:
        hook(event, arguments)
    except PermissionError:
        return True
    return False


def test_only_reading_below_the_roots_and_of_code_is_possible(root):
    hook = guard(Roots((str(root),)), folders_of_code())
    allowed = (
        ("open", str(root / "a.yaml"), "r", os.O_RDONLY),
        ("open", os.fsencode(root / "a.yaml"), None, os.O_RDONLY | os.O_CLOEXEC),
        ("open", "a.yaml", "r", os.O_RDONLY),
        ("open", 3, "r", os.O_RDONLY),
        ("open", os.devnull, "w", os.O_WRONLY),
        ("open", os.__file__, "rb", os.O_RDONLY),
        ("os.scandir", str(root)),
        ("os.listdir", None),
        ("import", "json"),
    )
    assert [refused(hook, event, *arguments) for event, *arguments in allowed] == [False] * len(allowed)


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("open", ("/etc/passwd", "r", os.O_RDONLY)),
        ("open", ("../b.yaml", "r", os.O_RDONLY)),
        ("open", ("link.yaml", "r", os.O_RDONLY)),
        ("open", ("a.yaml", "r+", os.O_RDWR)),
        ("open", ("new.yaml", "x", os.O_WRONLY | os.O_CREAT)),
        ("os.scandir", ("/etc",)),
        ("os.listdir", ("..",)),
        ("os.rename", ("a.yaml", "b.yaml", -1, -1)),
        ("subprocess.Popen", ("kustomize", [], None, None)),
        ("os.posix_spawn", ("git", [], {})),
        ("socket.connect", (None, ("127.0.0.1", 80))),
        ("socket.getaddrinfo", ("example.com", 80, 0, 0, 0)),
    ],
)
def test_everything_else_is_refused(event, arguments, root):
    with pytest.raises(PermissionError):
        guard(Roots((str(root),)), folders_of_code())(event, arguments)


def test_a_neighbour_with_a_longer_name_is_outside(root):
    """`/a/root-2` is not below `/a/root`."""
    roots = read_roots([str(root), f"{root}/../root"])
    assert roots.folders == (str(root),)
    assert not roots.has(f"{root}-2/a.yaml")
    assert Roots(("/",)).has("/etc/passwd")
