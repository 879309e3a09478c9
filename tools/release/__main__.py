"""Make a release on this machine; nothing is published.

python -m tools.release dist                  wheel and source distribution, built twice and compared
python -m tools.release make                  all checks, then everything that a release consists of
python -m tools.release schema                write components/schema.json, what programs in other languages can use
python -m tools.release version 1.0.0         write another version into every file that has one
python -m tools.release address https://...   write the project's address wherever the placeholder is
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pulumi_cutlist.package.version import semantic_version

from tools.release import kubectl
from tools.release.bill_of_materials import bill_of_materials
from tools.release.building import NotReproducibleError, build
from tools.release.checks import Check, Outcome, check_wheel, checks, set_version
from tools.release.project import PLACEHOLDER, Project

ROOT: Final = Path(__file__).resolve().parents[2]
DIST: Final = ROOT / "dist"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("dist", "make"):
        commands.add_parser(name).add_argument("--into", type=Path, default=DIST, help="folder for the files")
    commands.add_parser("schema")
    commands.add_parser("version").add_argument("version")
    commands.add_parser("address").add_argument("url")
    options = parser.parse_args(arguments)
    project = Project(ROOT)
    match options.command:
        case "dist":
            return _dist(project, options.into)
        case "make":
            return _make(project, options.into)
        case "schema":
            return _list([_write_schema()])
        case "version":
            return _set_version(project, options.version)
    return _set_address(project, options.url)


def _dist(project: Project, target: Path) -> int:
    """Build both distributions of the current commit."""
    if project.git("status", "--porcelain"):
        _say("note: what is built is the last commit; changes that are not committed are left out")
    try:
        files = build(project, target)
    except NotReproducibleError as error:
        _say(f"error: {error}")
        return 1
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace")
        _say(f"error: `{shlex.join(map(str, error.cmd))}` ended with {error.returncode}:\n{said}")
        return 1
    _say("two builds of this commit are equal")
    for file in files:
        _say(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.stat().st_size:>9}  {file}")
    return 0


def _make(project: Project, target: Path) -> int:
    """Run the checks, show each, and write the files of the release unless one failed."""
    results = checks(project)
    for check in results:
        _show(check)
    if any(check.outcome is Outcome.FAILED for check in results):
        _say("no release: fix what failed")
        return 1
    folder = target / project.tag
    if _dist(project, folder) != 0:
        return 1
    wheel = check_wheel(project)
    _show(wheel)
    if wheel.outcome is not Outcome.OK:
        return 1
    _describe(project, folder)
    _say(
        f"{folder} has the release {project.tag}; nothing is published and no tag is set. docs/releasing.md has the next steps."
    )
    return 0


def _describe(project: Project, folder: Path) -> None:
    """Write what goes with the distributions: the bill of materials, krew's files, the texts, and the checksums of all."""
    distributions = sorted(folder.glob("cutlist-*"))
    bill = bill_of_materials(project, [file for file in distributions if not file.name.endswith(".cdx.json")])
    (folder / f"cutlist-{project.version}.cdx.json").write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
    (folder / "cutlist.yaml").write_text(kubectl.manifest(project, kubectl.archive(project, folder)), "utf-8")
    (folder / "TAG.txt").write_text(f"Cutlist {project.semantic_version}\n\n{project.notes()}\n", "utf-8")
    sums = folder / "SHA256SUMS"
    files = sorted(file for file in folder.iterdir() if file != sums)
    sums.write_text("".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files), "utf-8")


def _write_schema() -> str:
    """Write the schema of the components, which takes every SDK, and return its file."""
    from pulumi_cutlist.package.plugin import Package

    file = "components/schema.json"
    (ROOT / file).write_text(json.dumps(json.loads(Package().schema or "{}"), indent=2, ensure_ascii=False) + "\n", "utf-8")
    return file


def _set_version(project: Project, version: str) -> int:
    """Write a version into the working tree."""
    try:
        semantic_version(version)
    except ValueError as error:
        _say(f"error: {error}")
        return 2
    return _list(set_version(project, version))


def _set_address(project: Project, url: str) -> int:
    """Write the project's address into the working tree."""
    if not url.startswith("https://") or url.endswith("/"):
        _say(f"error: {url!r} is not an address: it begins with https:// and does not end with /")
        return 2
    files = project.with_placeholder()
    for file in files:
        path = project.root / file
        path.write_text(path.read_text("utf-8").replace(PLACEHOLDER, url.removeprefix("https://")), "utf-8")
    return _list(files)


def _list(files: Sequence[str]) -> int:
    """Show which files were written."""
    _say("\n".join(files) if files else "nothing to write")
    return 0


def _show(check: Check) -> None:
    """Show one check."""
    _say(f"{check.outcome:<7} {check.name}" + (f": {check.finding}" if check.finding else ""))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
