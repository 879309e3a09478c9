"""Texts that AWS or Kubernetes would refuse: names, regions, accounts, paths and tags (spec: aws-infrastructure 0.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.api.account_limits import RESERVED_TAGS, TAG_KEY, TAG_VALUE, TAGS
from cutlist.api.names import name_findings
from cutlist.catalog.embedded import locations, regions
from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.core.setting import Setting

CLUSTER_NAME_LIMIT: Final = 100
_CLUSTER_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")
_REGION: Final = re.compile(r"[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}", re.ASCII)
_ACCOUNT: Final = re.compile(r"[0-9]{12}", re.ASCII)
_PATH: Final = re.compile(r"((/[A-Za-z0-9.,+@=_-]+)*)/", re.ASCII)
_ROLE_LIMIT: Final = 64
_ROLE: Final = re.compile(rf"[\w+=,.@-]{{1,{_ROLE_LIMIT}}}", re.ASCII)
_PATH_LIMIT: Final = 512
_NAMESPACE: Final = re.compile(r"(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_NOT_IN_NAMESPACES: Final = re.compile(r"[^a-z0-9]+")
_TAG: Final = re.compile(r"[\w .:/=+@-]*")
_IN_TAGS: Final = "letters, digits, spaces and _ . : / = + - @"
_MADE_TAGS: Final = 4
"""Room for the tags that components write themselves: a name, the role of a subnet, and how nodes are found."""


def _place(at: str | Setting) -> Place:
    """Return the place of an input by its path, or of a setting."""
    return Place.of(at) if isinstance(at, Setting) else Place(path=at)


def check_cluster_name(name: str, at: str | Setting, problems: Problems) -> None:
    """Report a name that EKS would refuse."""
    if len(name) > CLUSTER_NAME_LIMIT:
        problems.add(_place(at), f"cluster name of {len(name)} characters", f"at most {CLUSTER_NAME_LIMIT}")
    elif not _CLUSTER_NAME.fullmatch(name):
        allowed = "letters, digits, - and _, beginning with a letter or digit"
        other = next((character for character in name if not _CLUSTER_NAME.fullmatch(f"a{character}")), "")
        wrong = f"cluster name {name!r} has {other!r} in it" if other else f"cluster name {name!r} begins with {name[:1]!r}"
        problems.add(_place(at), wrong if name else "no cluster name", allowed)


def check_region(region: str, at: str | Setting, problems: Problems) -> None:
    """Report a region that is empty or does not have a region's form. Any name of that form passes, since it may be a newer
    region."""
    allowed = "a region such as eu-west-1"
    if not region:
        problems.add(_place(at), "no region", allowed)
    elif not _REGION.fullmatch(region):
        problems.add(_place(at), f"{region!r} has not the form of a region", allowed, nearest(region.lower(), regions()))


def check_region_of_any_cloud(region: str, at: str | Setting, problems: Problems) -> None:
    """Report a region that the catalogue has neither of AWS nor of Azure."""
    known = (*regions(), *locations())
    if region not in known:
        problems.add(_place(at), f"unknown region {region!r}", names_near(region, known), nearest(region, known))


def check_region_known(region: str, zones: Sequence[str], place: Place, problems: Problems) -> bool:
    """Report a region that the catalogue does not have, and return whether it can be used: one that is newer than the catalogue
    can, if `zones` have names of that region. A text without a region's form is not reported again."""
    known = regions()
    if region in known or not _REGION.fullmatch(region):
        return region in known
    if zones and all(zone[:-1] == region for zone in zones):
        return True
    allowed = f"{names_near(region, known)}; of a newer one list the zones, {region}a and so on"
    problems.add(place, f"no region {region!r} is known", allowed, nearest(region, known))
    return False


def check_account(account: str, at: str | Setting, problems: Problems) -> None:
    """Report a text that is not the id of an account."""
    wrong = wrong_account(account)
    if wrong:
        problems.add(_place(at), wrong, "the twelve digits of an account's id, as text")


def wrong_account(account: str) -> str:
    """Return why a text is not the id of an account of AWS, or an empty string for one."""
    if _ACCOUNT.fullmatch(account):
        return ""
    if account.isascii() and account.isdecimal():
        return f"account {account!r} has {len(account)} digit{'s' if len(account) > 1 else ''}"
    return f"account {account!r} is not a number of twelve digits" if account else "no account"


def check_role_name(name: str, path: str, problems: Problems) -> None:
    """Report a name that a role cannot have, such as an ARN."""
    if not _ROLE.fullmatch(name):
        near = name.rpartition("/")[2]
        allowed = f"at most {_ROLE_LIMIT} letters, digits and + = , . @ _ -"
        problems.add(_place(path), f"{name!r} is not the name of a role", allowed, near if _ROLE.fullmatch(near) else "")


def check_role_path(role_path: str, path: str, problems: Problems) -> None:
    """Report a path of roles and policies that IAM would refuse."""
    if not (role_path.startswith("/") and role_path.endswith("/")):
        near = f"/{role_path.strip('/')}/".replace("//", "/")
        problems.add(Place(path=path), f"path {role_path!r}", "a text that begins and ends with a slash", near)
    elif len(role_path) > _PATH_LIMIT or not _PATH.fullmatch(role_path):
        problems.add(
            Place(path=path), f"path {role_path!r}", f"at most {_PATH_LIMIT} letters, digits and . , + @ = _ - between slashes"
        )


def check_own_tags(tags: Mapping[str, object], place: Place, problems: Problems) -> None:
    """Report tags that AWS would refuse because of their number, keys or values. Values that only an update knows pass."""
    if len(tags) > TAGS - _MADE_TAGS:
        allowed = f"at most {TAGS - _MADE_TAGS}: a resource has {TAGS}, of which subnets need {_MADE_TAGS} for themselves"
        problems.add(place, f"{len(tags)} tags", allowed)
    first: dict[str, str] = {}
    for key, value in tags.items():
        at = place.member(key)
        if key.lower().startswith(RESERVED_TAGS):
            problems.add(at, f"tag {key}: AWS keeps the prefix aws: for itself", "another key")
        elif not 0 < len(key) <= TAG_KEY or not _TAG.fullmatch(key):
            problems.add(at, f"tag key {key!r}", f"1 to {TAG_KEY} {_IN_TAGS}")
        elif first.setdefault(key.lower(), key) != key:
            problems.add(at, f"tags {first[key.lower()]} and {key}: IAM ignores case in the keys of tags", "one of them")
        if isinstance(value, str) and (len(value) > TAG_VALUE or not _TAG.fullmatch(value)):
            problems.add(at, f"tag value {value!r}", f"at most {TAG_VALUE} {_IN_TAGS}")


def check_namespace(name: str, place: Place, problems: Problems) -> None:
    """Report a name that Kubernetes would refuse for a namespace. Names of other objects may contain dots."""
    if not _NAMESPACE.fullmatch(name):
        allowed = "at most 63 lower-case letters, digits and -, starting and ending with a letter or digit"
        near = _NOT_IN_NAMESPACES.sub("-", name.lower())[:63].strip("-")
        problems.add(place, f"{name!r} is not the name of a namespace", allowed, near)


def check_object_name(name: str, place: Place, problems: Problems) -> None:
    """Report a name that Kubernetes would refuse for an object such as a service account."""
    for finding in name_findings(place.path, name):
        problems.add(Place(path=finding.path), finding.message, finding.allowed, finding.nearest)
