"""The releases of AWS's own images for each version of Kubernetes, by family, each fact with its source and date.

An alias such as `al2023@v20260625` names a release, and Karpenter looks for the image of that release for the cluster's version
of Kubernetes; without one, the node class is never ready. Anything outside the table is undetermined, never a mistake: releases
after its newest, and versions of Kubernetes before its oldest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.api.ami_alias import ALIAS_FAMILIES, LATEST, AmiAlias
from cutlist.catalog.format import Source, Table
from cutlist.catalog.own_files import own_table
from cutlist.core.errors import InputError, Place

COLUMNS: Final = ("family", "image", "kubernetes", "before", "first", "last", "after", "source")
SUCCESSOR: Final = "al2023"
"""The successor of a family whose images end."""
_FILE: Final = "images.tsv"
_MINOR: Final = re.compile(r"v?1\.(0|[1-9][0-9]{0,3})(?:\.[0-9]+)?", re.ASCII)
_DAY: Final = re.compile(r"v([0-9]{8})", re.ASCII)
_NUMBERS: Final = re.compile(r"v*([0-9]{1,4})\.([0-9]{1,4})\.([0-9]{1,4})(?:-[0-9a-f]{8})?", re.ASCII)
_FORMS: Final = {"AL2": _DAY, "AL2023": _DAY, "Bottlerocket": _NUMBERS}
_SHORT_NAMES: Final = {family: name for name, family in ALIAS_FAMILIES.items()}

Release = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KubernetesImages:
    """The releases of a family that have images of one minor version of Kubernetes: from `first` to `last`, which is empty
    while new ones appear. Whether releases between `before` and `first` have them is undetermined; `before` may be empty.
    `after` is the first release after `last`. `image` is a kind of image that began later, such as `nvidia, arm64`; empty for
    the family."""

    family: str
    image: str
    minor: int
    before: str
    first: str
    last: str
    after: str
    source: Source


@dataclass(frozen=True, slots=True)
class Missing:
    """Why an alias has no image: what is wrong, what is allowed, and the nearest alias that has one."""

    message: str
    allowed: str
    nearest: str


@dataclass(frozen=True, slots=True)
class ImageReleases:
    """The known releases of images. `begins` and `ends` are the first and last minor version of Kubernetes for which a family
    has images, `days` every release of Amazon Linux by its day, up to the newest of a list without gaps. `later` are days of
    AL2023 after that list, which others may lie between."""

    rows: Sequence[KubernetesImages]
    newest: Mapping[str, str]
    begins: Mapping[str, int]
    ends: Mapping[str, int]
    days: Sequence[str]
    later: Sequence[str] = ()

    def missing(self, alias: str, kubernetes: str) -> Missing | None:
        """Return why Karpenter finds no image by an alias in a cluster of this version, or None if it finds one or that is
        undetermined."""
        parts, minor = AmiAlias.read(alias), _minor(kubernetes)
        family = ALIAS_FAMILIES.get(parts.family)
        if family is None or minor is None:
            return None
        none = self._no_family(family, minor)
        if none is not None or family not in _FORMS or parts.version == LATEST:
            return none
        return self._no_release(family, parts.version, minor)

    def example(self, family: str, kubernetes: str = "") -> str:
        """Return an alias with a version, such as `al2023@v20260714`: the newest release that is known to have images for this
        version of Kubernetes, or for any. `family` is as an alias names it; the answer is empty for a family without versions,
        and for a version of Kubernetes that is newer than the table."""
        full, minor = ALIAS_FAMILIES.get(family, ""), _minor(kubernetes)
        newest = max(self.later, default="") if family == SUCCESSOR else ""
        newest = newest or self.newest.get(full, "")
        known = [row.minor for row in self.rows if row.family == full]
        if minor is not None and minor > max(known, default=minor):
            return ""
        row = self._row(full, minor)
        if row is not None:
            newest = row.last or max(newest, row.first, key=lambda text: _release(full, text) or ())
        return f"{family}@{newest}" if newest else ""

    def has_image(self, alias: str, image: str) -> bool:
        """Tell whether the release of an alias can have a kind of image, such as `nvidia, arm64`, for any Kubernetes."""
        parts = AmiAlias.read(alias)
        family = ALIAS_FAMILIES.get(parts.family, "")
        release = _release(family, parts.version)
        firsts = [_release(family, row.first) for row in self.rows if (row.family, row.image) == (family, image)]
        return release is None or not firsts or any(first is None or release >= first for first in firsts)

    def _no_family(self, family: str, minor: int) -> Missing | None:
        """Return the mistake that a family has no images at all for a version of Kubernetes, or None if it has."""
        begins, ends = self.begins.get(family, 0), self.ends.get(family, minor)
        if minor > ends:
            text = f"there are no images of {family} for Kubernetes 1.{minor}: 1.{ends} is the last with any"
            return Missing(text, f"another family, such as {SUCCESSOR}", self.example(SUCCESSOR, f"1.{minor}"))
        if minor < begins:
            text = f"there are no images of {family} for Kubernetes 1.{minor}: 1.{begins} is the first with any"
            return Missing(text, f"Kubernetes 1.{begins}, or another family", "")
        return None

    def _no_release(self, family: str, version: str, minor: int) -> Missing | None:
        release, row = _release(family, version), self._row(family, minor)
        nearest = self.example(_SHORT_NAMES[family], f"1.{minor}")
        if release is None:
            return Missing(f"{version!r} is not a release of {family}", _form_in_words(family), nearest)
        if row is None:
            known = [known.minor for known in self.rows if known.family == family]
            if minor < max(known) or release > max(self._known(family)):
                return None
            text = f"release {version} of {family} has no images of Kubernetes 1.{minor}, which came later"
            return Missing(text, "a later release", "")
        first, before, after = (_release(family, text) for text in (row.first, row.before, row.after))
        if (first is not None and release < first) and (before is None or release <= before):
            text = f"release {version} of {family} has no images of Kubernetes 1.{minor}: {row.first} is the first with them"
            return Missing(text, _span(row), nearest)
        if after is not None and release >= after:
            text = f"release {version} of {family} has no images of Kubernetes 1.{minor}: {row.last} is the last with them"
            return Missing(text, _span(row), nearest)
        if _FORMS[family] is _DAY and version not in self.days and version < max(self.days):
            text = f"there is no release {version} of {family}"
            return Missing(text, "a release of the list in github.com/awslabs/amazon-eks-ami", self._closest(row, version))
        return None

    def _row(self, family: str, minor: int | None) -> KubernetesImages | None:
        return next((row for row in self.rows if (row.family, row.image, row.minor) == (family, "", minor)), None)

    def _known(self, family: str) -> Iterator[Release]:
        texts = (self.newest.get(family, ""), *(row.first for row in self.rows if row.family == family))
        return (release for text in texts if (release := _release(family, text)) is not None)

    def _closest(self, row: KubernetesImages, version: str) -> str:
        """Return the alias of the last release before a day without one, or of the first that has the images."""
        days = [day for day in self.days if row.first <= day < version]
        return f"{_SHORT_NAMES[row.family]}@{max(days, default=row.first)}"


@lru_cache(maxsize=1)
def image_releases() -> ImageReleases:
    """Return the table that comes with Cutlist. Raises InputError for a damaged file."""
    return read_images(*own_table("aws", _FILE))


def read_images(table: Table, place: Place) -> ImageReleases:
    """Return the releases of a catalogue file. Raises InputError for a row without a version, a first release or a source."""
    if table.columns != COLUMNS:
        raise InputError.one(place, f"the columns are {', '.join(table.columns)}", allowed=", ".join(COLUMNS))
    rows = []
    for family, image, kubernetes, before, first, last, after, code in table.rows:
        source, minor = table.sources.get(code), _minor(kubernetes)
        if family not in _SHORT_NAMES or source is None or minor is None or not first:
            wanted = "a family, a version of Kubernetes, a first release, and a source of the header"
            raise InputError.one(place.at(f"{family} {kubernetes}"), "the row cannot be read", allowed=wanted)
        rows.append(KubernetesImages(family, image, minor, before, first, last, after, source))
    days = (tuple(table.header.get(key, "").split()) for key in ("releases", "later"))
    newest, begins, ends = (_by_family(table.header.get(key, "")) for key in ("newest", "begins", "ends"))
    return ImageReleases(rows, newest, _minors(begins), _minors(ends), *days)


def _by_family(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split())


def _minors(texts: Mapping[str, str]) -> dict[str, int]:
    return {family: minor for family, text in texts.items() if (minor := _minor(text)) is not None}


def _minor(kubernetes: str) -> int | None:
    """Return 34 for `1.34` or `v1.34.2`, or None for anything else."""
    match = _MINOR.fullmatch(kubernetes)
    return int(match[1]) if match else None


def _release(family: str, version: str) -> Release | None:
    """Return a release as a value that sorts in order, or None for a text of another form."""
    form = _FORMS.get(family)
    match = form.fullmatch(version) if form else None
    return tuple(map(int, match.groups())) if match else None


def _form_in_words(family: str) -> str:
    return "a day such as v20260714, or latest" if _FORMS[family] is _DAY else "a version such as v1.49.0, or latest"


def _span(row: KubernetesImages) -> str:
    return f"{row.first} to {row.last}" if row.last else f"{row.first} or later"
