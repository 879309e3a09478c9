"""The inputs that say which cluster a component is for, as facts; mistakes are reported under the names of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypedDict, TypeVar, cast

import pulumi

from cutlist.core.errors import Problems
from cutlist.infrastructure import name_checks
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.inputs import HERE, Places, chosen
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.inputs.late import as_planned
from pulumi_cutlist.inputs.shapes import shaped

_STAND_IN: Final = "stand-in"


class ClusterInputs(TypedDict):
    """A view of the inputs that say which cluster a part is for."""

    cluster_name: str
    region: str
    account_id: pulumi.Input[str]


T = TypeVar("T", bound=ClusterInputs)


def checked_cluster(args: Any, declared: type[T]) -> tuple[T, ClusterFacts]:
    """Return the inputs of a component that needs only a cluster and plain values, with that cluster. Raises
    InputError with every mistake in them."""
    problems = Problems()
    inputs = shaped(args, declared, problems)
    facts = cluster_facts(inputs, problems)
    problems.raise_if_any()
    return inputs, facts


def cluster_facts(
    args: ClusterInputs,
    problems: Problems,
    at: Places = HERE,
    *,
    name_style: str = NameStyle.KARPENTER,
    namespace: str | None = None,
    service_account: str | None = None,
) -> ClusterFacts:
    """Return the facts that all names and ARNs of a cluster come from, out of inputs whose shape is right, which lie at `at`.
    The service account is the controller's unless another is named.

    Mistakes are noted. A name that EKS would refuse is replaced by a stand-in, so that everything else can be checked before
    they are raised.
    """
    before = len(problems.found)
    name, region, account = args["cluster_name"], args["region"], as_planned(args["account_id"])
    name_checks.check_cluster_name(name, at.member("clusterName").path, problems)
    usable = name if len(problems.found) == before else _STAND_IN
    name_checks.check_region(region, at.member("region").path, problems)
    name_checks.check_account(account, at.member("accountId").path, problems)
    others = cast("Mapping[str, object]", args)
    if isinstance(tags := others.get("tags"), Mapping):
        name_checks.check_own_tags(tags, at.member("tags"), problems)
    if isinstance(boundary := others.get("permissions_boundary"), str):
        check_arn(boundary, POLICY, region, at.member("permissionsBoundary"), problems)
    if namespace:
        name_checks.check_namespace(namespace, at.member("namespace"), problems)
    if service_account:
        name_checks.check_object_name(service_account, at.member("serviceAccount"), problems)
    style = chosen(name_style, NameStyle.KARPENTER, at.member("nameStyle"), problems)
    facts = ClusterFacts(usable, region, account, name_style=style)
    return replace(facts, namespace=namespace or facts.namespace, service_account=service_account or facts.service_account)
