"""The permissions that a snapshot needs, as objects of Kubernetes: to list, and nothing else."""

from __future__ import annotations

from typing import Any, Final

import yaml

from cutlist_live.kinds import KINDS

NAME: Final = "cutlist-snapshot"
_GROUP: Final = "rbac.authorization.k8s.io"


def rbac_yaml() -> str:
    """Return a ClusterRole that may list what a snapshot reads, and its binding to a group of the same name."""
    return yaml.safe_dump_all([cluster_role(), binding()], sort_keys=False)


def cluster_role() -> dict[str, Any]:
    """Return the role: one rule for each API group."""
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
