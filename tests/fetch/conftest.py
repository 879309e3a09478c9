"""A server, a home and a cache for each test, and the installed helm where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cutlist_live.fetch import Cache, Lock, ToolFetcher
from cutlist_live.fetch.limits import Limits
from tests.fetch.servers import Remote, serving
from tests.recorded import PROJECT

PROGRAMS = PROJECT / ".engine/bin"
"""Where `make helm` and `make kustomize` put what they build."""


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    """Return a server that has nothing yet."""
    with serving(Remote(repositories=tmp_path / "repositories")) as started:
        yield started


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user with an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELM_", "GIT_", "XDG_", "DOCKER_"))}
    return {**kept, "HOME": str(home), "PATH": os.pathsep.join((str(PROGRAMS), os.environ["PATH"]))}


@pytest.fixture
def helm(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip a test that needs helm where there is none."""
    monkeypatch.setenv("PATH", environment["PATH"])
    if shutil.which("helm") is None:
        pytest.skip("helm is not installed; `make helm` builds it")


@pytest.fixture
def fetcher(tmp_path: Path, environment: dict[str, str]) -> Callable[..., ToolFetcher]:
    """Return what makes a fetcher with a cache and a lock in the test's folder."""

    def make(
        *, lock: bool = False, offline: bool = False, cache: str = "cache", limits: Limits | None = None, **changes: str
    ) -> ToolFetcher:
        return ToolFetcher(
            Cache(str(tmp_path / cache)),
            {**environment, **changes},
            Lock.of(str(tmp_path / "cutlist.lock")) if lock else None,
            offline,
            limits or Limits(seconds=60),
        )

    return make
