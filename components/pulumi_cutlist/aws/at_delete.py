"""Resources that do nothing until they are deleted: then they clean up in the account or in the cluster (spec: pulumi 6).

A stack stores the names of these classes and the properties; the work is done by the Cutlist that is installed when the stack
is destroyed. It uses the AWS credentials of the environment, not those of the stack's provider. Since the names are stored, the
module and its classes keep them: a stack that was made before a renaming could not be destroyed.
"""

from collections.abc import Mapping
from typing import Any, Final

import pulumi
from pulumi import dynamic

from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.options import child_options
from pulumi_cutlist.package.own_resources import OwnResource

IDENTITY: Final = ("account", "cluster", "region")


class AtDelete(dynamic.ResourceProvider):
    """Records properties. Another account, region or cluster is another resource; everything else is recorded again."""

    serialize_as_secret_always = False

    def create(self, props: Mapping[str, Any]) -> dynamic.CreateResult:
        """Record the properties."""
        return dynamic.CreateResult("/".join(str(props[key]) for key in IDENTITY), dict(props))

    def diff(self, _id: str, _olds: Mapping[str, Any], _news: Mapping[str, Any]) -> dynamic.DiffResult:
        """Return what a change of the properties means."""
        changed = sorted(key for key in {*_olds, *_news} if not key.startswith("__") and _olds.get(key) != _news.get(key))
        return dynamic.DiffResult(changes=bool(changed), replaces=[key for key in changed if key in IDENTITY])

    def update(self, _id: str, _olds: Mapping[str, Any], _news: Mapping[str, Any]) -> dynamic.UpdateResult:
        """Record the new properties."""
        return dynamic.UpdateResult(dict(_news))


class SweepAtDelete(AtDelete):
    """Sweeps what Karpenter left of the cluster."""

    def delete(self, _id: str, _props: Mapping[str, Any]) -> None:
        """Sweep. Raises NotSweptError with the report when anything is left, so that the resource stays in the stack."""
        from cutlist_live.sweep.recorded import sweep  # needs the extra live

        pulumi.log.info(sweep(_props))


class DrainAtDelete(AtDelete):
    """Drains nodes that the stack did not make, or refuses to."""

    def delete(self, _id: str, _props: Mapping[str, Any]) -> None:
        """Drain or refuse. Raises NotDrainedError, so that the resource stays in the stack, and the controller with it."""
        from cutlist_live.sweep.recorded import drain  # needs the extra live

        drain(_props)


class SweepResource(OwnResource, module="cutlist", name="Sweep"):
    """A sweep in a stack."""

    def __init__(self, name: str, properties: dict[str, Any], opts: pulumi.ResourceOptions) -> None:
        super().__init__(SweepAtDelete(), name, properties, opts)


class DrainResource(OwnResource, module="cutlist", name="Drain"):
    """A drain gate in a stack."""

    def __init__(self, name: str, properties: dict[str, Any], opts: pulumi.ResourceOptions) -> None:
        super().__init__(DrainAtDelete(), name, properties, opts)


def identity_of(facts: ClusterFacts) -> dict[str, Any]:
    """Return the properties that tell one cluster's resource from another's."""
    return dict(zip(IDENTITY, (facts.account, facts.cluster, facts.region), strict=True))


def deleted_within(minutes: float, parent: pulumi.Resource, opts: pulumi.ResourceOptions | None) -> pulumi.ResourceOptions:
    """Return the options of a component's child whose deletion may take some minutes; its edges are those of the component."""
    timeouts = pulumi.CustomTimeouts(delete=f"{minutes:.0f}m")
    return pulumi.ResourceOptions.merge(child_options(parent, opts), pulumi.ResourceOptions(custom_timeouts=timeouts))
