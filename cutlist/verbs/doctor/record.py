"""What an installation has, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, about, json_of
from cutlist.verbs.doctor.answer import Diagnosis, DistributionRequirement, ExtraState, Figures

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Requirement:
    name: str
    bounds: Annotated[str, about("The versions that it may have.")]
    installed: Annotated[str | None, about("Null where it is not installed.")]
    fits: bool


@dataclass(frozen=True, slots=True)
class _Extra:
    name: str
    purpose: str
    state: ExtraState
    requirements: tuple[_Requirement, ...]


@dataclass(frozen=True, slots=True)
class _Karpenter:
    core: str
    aws: Annotated[str, about("The AWS provider's release.")]
    azure: Annotated[str | None, about("The Azure provider's release; null where none is public.")]
    is_default: bool


@dataclass(frozen=True, slots=True)
class _Figures:
    vendor: str
    regions: Count
    oldest: Annotated[str, about("Date of the oldest published prices, a day or a month.")]
    newest: Annotated[str, about("Date of the newest published prices.")]
    days: Annotated[int | None, about("Age of the newest; null where no date is known.")]


@dataclass(frozen=True, slots=True)
class DiagnosisRecord:
    """What an installation of Cutlist has and lacks."""

    version: Literal[1]
    cutlist: str
    python: str
    platform: str
    folder: str
    requirements: tuple[_Requirement, ...]
    extras: tuple[_Extra, ...]
    programs: Annotated[Mapping[str, str | None], about("Paths of programs that Cutlist can use; null where there is none.")]
    karpenter: tuple[_Karpenter, ...]
    kubernetes: tuple[str, ...]
    catalog: tuple[_Figures, ...]
    problems: tuple[str, ...]
    advice: tuple[str, ...]


def doctor_json(diagnosis: Diagnosis) -> str:
    """Return what an installation has as indented JSON that ends in a newline."""
    installation = diagnosis.installation
    extras = (_Extra(x.name, x.purpose, x.state, tuple(map(_requirement, x.requirements))) for x in diagnosis.extras)
    karpenter = (
        _Karpenter(
            str(row.release),
            str(row.aws_release),
            str(row.azure_release) if row.azure_release else None,
            row == diagnosis.default,
        )
        for row in diagnosis.karpenter
    )
    return json_of(
        DiagnosisRecord(
            VERSION,
            installation.version,
            installation.python,
            installation.platform,
            installation.folder,
            tuple(map(_requirement, diagnosis.requirements)),
            tuple(extras),
            installation.programs,
            tuple(karpenter),
            diagnosis.kubernetes,
            tuple(map(_figures, diagnosis.figures)),
            diagnosis.problems,
            diagnosis.advice,
        )
    )


def _requirement(requirement: DistributionRequirement) -> _Requirement:
    return _Requirement(requirement.name, requirement.bounds, requirement.installed, requirement.fits)


def _figures(figures: Figures) -> _Figures:
    return _Figures(figures.vendor, figures.regions, figures.oldest, figures.newest, figures.days)
