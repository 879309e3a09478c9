"""List what changed between two versions of a Go module, by package: where to look when a new Karpenter is released.

    python -m tools.module_diff github.com/aws/karpenter-provider-aws v1.15.1 v1.15.2

Both versions come from Go's module cache, or through the proxy where they are missing. Tests and files that are not part of the
program (documents, scripts) are counted, not listed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Final

_COUNTED: Final = (".go", ".yaml", ".yml", ".json", ".tpl", ".mod")
_APART: Final = ("hack/", "docs/", "designs/", "examples/", "test/", ".github/", "website/")

Files = Mapping[str, bytes]


def unpacked(module: str, version: str) -> Files:
    """Return the files of a version of a module by path. Raises OSError when it is not available."""
    asked = subprocess.run(  # noqa: S603 - the arguments are the user's own
        ["go", "mod", "download", "-json", f"{module}@{version}"],  # noqa: S607 - as installed
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    answer = json.loads(asked.stdout or "{}")
    if "Zip" not in answer:  # a module that needs a newer Go has an error as well, but its archive is there
        raise OSError(answer.get("Error") or asked.stderr.strip() or f"{module}@{version} cannot be downloaded")
    with zipfile.ZipFile(Path(answer["Zip"])) as archive:
        prefix = f"{module}@{version}/"
        return {name.removeprefix(prefix): archive.read(name) for name in archive.namelist()}


def changes(before: Files, after: Files) -> dict[str, tuple[int, int]]:
    """Return how many lines each changed file gains and loses."""
    counted = {}
    for path in sorted(before.keys() | after.keys()):
        old, new = (files.get(path, b"") for files in (before, after))
        if old != new:
            first, second = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
            diff = list(unified_diff(first, second, lineterm="", n=0))[2:]
            counted[path] = (sum(line.startswith("+") for line in diff), sum(line.startswith("-") for line in diff))
    return counted


def report(counted: Mapping[str, tuple[int, int]]) -> Iterable[str]:
    """Yield the lines that say what changed."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    others = 0
    for path, (gained, lost) in counted.items():
        if path.endswith(_COUNTED) and not path.startswith(_APART) and not path.endswith("_test.go"):
            folder, _, name = path.rpartition("/")
            by_folder[folder or "."].append(f"{name} +{gained} -{lost}")
        else:
            others += 1
    for folder, names in sorted(by_folder.items()):
        yield f"{folder}: {', '.join(names)}"
    yield f"{len(counted) - others} files changed in {len(by_folder)} folders; {others} tests, documents and scripts besides"


def main(arguments: list[str]) -> int:
    """Print the changes; 2 for wrong arguments or a version that is not available."""
    if len(arguments) != 3:
        sys.stderr.write(f"{__doc__}")
        return 2
    module, old, new = arguments
    try:
        counted = changes(unpacked(module, old), unpacked(module, new))
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in report(counted))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
