"""The inputs that say which cluster a component is for, as facts; mistakes are reported under the names of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from cutlist.core.errors import Problems
from cutlist.infrastructure.inputs import HERE, Places, chosen
from cutlist.infrastructure.names import ClusterFacts, NameStyle, check_account, check_cluster_name, check_region
from pulumi_cutlist.shapes import shaped

T = TypeVar("T")
_STAND_IN: Final = "stand-in"


def checked_cluster(args: Any, declared: type[T]) -> tuple[T, ClusterFacts]:
    """The inputs of a component that asks for nothing but a cluster and plain values, with that cluster. Raises InputError with
    every mistake in them."""
    problems = Problems()
    inputs = shaped(args, declared, problems)
    facts = cluster_facts(cast("Mapping[str, Any]", inputs), problems)
    problems.raise_if_any()
    return inputs, facts


def cluster_facts(args: Mapping[str, Any], problems: Problems, at: Places = HERE) -> ClusterFacts:
    """The facts that all names and ARNs of a cluster come from, out of inputs whose shape is right, which lie at `at`.

    Mistakes are noted. A name that EKS would refuse is replaced by a stand-in, so that everything else can be checked before
    they are raised.
    """
    before = len(problems.found)
    name, region, account = args["cluster_name"], args["region"], args["account_id"]
    check_cluster_name(name, at.member("clusterName").path, problems)
    usable = name if len(problems.found) == before else _STAND_IN
    check_region(region, at.member("region").path, problems)
    check_account(account, at.member("accountId").path, problems)
    style = chosen(args.get("name_style", NameStyle.KARPENTER), NameStyle.KARPENTER, at.member("nameStyle"), problems)
    controller = {key: args[key] for key in ("namespace", "service_account") if args.get(key)}
    return ClusterFacts(usable, region, account, name_style=style, **controller)
