"""The inputs that say which cluster a component is for, as facts; mistakes under the names of the inputs."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.errors import InputError, Place, Problems, nearest
from cutlist.infrastructure.iam.controller_minor import LATEST, Minor, minor_of
from cutlist.infrastructure.names import ClusterFacts, NameStyle

_ACCOUNT: Final = re.compile(r"\d{12}", re.ASCII)


def facts_of(args: Mapping[str, Any], problems: Problems) -> ClusterFacts:
    """The facts that a component's inputs name. Mistakes are noted in `problems`; a refused name is replaced by a stand-in, so
    that everything else can be checked before they are raised."""
    style, account = args.get("name_style", NameStyle.KARPENTER.value), args["account_id"]
    if style not in tuple(NameStyle):
        problems.add(Place(path="nameStyle"), f"name style {style!r}", ", ".join(NameStyle), nearest(str(style), NameStyle))
        style = NameStyle.KARPENTER
    if not _ACCOUNT.fullmatch(str(account)):
        problems.add(Place(path="accountId"), f"account {account!r}", "the account's twelve digits, as text")
    controller = {key: args[key] for key in ("namespace", "service_account") if args.get(key)}
    region = str(args["region"])
    try:
        return ClusterFacts(args["cluster_name"], region, str(account), name_style=NameStyle(style), **controller)
    except InputError as error:
        problems.extend(replace(problem, place=Place(path="clusterName")) for problem in error.problems)
        return ClusterFacts("stand-in", region, str(account), name_style=NameStyle(style), **controller)


def check_role_path(path: str, problems: Problems) -> None:
    """Note a path that IAM would refuse."""
    if not (path.startswith("/") and path.endswith("/")):
        problems.add(Place(path="path"), f"path {path!r}", "a text that begins and ends with a slash", f"/{path.strip('/')}/")


def minor_noted(version: str, problems: Problems) -> Minor:
    """The minor of a controller's version; for one that is not known the mistake is noted and the latest stands in."""
    try:
        return minor_of(version, Place(path="controllerVersion"))
    except InputError as error:
        problems.extend(error.problems)
        return LATEST
