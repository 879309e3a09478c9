"""A layout as its team has it: a checkout of git, with the charts that it takes from elsewhere on a server of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.fetch.charts import packed
from tests.fetch.repositories import git
from tests.fetch.servers import Remote, serving
from tests.layouts.expected import FOLDER, expected

_WRITTEN = "127.0.0.1:8879"
"""The server's address in the files."""


@contextmanager
def checkout(layout: str, folder: Path) -> Iterator[Path]:
    """Yield a copy of a layout in a folder, without what is not in the team's repository, while its charts are served."""
    copy = folder / "repo"
    shutil.copytree(FOLDER / layout, copy, ignore=shutil.ignore_patterns("EXPECTED.md", "_remote"))
    with serving(_remote(FOLDER / layout / "_remote" / "charts")) as remote:
        for file in (path for path in copy.rglob("*") if path.is_file()):
            data = file.read_bytes()
            if _WRITTEN.encode() in data:
                file.write_bytes(data.replace(_WRITTEN.encode(), remote.address.encode()))
        git(copy, "init", "-q")
        git(copy, "remote", "add", "origin", expected(layout)[0])
        git(copy, "add", "-A")
        git(copy, "commit", "-qm", "all")
        yield copy


def _remote(charts: Path) -> Remote:
    """Return a server with the charts of a folder."""
    remote = Remote()
    for chart in sorted(charts.glob("*/Chart.yaml")):
        about = yaml.safe_load(chart.read_text("utf-8"))
        files = {
            str(path.relative_to(chart.parent)): path.read_text("utf-8") for path in chart.parent.rglob("*") if path.is_file()
        }
        remote.add_chart(about["name"], str(about["version"]), packed(about["name"], files))
    return remote
