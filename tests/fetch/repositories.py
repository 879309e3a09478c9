"""Repositories of git in a folder, as a server has them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_OWN = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
_WHO = ("-c", "user.name=Shop", "-c", "user.email=shop@example.com", "-c", "init.defaultBranch=main")


def git(folder: Path, *words: str, stdin: str = "") -> str:
    """Run git in a folder, and return what it prints."""
    done = subprocess.run(
        ["git", *_WHO, *words], cwd=folder, env={**os.environ, **_OWN}, input=stdin, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str], *, links: Mapping[str, str] | None = None, tag: str = "") -> str:
    """Commit files and symbolic links in a work tree, which is made if there is none, and return the commit."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for path, target in (links or {}).items():
        (folder / path).symlink_to(target)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all", "--allow-empty")
    if tag:
        git(folder, "tag", "-a", tag, "-m", tag)
    return git(folder, "rev-parse", "HEAD")


def publish(folder: Path, repositories: Path, name: str) -> None:
    """Put a work tree's repository where the server finds it."""
    repositories.mkdir(exist_ok=True)
    git(repositories, "clone", "-q", "--mirror", str(folder), f"{name}.git")
