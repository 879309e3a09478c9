"""What importing the package costs, and what it must not bring in."""

from __future__ import annotations

import subprocess
import sys

import cutlist

FORBIDDEN = ("pulumi", "boto3", "botocore", "azure", "pydantic", "yaml", "cutlist.api")
BOUND_SECONDS = 0.150
RUNS = 5

TIMED = """
import time
start = time.perf_counter()
import cutlist
print(time.perf_counter() - start)
"""

LOADED = """
import sys
import cutlist
print(*sorted(m for m in sys.modules if m.split(".")[0] in {forbidden!r} or m in {forbidden!r}))
"""

SDKS = """
import sys
from cutlist import EC2NodeClass, Gt, NodePool
print(*sorted({m.split(".")[0] for m in sys.modules} & {"pulumi", "boto3", "botocore", "azure"}))
"""


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_importing_brings_in_no_sdk_and_no_parser() -> None:
    """`import cutlist` loads neither a cloud's SDK nor anything else that takes time."""
    assert _python(LOADED.format(forbidden=FORBIDDEN)) == ""


def test_the_typed_objects_bring_in_no_sdk() -> None:
    """Using the objects loads pydantic, but no cloud's SDK."""
    assert _python(SDKS) == ""


def test_importing_is_quick() -> None:
    """The best of several cold imports stays under 150 ms."""
    assert min(float(_python(TIMED)) for _ in range(RUNS)) < BOUND_SECONDS


def test_public_names_are_what_their_modules_hold() -> None:
    """A name of the package is the very object of its module, and is listed."""
    from cutlist.api import NodePool

    assert cutlist.NodePool is NodePool
    assert "NodePool" in dir(cutlist)


def test_every_public_name_resolves() -> None:
    """Nothing in `__all__` is a promise that cannot be kept."""
    missing = []
    for name in cutlist.__all__:
        try:
            getattr(cutlist, name)
        except (ImportError, AttributeError) as error:
            missing.append(f"{name}: {error}")
    assert missing == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name fails as attributes do."""
    assert not hasattr(cutlist, "NodePoool")
