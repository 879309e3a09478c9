"""What an upgrade of Karpenter changes, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.answers.upgrade import Upgrade
from cutlist.core.records import about, json_of
from cutlist.infrastructure.charts.notes import Subject, When

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Change:
    subject: Subject
    text: str
    first: Annotated[bool, about("Whether something has to be done before the upgrade.")]
    statements: Annotated[str, about("The statements of docs/spec that describe or cause the change, or nothing.")]
    when: Annotated[When, about("When something is to be done about it: before, with or after the upgrade, or nothing.")]


@dataclass(frozen=True, slots=True)
class UpgradeRecord:
    """What an upgrade of Karpenter changes."""

    version: Literal[1]
    from_: str
    to: str
    changes: tuple[_Change, ...]
    stops: Annotated[tuple[str, ...], about("Versions that come in between.")]
    obstacles: Annotated[tuple[str, ...], about("Why the upgrade must not be made like this.")]
    notes: Annotated[tuple[str, ...], about("Which release a version that is not known by itself counts as.")]


def upgrade_json(upgrade: Upgrade) -> str:
    """Return what an upgrade changes, subject by subject, as indented JSON that ends in a newline."""
    record = UpgradeRecord(
        version=VERSION,
        from_=str(upgrade.before),
        to=str(upgrade.after),
        changes=tuple(
            _Change(subject, delta.text, delta.when is When.FIRST, delta.statements, delta.when)
            for subject in Subject
            for delta in upgrade.of(subject)
        ),
        stops=tuple(str(stop) for stop in upgrade.stops),
        obstacles=tuple(upgrade.obstacles),
        notes=upgrade.notes,
    )
    return json_of(record, in_ascii=False)
