"""Keep a stack with its cluster: inputs that would make it another one are refused before anything is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pulumi
from pulumi.runtime import rpc

from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.wording import camel_case

OF_EKS: Final = ("cluster_name", "region", "account_id")
"""The inputs that say which cluster of EKS a component is about."""
OF_CONTROL_PLANE: Final = tuple(f"control_plane.{path}" for path in OF_EKS)
"""The same where the control plane has inputs of its own."""
OF_AKS: Final = tuple(f"cluster.{path}" for path in ("name", "resource_group", "location", "subscription"))
"""The inputs that say which cluster of AKS a component is about."""


def of_same_cluster(
    name: str, kind: str, paths: tuple[str, ...], opts: pulumi.ResourceOptions | None
) -> pulumi.ResourceOptions:
    """Return the options of a component, by its name and kind, with a hook that refuses other values of the inputs at `paths`.

    An engine would replace the cluster with all that is in it, and much of that keeps names that the account has once: the old
    cluster would lose roles, queue and the tags of its subnets before its nodes are drained. The hook runs in previews too, and
    before those of everything that the component makes.
    """

    def refuse(change: pulumi.ResourceHookArgs) -> None:
        problems = list(changes_of_cluster(change.old_inputs or {}, change.new_inputs or {}, paths))
        if problems:
            raise InputError(problems)

    hook = pulumi.ResourceHook(f"{name}-{kind}-stays", refuse, pulumi.ResourceHookOptions(on_dry_run=True))
    own = pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_update=[hook]))
    return pulumi.ResourceOptions.merge(opts, own)


def changes_of_cluster(olds: Mapping[str, Any], news: Mapping[str, Any], paths: tuple[str, ...]) -> Iterator[Problem]:
    """Yield a problem for each path at which recorded inputs name another cluster than before. Values that are not known yet
    are skipped."""
    for path in paths:
        before, after = _value(olds, path), _value(news, path)
        if before and after and before != after:
            message = f"{before!r} becomes {after!r}, another cluster: all of this one would be replaced, with its nodes"
            way = f"{before!r}; or another stack for the other cluster; or first a destroy of this one"
            yield Problem(Place(path=".".join(map(camel_case, path.split(".")))), message, way)


def _value(inputs: Mapping[str, Any], path: str) -> str:
    """Return the text at a path; empty for none, and for one that is known only after the update."""
    value: Any = inputs
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) and value != rpc.UNKNOWN else ""
