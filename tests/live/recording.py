"""A recording: what a live cluster held, and what Karpenter did next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Recording:
    """A scenario as the cluster held it (tools/oracle/core/FORMAT.md), and Karpenter's decision."""

    name: str
    version: str
    kind: str
    scenario: Mapping[str, Any]
    answer: Mapping[str, Any]
    """What Karpenter decided, in the form of the vectors."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """What the answer was read from and does not hold: NodeClaims as they were made, the log's own words."""
    free: str | None = None
    """Why Karpenter answered otherwise than Cutlist: a tie that it breaks at random."""

    def write(self, folder: Path) -> Path:
        """Write the recording below a folder, and return its file."""
        file = file_of(folder, self.kind, self.version, self.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        return file

    @classmethod
    def read(cls, file: Path) -> Recording:
        """Return the recording in a file."""
        return cls(**json.loads(file.read_text()))


def file_of(folder: Path, kind: str, version: str, name: str) -> Path:
    """Return where the recording of a scenario lies below a folder."""
    return folder / f"{kind}-{version}" / f"{name}.json"
