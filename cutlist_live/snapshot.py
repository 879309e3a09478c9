"""A cluster saved to a file: everything that plans and disruption read from it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import yaml

from cutlist.core.errors import InputError, Place
from cutlist.settings.snapshot import RBAC
from cutlist_live.cluster_failures import MISSING
from cutlist_live.errors import NotListedError
from cutlist_live.kinds import KINDS, SnapshotKind

_DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # ten times as fast, if available
NAME: Final = "cutlist-snapshot"
_GROUP: Final = "rbac.authorization.k8s.io"


class Listing(Protocol):
    """The source of a snapshot: `cutlist_live.cluster.Cluster`, or a replacement for it."""

    def all_of(self, kind: SnapshotKind) -> tuple[str, list[dict[str, Any]]]:
        """Return a version of the kind and its objects. Raises NotListedError."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Objects by kind, in the order in which they are written; kinds that may not be listed, and kinds that do not exist.

    `documents` are facts from elsewhere, such as the account's subnets.
    """

    taken: datetime
    objects: tuple[tuple[SnapshotKind, tuple[dict[str, Any], ...]], ...]
    denied: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    documents: tuple[dict[str, Any], ...] = ()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        yield from (manifest for _, objects in self.objects for manifest in objects)
        yield from self.documents

    def as_yaml(self) -> str:
        """Return one document for each object, with a line on when it was taken and on what may not be listed."""
        head = f"# A cluster as of {_time(self.taken)}, written by cutlist snapshot.\n"
        head += "".join(f"# Not in here, because they may not be listed: {resource}\n" for resource in self.denied)
        return head + str(yaml.dump_all(list(self), Dumper=_DUMPER, sort_keys=False, explicit_start=True, allow_unicode=True))

    def as_json(self) -> str:
        """Return a List, one object per line."""
        items = ",\n".join(json.dumps(manifest, separators=(",", ":"), ensure_ascii=False) for manifest in self)
        return f'{{"apiVersion":"v1","kind":"List","items":[\n{items}\n]}}\n'


def take(cluster: Listing, now: datetime, kinds: Sequence[SnapshotKind] = KINDS) -> Snapshot:
    """Read all kinds. One that may not be listed or does not exist is recorded. Raises InputError when none can be listed."""
    objects: list[tuple[SnapshotKind, tuple[dict[str, Any], ...]]] = []
    left_out: list[NotListedError] = []
    for kind in kinds:
        try:
            version, manifests = cluster.all_of(kind)
        except NotListedError as error:
            left_out.append(error)
            continue
        objects.append((kind, tuple(sorted((kind.kept(manifest, version) for manifest in manifests), key=_name))))
    denied = tuple(e.resource for e in left_out if e.status != MISSING)
    missing = tuple(e.resource for e in left_out if e.status == MISSING)
    if not objects:
        why = (
            f"the credentials may not list anything; `cutlist snapshot {RBAC.flag}` prints the permissions"
            if denied
            else "no kind is there"
        )
        raise InputError.one(Place("cluster"), why)
    return Snapshot(now, tuple(objects), denied, missing)


def _name(manifest: dict[str, Any]) -> tuple[str, str]:
    metadata = manifest["metadata"]
    return str(metadata.get("namespace") or ""), str(metadata.get("name") or "")


def _time(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def rbac_yaml() -> str:
    """Return a ClusterRole that may list what a snapshot reads, and its binding to a group of the same name."""
    return yaml.safe_dump_all([cluster_role(), binding()], sort_keys=False)


def cluster_role() -> dict[str, Any]:
    """Return the role: one rule for each API group, to list and nothing else."""
    by_group: dict[str, list[str]] = {}
    for kind in KINDS:
        by_group.setdefault(kind.group, []).append(kind.plural)
    rules = [{"apiGroups": [g], "resources": sorted(names), "verbs": ["list"]} for g, names in sorted(by_group.items())]
    return {"apiVersion": f"{_GROUP}/v1", "kind": "ClusterRole", "metadata": {"name": NAME}, "rules": rules}


def binding() -> dict[str, Any]:
    """Return the binding of the role to a group, which an access entry or an identity provider fills with people and jobs."""
    return {
        "apiVersion": f"{_GROUP}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": NAME},
        "roleRef": {"apiGroup": _GROUP, "kind": "ClusterRole", "name": NAME},
        "subjects": [{"apiGroup": _GROUP, "kind": "Group", "name": NAME}],
    }
