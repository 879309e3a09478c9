"""Profiles of Multi-Instance GPU (MIG): into which partitions a GPU can be split, and into how many of each.

Sources: NVIDIA's MIG user guide, "Supported MIG profiles", as of 2026-11-30 (spec: gpu-sharing 3; GS-12); for the B300, and the
PCI ids of all models, the MIG configuration that comes with NVIDIA's GPU operator, as of 2026-08-21.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_PROFILE: Final = re.compile(r"(?P<compute>\d+)g\.\d+gb(?P<attributes>(?:[+-][a-z.]+)*)")
_BALANCED: Final[Mapping[int, Mapping[int, int]]] = {7: {1: 2, 2: 1, 3: 1}, 4: {1: 2, 2: 1}}
"""How many partitions of each number of slices `all-balanced` makes, by the slices of a GPU (GS-11)."""


@dataclass(frozen=True, slots=True)
class MigModel:
    """A GPU model that can be partitioned: its profiles, each with the most partitions of it on one GPU, and its PCI ids."""

    name: str
    profiles: Mapping[str, int]
    devices: frozenset[str]

    @property
    def slices(self) -> int:
        """Return into how many compute slices it can be split."""
        return max(map(compute_slices, self.profiles))

    @property
    def balanced(self) -> Mapping[str, int]:
        """Return the partitions of the configuration `all-balanced`; none if the model has no such configuration."""
        plain = {name: most for name, most in self.profiles.items() if is_plain(name)}
        balanced = {}
        for slices, count in _BALANCED.get(self.slices, {}).items():
            alike = [(most, name) for name, most in plain.items() if compute_slices(name) == slices]
            if not alike:
                return {}
            balanced[max(alike)[1]] = count
        return balanced


def compute_slices(profile: str) -> int:
    """Return how many compute slices a partition takes: 3 for `3g.20gb`, 0 for a text that is no profile."""
    matched = _PROFILE.fullmatch(profile)
    return int(matched["compute"]) if matched else 0


def is_plain(profile: str) -> bool:
    """Tell whether a profile has no attribute such as `+me`."""
    matched = _PROFILE.fullmatch(profile)
    return matched is not None and not matched["attributes"]


def is_profile(text: str) -> bool:
    """Tell whether a text is written as a profile."""
    return _PROFILE.fullmatch(text) is not None


def resource_of(profile: str) -> str:
    """Return the resource by which nodes offer partitions of a profile with the strategy `mixed` (GS-8)."""
    return f"nvidia.com/mig-{profile.replace('+', '.')}"


def _seven(one: int, two: int, three: int, whole: int) -> dict[str, int]:
    """Return the profiles of a GPU of seven slices, by the memory of one, of two, of three and of all."""
    return {
        f"1g.{one}gb": 7,
        f"1g.{one}gb+me": 1,
        f"1g.{two}gb": 4,
        f"2g.{two}gb": 3,
        f"3g.{three}gb": 2,
        f"4g.{three}gb": 1,
        f"7g.{whole}gb": 1,
    }


def _model(name: str, profiles: Mapping[str, int], *devices: str) -> MigModel:
    return MigModel(name, profiles, frozenset(f"0x{device}10DE" for device in devices))


A30: Final = _model("A30", {"1g.6gb": 4, "1g.6gb+me": 1, "2g.12gb": 2, "2g.12gb+me": 1, "4g.24gb": 1}, "20B7")
A100_40: Final = _model("A100 40GB", _seven(5, 10, 20, 40), "20B0", "20B1", "20F1", "20F6")
A100_80: Final = _model("A100 80GB", _seven(10, 20, 40, 80), "20B2", "20B5", "20F3", "20F5")
H100_80: Final = _model("H100 80GB", _seven(10, 20, 40, 80), "2330", "2331", "2322", "2324")
H100_94: Final = _model("H100 94GB", _seven(12, 24, 47, 94), "2321", "233A")
H100_96: Final = _model("H100 96GB", _seven(12, 24, 48, 96), "2342", "233D", "20B6", "2329")
H200: Final = _model("H200", _seven(18, 35, 71, 141), "2335", "233B")
B200: Final = _model("B200", _seven(23, 45, 90, 180), "2901")
B300: Final = _model("B300", _seven(34, 67, 135, 269), "3182")
RTX_PRO_6000: Final = _model(
    "RTX PRO 6000",
    {
        "1g.24gb": 4,
        "1g.24gb+me": 1,
        "1g.24gb+gfx": 4,
        "1g.24gb+me.all": 1,
        "1g.24gb-me": 4,
        "2g.48gb": 2,
        "2g.48gb+gfx": 2,
        "2g.48gb+me.all": 1,
        "2g.48gb-me": 2,
        "4g.96gb": 1,
        "4g.96gb+gfx": 1,
    },
    "2BB5",
)
RTX_PRO_4500: Final = _model(
    "RTX PRO 4500",
    {"1g.16gb": 2, "1g.16gb+gfx": 2, "1g.16gb+me.all": 1, "1g.16gb-me": 2, "2g.32gb": 1, "2g.32gb+gfx": 1},
)
MODELS: Final = (A30, A100_40, A100_80, H100_80, H100_94, H100_96, H200, B200, B300, RTX_PRO_6000, RTX_PRO_4500)

_BY_LABELS: Final[Mapping[tuple[str, int], MigModel]] = {
    ("a30", 24): A30,
    ("a100", 40): A100_40,
    ("a100", 80): A100_80,
    ("h100", 80): H100_80,
    ("h100", 94): H100_94,
    ("h200", 141): H200,
    ("b200", 179): B200,
    ("b300", 268): B300,
    ("rtx-pro-server-6000", 96): RTX_PRO_6000,
    ("rtx-pro-4500", 32): RTX_PRO_4500,
}
"""Models by the name and the memory in GiB that a type's labels have."""


def model_by_labels(name: str, memory_mib: int) -> MigModel | None:
    """Return the model of a GPU by its name in labels, such as `a100`, and its memory; None for one that cannot be partitioned,
    or that is not known."""
    return _BY_LABELS.get((name, round(memory_mib / 1024)))
