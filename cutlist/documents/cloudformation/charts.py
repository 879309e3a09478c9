"""Charts that CDK installs (`HelmChart`): the release as Helm gets it from the program behind the resource."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.documents.delivery.fetching import OCI
from cutlist.documents.delivery.helm import Release, by_command
from cutlist.documents.delivery.parts import is_chart
from cutlist.documents.terraform.hcl.releases import UnknownPart, release_by_hand, release_of, source_of
from cutlist.documents.terraform.installed import Installed
from cutlist.documents.terraform.partly_known import MARK

_ASSET: Final = re.compile(r"([0-9a-f]{64})\.zip")
_NAMES: Final = {
    "Release": "name",
    "Namespace": "namespace",
    "Chart": "chart",
    "Repository": "repository",
    "Version": "version",
}


def installed_by(values: Mapping[str, Any], where: Place, form: str) -> Installed:
    """Return the release that the properties of a resource install. What only a deployment knows of them is a mark in its
    values."""
    members = {name: values[key] for key, name in _NAMES.items() if values.get(key) is not None}
    members |= {"values": [values["Values"]] if values.get("Values") is not None else []}
    members |= {"skip_crds": values.get("SkipCrds") in (True, "true")}
    repository = members.get("repository")
    if isinstance(repository, str) and repository.startswith(OCI):  # CDK pulls it as it is: the last part is the chart
        members |= {"chart": repository}
        del members["repository"]
    folder = _asset(values.get("ChartAssetURL"), where)
    chart = str(members.get("chart", folder))
    source = None if folder else source_of(chart, members)
    try:
        release = release_of(members, folder)
    except UnknownPart as error:
        return Installed(where, Release(folder, ""), source, str(error), release_by_hand(members), form=form)
    if not folder and source is None:
        why = f"its chart {chart} is in no repository that is named" if chart else "its chart is an asset that is not here"
        return Installed(where, release, None, why, release_by_hand(members), form=form)
    command = by_command(release).replace(MARK, "<value>") if folder else release_by_hand(members)
    return Installed(where, release, source, command=command, form=form)


def _asset(address: Any, where: Place) -> str:
    """Return the folder beside a template that holds a chart of the program; empty if the chart is not here."""
    match = _ASSET.search(address) if isinstance(address, str) else None
    folder = os.path.join(os.path.dirname(where.source), f"asset.{match[1]}") if match is not None else ""
    return folder if folder and is_chart(folder) else ""
