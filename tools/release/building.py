"""The wheel and the source distribution, built so that everybody who builds the same commit gets the same bytes."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.release.project import Project


class NotReproducibleError(Exception):
    """Two builds of one commit differ."""


def build(project: Project, target: Path) -> list[Path]:
    """Build the current commit twice, in different surroundings, and return the files in `target`. Raises
    NotReproducibleError if the two builds differ."""
    with tempfile.TemporaryDirectory() as folder:
        first = _built(project, Path(folder, "first"), umask=0o022, zone="UTC")
        second = _built(project, Path(folder, "a second, elsewhere"), umask=0o077, zone="Asia/Kathmandu")
        names = sorted({file.name for file in (*first, *second)})
        different = [name for name in names if len({file.read_bytes() for file in (*first, *second) if file.name == name}) > 1]
        if different or len(first) != len(second):
            raise NotReproducibleError(f"two builds of the same commit differ: {', '.join(different or names)}")
        target.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(file, target)) for file in first]


def _built(project: Project, folder: Path, *, umask: int, zone: str) -> list[Path]:
    """Return the distributions of the current commit, built in a folder that has nothing else."""
    source, target = folder / "source", folder / "dist"
    before = os.umask(umask)
    try:
        export(project, source)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(project.commit_time()), "TZ": zone}
        command = [sys.executable, "-m", "hatchling", "build", "--directory", str(target)]
        subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)  # noqa: S603 - our own build
    finally:
        os.umask(before)
    return sorted(target.iterdir())


def export(project: Project, target: Path) -> None:
    """Write the files of the current commit into a folder, without anything that lies beside them."""
    command = ["git", "-C", str(project.root), "archive", "--format=tar", "HEAD"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603 - git, with our own arguments
    target.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")
