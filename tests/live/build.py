"""The programs of a live cluster, built from their Go modules into a scratch folder: each once, those that are there are kept.

Nothing of these modules lies in the project. What the module proxy serves is compared with the sums below.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.live import patches
from tests.live.scenario import RELEASES

COST: Final = """\
Building takes some 25 minutes of processor time once, 1 GB of memory, 0.5 GB of disk here and 6 GB in Go's own caches.
What is built is kept, and a build that was interrupted goes on where it was."""
_OLDEST_GO: Final = (1, 26)
_KUBERNETES: Final = "1.35.1"


class BuildError(Exception):
    """Something cannot be built; the text says what and why."""


@dataclass(frozen=True, slots=True)
class Module:
    """A Go module, with the sum of what the module proxy serves of this version."""

    path: str
    version: str
    sum: str

    def __str__(self) -> str:
        return f"{self.path}@{self.version}"


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its name, its module, and its package there. Karpenter is built from a changed copy of its module."""

    name: str
    module: Module
    package: str
    variables: str = ""
    """What the linker sets."""
    changes: tuple[patches.Change, ...] = ()

    @property
    def mark(self) -> str:
        """Return what the program is built from; when that changes, the program is built again."""
        return "\n".join([str(self.module), *([patches.mark_of(self.changes)] if self.changes else ())])


def _kubernetes(name: str) -> Program:
    module = Module("k8s.io/kubernetes", f"v{_KUBERNETES}", "h1:qmjXSCDPnOuXPuJb5pv+eLzpXhhlD09Jid1pG/OvFU8=")
    values = {
        "gitVersion": module.version,
        "gitMajor": "1",
        "gitMinor": _KUBERNETES.split(".")[1],
        "gitTreeState": "clean",
        "gitCommit": "live",
        "buildDate": "2026-01-01T00:00:00Z",
    }
    packages = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    variables = " ".join(f"-X {package}.{key}={value}" for package in packages for key, value in values.items())
    return Program(name, module, f"k8s.io/kubernetes/cmd/{name}", variables)


def _karpenter(minor: str, checksum: str, *more: patches.Change) -> Program:
    module = Module("sigs.k8s.io/karpenter", f"v{RELEASES[minor]}", checksum)
    variables = f"-X sigs.k8s.io/karpenter/pkg/operator.Version={RELEASES[minor]}"
    return Program(f"karpenter-{minor}", module, "./kwok", variables, (*patches.RECORDED, *more))


_ETCD: Final = Module("go.etcd.io/etcd/server/v3", "v3.6.6", "h1:YSRWGJPzU+lIREwUQI4MfyLZrkUyzjJOVpMxJvZePaY=")
PROGRAMS: Final = (
    Program("etcd", _ETCD, "go.etcd.io/etcd/server/v3"),
    _karpenter("1.14", "h1:GjqvOHLjl2+OXM0ti5VEZSQuvcitB0pETd8zdChXEtI="),
    _karpenter("1.15", "h1:5SEptlAvsOZbNg4qg8OSdF1qi6BEZHZLA020nXY7jGw=", *patches.DEVICES),
    _kubernetes("kube-apiserver"),
    _kubernetes("kube-scheduler"),
    _kubernetes("kube-controller-manager"),
)


def build(folder: Path, say: Callable[[str], object]) -> None:
    """Build what is missing of the programs into `bin` of a folder, with Karpenter's CRDs in `crds/MINOR`; `say` how far it is.

    Raises BuildError, with the end of the compiler's words.
    """
    missing = [program for program in PROGRAMS if not _is_built(program, folder)]
    if not missing:
        return
    go = _go_version()
    say(COST)
    for number, program in enumerate(missing, 1):
        say(f"{number}/{len(missing)} {program.name} of {program.module}")
        began = time.monotonic()
        sources = _copy(program, folder, go) if program.changes else _dependent(program, folder)
        _compile(program, sources, folder, say)
        say(f"    built in {time.monotonic() - began:.0f} s")


def _is_built(program: Program, folder: Path) -> bool:
    stamp = _stamp(program, folder)
    return stamp.exists() and stamp.read_text() == program.mark


def _stamp(program: Program, folder: Path) -> Path:
    return folder / "bin" / f"{program.name}.version"


def _go_version() -> str:
    """Return the version of the Go that is installed. Raises BuildError where there is none that is new enough."""
    needed = f"Go {'.'.join(map(str, _OLDEST_GO))} or later (https://go.dev/dl/)"
    try:
        version = _go(["env", "GOVERSION"], Path.cwd()).strip().removeprefix("go")
    except FileNotFoundError:
        raise BuildError(f"the command go was not found; building needs {needed}") from None
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if tuple(numbers) < _OLDEST_GO:
        raise BuildError(f"Go {version} is too old; building needs {needed}")
    return version


