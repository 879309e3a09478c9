"""Whatever is given for a cluster of AKS: it can be made, or every mistake is reported; never anything else."""

from __future__ import annotations

import re
from typing import Any, NotRequired, get_args, get_origin, is_typeddict
from unittest.mock import Mock, patch

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_azure_native import authorization, containerservice
from pulumi_cutlist.azure.cluster.inputs import make_managed_cluster
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.azure.whole_cluster.provisioning_args import AksNodeProvisioningArgs
from pulumi_cutlist.azure.whole_cluster.provisioning_plan import plan_provisioning

from cutlist.core.errors import InputError
from tests.examples import examples
from tests.infrastructure.azure_stand_in import CLUSTER, NETWORK_ID, SUBSCRIPTION

WORDS = """
azure none kubenet overlay cilium calico basic IPv6 Auto Manual None Automatic System Windows 1 3 1.33 1.33.5 stable patch
10.0.0.0/16 10.224.0.0/20 10.224.0.0/33 10.0.0.10 0.0.0.0/0 Standard_D2s_v5 02:00 Sunday 2026-12-24 kubernetes nodeImages
nodes batch japaneast userDefinedRouting managedNATGateway loadBalancer default addon_profiles security_profile
"""
TEXTS = st.sampled_from([*re.findall(r"\S+", WORDS), "", NETWORK_ID])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2000) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
PLAIN = {str: TEXTS, int: st.integers(-1, 2000), bool: st.booleans(), float: st.floats(0, 1)}


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a declared type, and now and then others."""
    if get_origin(hint) is NotRequired:
        return of(get_args(hint)[0])
    if is_typeddict(hint):
        hints = dict(hint.__annotations__)
        needed = {key: of(hints.pop(key)) for key in hint.__required_keys__}
        return st.fixed_dictionaries(needed, optional={key: of(value) for key, value in hints.items()})
    if get_origin(hint) is list:
        return st.lists(of(get_args(hint)[0]), max_size=2)
    if get_origin(hint) is dict:
        return st.dictionaries(TEXTS, of(get_args(hint)[1]), max_size=2)
    return st.one_of(*[PLAIN[hint]] * 20, ANYTHING) if hint in PLAIN else ANYTHING


NAMES = st.just(CLUSTER) | of(AksClusterNames)


@pytest.fixture(autouse=True, scope="module")
def account():
    """Stand in for the account, which is asked where the subscription is absent or null."""
    with patch.object(authorization, "get_client_config", return_value=Mock(subscription_id=SUBSCRIPTION)):
        yield


def reported(drawn: dict[str, Any]) -> list[str] | None:
    """Return the mistakes that are reported, or None without any."""
    try:
        plan_provisioning(drawn)
    except InputError as error:
        return [str(problem) for problem in error.problems if problem.message and str(problem.place)]
    return None


@examples(1.5)
@given(of(AksNodeProvisioningArgs), NAMES)
def test_inputs_are_a_plan_or_told_mistakes(drawn, names):
    inputs = {**drawn, "cluster": names}
    mistakes = reported(inputs)
    assert mistakes != []
    if mistakes is not None:
        return
    plan = plan_provisioning(inputs)
    with patch.object(containerservice, "ManagedCluster") as registered:
        make_managed_cluster("cluster", plan.cluster.args, plan.facts, plan.cluster.cluster, pulumi.ResourceOptions())
    inputs = registered.call_args.kwargs
    assert inputs["resource_name_"] == plan.facts.cluster
    nested = [inputs[key] for key in ("node_provisioning_profile", "network_profile", "identity", "sku")]
    assert all(None not in profile.values() for profile in (*nested, *(inputs["agent_pool_profiles"] or ())))
