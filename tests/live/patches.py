"""What is changed of Karpenter before it is built for a live cluster."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.live.scenarios.builders import RESERVATION

_SCENARIO: Final = Path(__file__).parents[2] / "tools" / "oracle" / "core" / "scenario"
_MAIN: Final = "kwok/main.go"
_TYPES: Final = "kwok/cloudprovider/helpers.go"


class PatchError(Exception):
    """A file of Karpenter is not as a patch expects it; the text says how."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines that are put into a file of a module, behind a text that it has once."""

    file: str
    behind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Addition:
    """A file of ours that is put into a package of a module, whatever its own package and build constraint are."""

    file: str
    package: str
    source: Path

    @property
    def text(self) -> str:
        """Return the file as it stands in the package."""
        text = re.sub(r"^//go:build .*\n", "", self.source.read_text(), flags=re.MULTILINE)
        return re.sub(r"^package \w+", f"package {self.package}", text, count=1, flags=re.MULTILINE)


Change = Insertion | Addition

RECORDED: Final[tuple[Change, ...]] = (
    Insertion(
        _MAIN,
        "import (\n",
        (
            '\t"k8s.io/client-go/util/flowcontrol"',
            '\t"sigs.k8s.io/karpenter/pkg/cloudprovider"',
            '\t"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"',
        ),
    ),
    Insertion(
        _MAIN,
        "func main() {\n",
        (
            "\tscheduling.PodNominationRateLimiter = flowcontrol.NewTokenBucketRateLimiter(1e6, 1e6)",
            f'\tcloudprovider.ReservationIDLabel = "{RESERVATION}"',
        ),
    ),
)
"""What is put first into Karpenter's main. It then reports every nomination; upstream drops those above 5 a second. And it
knows which label tells reservations apart: the KWOK provider has none, and reads one from its file of instance types."""

DEVICES: Final[tuple[Change, ...]] = (
    Insertion(_TYPES, '`json:"resources"`\n', ('\tDynamicResources *DynamicResources `json:"dynamicResources"`',)),
    Insertion(_TYPES, "\t\tCapacity: options.Resources,\n", ("\t\tDynamicResources: options.DynamicResources.convert(),",)),
    Addition("kwok/cloudprovider/devices.go", "kwok", _SCENARIO / "devices_1_15.go"),
)
"""Lets instance types of the KWOK provider's file have devices, as those of a cloud provider have in Karpenter 1.15. They are
written as the oracle reads them, by the same code."""


def mark_of(changes: Sequence[Change]) -> str:
    """Return a text that is another one as soon as a change is."""
    return "\n".join(each.text if isinstance(each, Addition) else repr(each) for each in changes)


def apply(changes: Sequence[Change], root: Path) -> None:
    """Change the files of a module that is unpacked in a folder. Raises PatchError."""
    for change in changes:
        file = root / change.file
        if isinstance(change, Addition):
            file.write_text(change.text)
        else:
            file.write_text(inserted(change, file.read_text()))


def inserted(change: Insertion, text: str) -> str:
    """Return a text with the lines of an insertion. Raises PatchError unless it has their place once."""
    if text.count(change.behind) != 1:
        raise PatchError(f"Karpenter's {change.file} has {text.count(change.behind)} times {change.behind.strip()!r}, not once")
    return text.replace(change.behind, change.behind + "".join(f"{line}\n" for line in change.lines))
