"""A Python environment that has a wheel of Cutlist and nothing of this repository."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from venv import EnvBuilder

from tests.recorded import PROJECT


@dataclass(frozen=True)
class Environment:
    """An environment with a wheel, used from a folder outside of the repository."""

    folder: Path
    work: Path

    @classmethod
    def linked(cls, wheel: Path, folder: Path) -> Environment:
        """Make an environment that borrows the dependencies which are installed here: Cutlist alone is its own.

        Folders that a `.pth` file names are searched, but the files of this kind in them are not read: so the clone that is
        installed here does not come along.
        """
        environment = cls._made(folder, with_pip=False)
        with zipfile.ZipFile(wheel) as files:
            files.extractall(environment.packages)
        (environment.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
        return environment

    @classmethod
    def installed(cls, wheel: Path, folder: Path, extras: str) -> Environment:
        """Make an environment as a user does, from the package index."""
        environment = cls._made(folder, with_pip=True)
        required = f"{wheel}[{extras}]" if extras else str(wheel)
        constraints = ("--constraint", str(PROJECT / "constraints.txt"))
        environment.run("-m", "pip", "install", "--quiet", "--no-compile", *constraints, required)
        return environment

    @classmethod
    def _made(cls, folder: Path, *, with_pip: bool) -> Environment:
        EnvBuilder(with_pip=with_pip, symlinks=True).create(folder / "environment")
        (folder / "work").mkdir()
        return cls(folder / "environment", folder / "work")

    @property
    def packages(self) -> Path:
        """Return the folder of the installed packages."""
        return self.folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"

    @property
    def variables(self) -> Mapping[str, str]:
        """Return the variables of a shell in which the environment is active."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return {**kept, "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}

    def run(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the environment's Python. Raises AssertionError with what it printed if it ends otherwise than expected."""
        command = [str(self.folder / "bin" / "python"), *arguments]
        done = subprocess.run(command, cwd=self.work, env=self.variables, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def cutlist(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the command."""
        return self.run("-m", "cutlist_cli", *arguments, status=status)
