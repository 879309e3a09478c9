"""What an installation of Cutlist has, what it lacks, and how old its figures are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import chain
from typing import Annotated, Final, Literal

from cutlist.catalog.ages import OLD
from cutlist.catalog.embedded import chosen_folders
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.regions import is_estimate
from cutlist.core.karpenter.baselines import BASELINES, DEFAULT
from cutlist.core.records import FLAT, HIDDEN, After, Count, Key, about, computed
from cutlist.core.services import SERVICES, RunningService
from cutlist.core.wording import counted
from cutlist.infrastructure.versions import known_kubernetes
from cutlist.settings.catalog import PUBLIC

_PURPOSES: Final[Mapping[str, str]] = {
    "kubernetes": "previews of Pulumi stacks, and components for a cluster's objects",
    "aws": "components for EKS, and catalogues of AWS accounts",
    "azure": "components for AKS, and catalogues of Azure subscriptions",
    "policies": "the rules as a policy pack of `pulumi preview` and `pulumi up`",
    "live": "snapshots of clusters, and catalogues of AWS accounts",
    "live-azure": "catalogues of Azure subscriptions",
    "fleet": "many environments on a Dask cluster",
    "optimize": "searches for cheaper NodePools, `cutlist suggest`",
    "hcl": "objects in configurations of OpenTofu and Terraform",
    "mcp": "tools for assistants, `cutlist mcp`",
    "watch": "answers that follow changes of files at once",
}
"""What each extra is for."""

_REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*])?(?P<bounds>[^;]*)(?:;.*\bextra == ['\"](?P<extra>[\w-]+)['\"])?"
)
_BOUND: Final = re.compile(r"(>=|<=|==|<|>|~=|!=)\s*([\w.]+)")


class ExtraState(StrEnum):
    """How much of an extra is installed."""

    INSTALLED = "installed"
    PARTLY = "partly installed"
    MISSING = "not installed"


@dataclass(frozen=True, slots=True)
class Installation:
    """An installation as it is found: `requirements` are those of the package's metadata, `distributions` the versions of those
    that are installed, by name, `programs` the paths of the programs on PATH that Cutlist can use."""

    version: Annotated[str, Key("cutlist")]
    python: str
    requires_python: Annotated[str, HIDDEN]
    platform: str
    folder: str
    requirements: Annotated[tuple[str, ...], HIDDEN]
    distributions: Annotated[Mapping[str, str], HIDDEN]
    programs: Annotated[Mapping[str, str | None], HIDDEN]


@dataclass(frozen=True, slots=True)
class DistributionRequirement:
    """A distribution that Cutlist uses, the versions that it may have, and the installed one."""

    name: str
    bounds: Annotated[str, about("The versions that it may have.")]
    installed: Annotated[str | None, about("Null where it is not installed.")]

    @property
    @computed(after="installed")
    def fits(self) -> bool:
        """Tell whether the installed version is within the bounds."""
        return self.installed is not None and within(self.installed, self.bounds)


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part of Cutlist with what it requires."""

    name: str
    purpose: str
    requirements: tuple[DistributionRequirement, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of what is not installed."""
        return tuple(one.name for one in self.requirements if one.installed is None)

    @property
    @computed(after="purpose")
    def state(self) -> ExtraState:
        """Return how much of it is installed."""
        if not self.missing:
            return ExtraState.INSTALLED
        return ExtraState.MISSING if len(self.missing) == len(self.requirements) else ExtraState.PARTLY


@dataclass(frozen=True, slots=True)
class KnownKarpenter:
    """A version of Karpenter that Cutlist knows, by the releases of its parts."""

    core: str
    aws: Annotated[str, about("The AWS provider's release.")]
    azure: Annotated[str | None, about("The Azure provider's release; null where none is public.")]
    is_default: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """The published prices of a vendor in the catalogue: for how many regions, and the dates of the oldest and newest, "" if
    none has a date."""

    vendor: str
    regions: Count
    oldest: Annotated[str, about("Date of the oldest published prices, a day or a month.")]
    newest: Annotated[str, about("Date of the newest published prices.")]
    days: Annotated[int | None, about("Age of the newest; null where no date is known.")]
    old_regions: Annotated[Count, about(f"Regions whose newest published prices are more than {OLD} days old.")] = 0

    @property
    def is_old(self) -> bool:
        """Tell whether those of a region are so old that plans say so."""
        return self.old_regions > 0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What an installation of Cutlist has and lacks.

    `problems` are what keeps it from working as it should, `advice` is what could be better.
    """

    installation: Annotated[Installation, FLAT]
    requirements: tuple[DistributionRequirement, ...]
    extras: tuple[Extra, ...]
    karpenter: tuple[KnownKarpenter, ...]
    services: Annotated[tuple[RunningService, ...], about("Services that run Karpenter for their users, as far as is known.")]
    kubernetes: tuple[str, ...]
    figures: Annotated[tuple[Figures, ...], Key("catalog")]
    problems: tuple[str, ...]
    advice: tuple[str, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="extras")
    def programs(
        self,
    ) -> Annotated[Mapping[str, str | None], about("Paths of programs that Cutlist can use; null where there is none.")]:
        """Return the paths of programs that Cutlist can use, by name."""
        return self.installation.programs


def doctor(installation: Installation, today: date, catalog: str | os.PathLike[str] | None = None) -> Diagnosis:
    """Return what an installation has and lacks. Raises InputError for a damaged catalogue."""
    required: dict[str, list[DistributionRequirement]] = {}
    for text in installation.requirements:
        match = _REQUIREMENT.match(text)
        if match is not None:
            name = match["name"]
            bounds = match["bounds"].strip(" ()")
            one = DistributionRequirement(name, bounds, installation.distributions.get(name))
            required.setdefault(match["extra"] or "", []).append(one)
    base = tuple(required.get("", ()))
    extras = tuple(Extra(name, purpose, tuple(required.get(name, ()))) for name, purpose in _PURPOSES.items())
    figures = tuple(_figures(vendor, folder, today) for vendor, folder in chosen_folders(catalog).items())
    return Diagnosis(
        installation,
        base,
        extras,
        tuple(_known_karpenter()),
        tuple(map(RunningService.of, SERVICES)),
        known_kubernetes(),
        figures,
        tuple(_problems(installation, base, extras)),
        tuple(_advice(extras, figures)),
    )


def _known_karpenter() -> Iterator[KnownKarpenter]:
    for row in BASELINES:
        azure = str(row.azure_release) if row.azure_release else None
        yield KnownKarpenter(str(row.release), str(row.aws_release), azure, row == DEFAULT)


def within(version: str, bounds: str) -> bool:
    """Tell whether a version is within bounds such as `>=1.35,<2`. Only the numbers of releases are compared."""
    for operator, text in _BOUND.findall(bounds):
        number, bound = _numbers(version), _numbers(text)
        series = len(bound) - 1
        size = max(len(number), len(bound))
        number, bound = (of + (0,) * (size - len(of)) for of in (number, bound))
        keeps = {
            ">=": number >= bound,
            ">": number > bound,
            "<": number < bound,
            "<=": number <= bound,
            "==": number == bound,
            "!=": number != bound,
            "~=": number >= bound and number[:series] == bound[:series],
        }
        if not keeps[operator]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def _figures(vendor: str, folder: CatalogFolder, today: date) -> Figures:
    """Return how old a vendor's prices are. Estimates are left out: they follow from published ones."""
    regions = folder.regions()
    by_region = [
        sorted(source.date for code, source in folder.region_sources(region).items() if source.date and not is_estimate(code))
        for region in regions
    ]
    dates = sorted(chain.from_iterable(by_region))
    if not dates:
        return Figures(vendor, len(regions), "", "", None)
    old = sum((today - _day(of[-1])).days > OLD for of in by_region if of)
    return Figures(vendor, len(regions), dates[0], dates[-1], (today - _day(dates[-1])).days, old)


def _day(text: str) -> date:
    """Return the day of a source's date; the first of the month if it names only a month."""
    year, month, *day = text.split("-")
    return date(int(year), int(month), int(day[0]) if day else 1)


def _problems(installation: Installation, base: Iterable[DistributionRequirement], extras: Iterable[Extra]) -> Iterable[str]:
    if not within(installation.python, installation.requires_python):
        yield f"Python {installation.python} is not supported: Cutlist needs {installation.requires_python}"
    shown = set()
    for requirement in (*base, *(one for extra in extras for one in extra.requirements)):
        if requirement.name in shown:
            continue
        shown.add(requirement.name)
        if requirement.installed is not None and not requirement.fits:
            yield f"{requirement.name} {requirement.installed} is outside of {requirement.bounds}"
    for requirement in base:
        if requirement.installed is None:
            yield f"{requirement.name} is not installed, and every command needs it"


def _advice(extras: Iterable[Extra], figures: Iterable[Figures]) -> Iterable[str]:
    for extra in extras:
        if extra.state is ExtraState.PARTLY:
            yield f"the extra {extra.name} lacks {', '.join(extra.missing)}: install cutlist[{extra.name}]"
    for price in figures:
        if price.is_old:
            update = f"`cutlist catalog update {PUBLIC.flag}`"
            regions = f"{price.old_regions:,} of {counted(price.regions, 'region')} of {price.vendor}"
            yield f"the prices of {regions} are more than {OLD} days old: {update} reads today's"
