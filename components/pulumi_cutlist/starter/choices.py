"""What a new project is made from: its name, its kind of cluster, where that is, and whose account pays for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cutlist.catalog import embedded
from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.infrastructure.aks.names import is_subscription
from cutlist.infrastructure.name_checks import wrong_account
from cutlist.settings.new import ACCOUNT, AKS, AUTO_MODE, CLOUD, REGION

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}", re.ASCII)
_NAME_WORDS: Final = "at most 40 lower-case letters, digits and -, the first a letter"
_ON_AZURE: Final = (AKS,)


@dataclass(frozen=True, slots=True)
class StarterChoices:
    """The choices for a new project. `account` is an account of AWS, or a subscription of Azure. `cloud` is one of the choices
    of the setting `cloud`."""

    name: str
    cloud: str
    region: str
    account: str

    @property
    def is_on_azure(self) -> bool:
        """Tell whether the cluster is one of AKS."""
        return self.cloud in _ON_AZURE

    @property
    def is_auto_mode(self) -> bool:
        """Tell whether EKS manages the nodes."""
        return self.cloud == AUTO_MODE

    def check(self, problems: Problems, *, needs_account: bool = True) -> None:
        """Add every choice that no project can be made from. An existing cluster needs no account."""
        if not _NAME.fullmatch(self.name):
            message = f"{self.name!r} cannot be the name of a project and its clusters"
            problems.add(Place(path="NAME"), message, _NAME_WORDS, likely_name(self.name))
        known = embedded.locations() if self.is_on_azure else embedded.regions()
        if self.region not in known:
            elsewhere = self.region in (*embedded.locations(), *embedded.regions())
            what = (
                f"{self.region!r} is not a region of {CLOUD.flag} {self.cloud}"
                if elsewhere
                else f"unknown region {self.region!r}"
            )
            problems.add(Place.of(REGION), what, names_near(self.region, known), nearest(self.region, known))
        if self.account or needs_account:
            self._check_account(problems)

    def _check_account(self, problems: Problems) -> None:
        if self.is_on_azure:
            if not is_subscription(self.account):
                text = f"{self.account!r} is not the id of a subscription"
                problems.add(Place.of(ACCOUNT), text, "such as 11111111-2222-3333-4444-555555555555")
        elif wrong := wrong_account(self.account):
            problems.add(Place.of(ACCOUNT), wrong, "twelve digits")


def likely_name(folder: str) -> str:
    """Return a folder's name as the name of a project, as far as it can be one; empty otherwise."""
    name = re.sub(r"[^a-z0-9-]+", "-", folder.lower()).strip("-")[:40]
    return name if _NAME.fullmatch(name) else ""


def cloud_of(region: str) -> str:
    """Return the cloud that a region leaves no choice of; empty for a region of AWS, where there are two kinds of clusters."""
    return AKS if region in embedded.locations() and region not in embedded.regions() else ""
