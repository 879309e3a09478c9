"""Print the oldest release that pyproject.toml allows of everything that Cutlist imports, as constraints for pip.

`make oldest` installs these and runs the tests with them. What only builds and tests Cutlist has today's releases there.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
TOOLS: Final = ("bench", "dev", "docs")
"""Extras that no user of Cutlist needs."""
_RANGE: Final = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*])?>=(?P<oldest>[\w.]+)")


def oldest(project: dict[str, Any]) -> Iterator[str]:
    """Yield a pin for each requirement of a project and of its extras, in the order in which they are written."""
    extras = project["optional-dependencies"]
    written = [*project["dependencies"], *(one for name in extras if name not in TOOLS for one in extras[name])]
    for requirement in written:
        match = _RANGE.match(requirement)
        if match:
            yield f"{match['name']}=={match['oldest']}"


def main() -> None:
    """Print the constraints."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sys.stdout.write("".join(f"{pin}\n" for pin in oldest(project)))


if __name__ == "__main__":
    main()