def _environment() -> dict[str, str]:
    own = {"CGO_ENABLED": "0", "GOFLAGS": "-mod=mod -buildvcs=false", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    return {**os.environ, **own}


def _go(arguments: list[str], folder: Path) -> str:
    """Return what a command of go prints. Raises BuildError where it fails."""
    done = subprocess.run(["go", *arguments], cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"go {' '.join(arguments)}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def _downloaded(module: Module, folder: Path) -> dict[str, Any]:
    """Return where Go keeps a module. Raises BuildError where it cannot be had or is not the one whose sum is known.

    Go refuses to unpack a module that asks for a newer Go; its zip is there anyway.
    """
    command = ["go", "mod", "download", "-json", str(module)]
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    downloaded: dict[str, Any] = json.loads(done.stdout or "{}")
    if "Zip" not in downloaded:
        raise BuildError(f"{module} cannot be downloaded: {downloaded.get('Error') or done.stderr.strip()}")
    if downloaded["Sum"] != module.sum:
        raise BuildError(f"{module} has the sum {downloaded['Sum']}, not {module.sum}")
    return downloaded


def _dependent(program: Program, folder: Path) -> Path:
    """Write a module that only requires the program's, with the versions of all others that it is published with."""
    sources = folder / "src" / program.name
    sources.mkdir(parents=True, exist_ok=True)
    published = Path(_downloaded(program.module, sources.parent)["Dir"])
    (sources / "go.mod").write_text(dependent_module((published / "go.mod").read_text(), program))
    shutil.copyfile(published / "go.sum", sources / "go.sum")
    return sources


def dependent_module(published: str, program: Program) -> str:
    """Return the go.mod of a module that requires the program's, given that module's own.

    Its neighbours in the same repository are replaced by folders there; these are published as modules too. Those of Kubernetes
    have no version in its go.mod: theirs is v0.35.1 for 1.35.1.
    """
    minor = program.module.version.replace("v1.", "v0.", 1)

    def neighbour(match: re.Match[str]) -> str:
        verb, path = match.groups()
        return f"{verb}{path} => {path} {minor}" if f"{path} v0.0.0" in published else ""

    text = re.sub(r"^(\t|replace )(\S+) => \.\.?/\S+$", neighbour, published, flags=re.M)
    text = re.sub(r"^module .*$", f"module live/{program.name}", text, flags=re.M)
    text = re.sub(r"^toolchain .*$", "", text, flags=re.M)
    return f"{text}\nrequire {program.module.path} {program.module.version}\n"


def _copy(program: Program, folder: Path, go: str) -> Path:
    """Unpack Karpenter's module, changed where a recording needs it, and copy its CRDs."""
    sources = folder / "src" / program.name
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    with zipfile.ZipFile(_downloaded(program.module, sources.parent)["Zip"]) as packed:
        packed.extractall(sources)
    root = sources / str(program.module)
    module = (root / "go.mod").read_text()
    (root / "go.mod").write_text(
        re.sub(r"^go [\d.]+$", f"go {go}", re.sub(r"^toolchain .*$", "", module, flags=re.M), flags=re.M)
    )
    try:
        patches.apply(program.changes, root)
    except patches.PatchError as error:
        raise BuildError(str(error)) from error
    crds = folder / "crds" / program.name.removeprefix("karpenter-")
    crds.mkdir(parents=True, exist_ok=True)
    for file in [*root.glob("pkg/apis/crds/*.yaml"), *root.glob("kwok/apis/crds/*.yaml")]:
        shutil.copyfile(file, crds / file.name)
    return root


def _compile(program: Program, sources: Path, folder: Path, say: Callable[[str], object]) -> None:
    """Compile a program, say every half minute how far that is, and keep the program once it is whole."""
    target = (folder / "bin" / program.name).resolve()
    target.parent.mkdir(exist_ok=True)
    half = target.with_name(f"{program.name}.half")
    log = (folder / "src" / f"{program.name}.log").resolve()
    flags = f"-s -w {program.variables}".strip()
    command = ["go", "build", "-v", "-trimpath", "-ldflags", flags, "-o", str(half), program.package]
    with log.open("wb") as output, subprocess.Popen(command, cwd=sources, env=_environment(), stderr=output) as compiler:
        try:
            while (code := _ended(compiler, 30)) is None:
                say(f"    {len(log.read_bytes().splitlines())} packages compiled")
        except BaseException:
            compiler.terminate()
            raise
    if code:
        raise BuildError(f"{program.name} was not compiled; the end of {log}:\n{log.read_text()[-2000:]}")
    half.rename(target)
    _stamp(program, folder).write_text(program.mark)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Return the exit code of a process, or None where it still runs after so many seconds."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    build(Path(sys.argv[1]), lambda text: sys.stdout.write(f"{text}\n"))
