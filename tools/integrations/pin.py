"""Write `requirements.txt`: what the pipelines install, in the versions of constraints.txt, each with the hashes of its wheels.

Run it as `python tools/integrations/pin.py` after a change of either file; it asks the package index, and installs nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
EXTRAS: Final = ("aws", "azure", "kubernetes")
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
MACHINES: Final = ("x86_64", "aarch64")
TARGET: Final = ROOT / "tools/integrations/requirements.txt"
_HEAD: Final = f"""# What the pipelines install before Cutlist: every dependency of the extras {", ".join(EXTRAS)},
# and what builds Cutlist. Versions are those of constraints.txt; hashes are those of the wheels
# for Python {PYTHONS[0]} to {PYTHONS[-1]} on Linux, {" and ".join(MACHINES)}. Made by tools/integrations/pin.py.
"""


def wanted(project: dict[str, Any], extras: Iterable[str]) -> Iterator[str]:
    """Yield the requirements of some extras, those of extras that they name included, and of the project itself."""
    optional = project["project"]["optional-dependencies"]
    waiting, pinned = list(extras), set()
    yield from (*project["project"]["dependencies"], *project["build-system"]["requires"])
    while waiting:
        extra = waiting.pop()
        for requirement in () if extra in pinned else optional[extra]:
            own = re.fullmatch(r"cutlist\[(.*)\]", requirement)
            if own:
                waiting += own[1].split(",")
            else:
                yield requirement
        pinned.add(extra)


def _wheels(requirements: list[str], python: str, machine: str) -> dict[str, str]:
    """Return the hashes of the wheels that pip would install for a Python on a machine, by name and version."""
    platforms = [f"--platform={kind}_{machine}" for kind in ("manylinux_2_28", "manylinux_2_17", "manylinux2014", "linux")]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    command += ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp", *platforms, "--target=unused"]
    command += ["--constraint", str(ROOT / "constraints.txt"), *requirements]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - pip, with our own requirements
    return {
        f"{item['metadata']['name'].lower().replace('_', '-')}=={item['metadata']['version']}": item["download_info"][
            "archive_info"
        ]["hashes"]["sha256"]
        for item in json.loads(done.stdout)["install"]
    }


def main() -> None:
    """Write the file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    requirements = sorted(set(wanted(project, EXTRAS)))
    wheels = [_wheels(requirements, python, machine) for python in PYTHONS for machine in MACHINES]
    lines = [
        " ".join([pin, *(f"--hash=sha256:{digest}" for digest in sorted({of[pin] for of in wheels if pin in of}))])
        for pin in sorted({pin for of in wheels for pin in of})
    ]
    TARGET.write_text(_HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
