"""AksKarpenter: a controller that the user runs, whose identity one service account stands for, and its charts in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.azure_stand_in import (
    ASSIGNMENT,
    CLUSTER,
    IDENTITY,
    ISSUER,
    MANAGED,
    NODE_GROUP,
    RELEASE,
    TRUST,
    one,
    run,
)
from tests.infrastructure.graph import Graph

PROGRAM = """
from pulumi_cutlist.azure import AksCluster, AksKarpenter, kubernetes_provider

settings = {"node_provisioning": "Manual", "authorized_ip_ranges": ["198.51.100.0/24"]}
cluster = AksCluster("main", {"cluster": names, "settings": settings})
provider = kubernetes_provider("main", cluster)
karpenter = AksKarpenter(
    "karpenter",
    {
        "cluster": names,
        "karpenter_version": "1.14.0",
        "oidc_issuer": cluster.oidc_issuer,
        "cluster_endpoint": pulumi.Output.concat("https://", cluster.fqdn),
        "node_resource_group": cluster.node_resource_group,
        "subnet_id": "/subnets/nodes",
        "bootstrap_token": "abcdef.0123456789abcdef",
        "ssh_public_key": "ssh-rsa AAAA",
        "kubelet_client_id": cluster.kubelet_client_id,
        "kubelet_resource_id": cluster.kubelet_resource_id,
        **args,
    },
    pulumi.ResourceOptions(providers=[provider]),
)
pulumi.export("client", karpenter.client_id)
"""


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **args: Any) -> Recording:
        return run(tmp_path, PROGRAM, mode, names=CLUSTER, args=args)

    return make


def values(recording: Recording) -> dict[str, Any]:
    return rpc.unwrap_rpc_secret(one(recording, RELEASE, "karpenter-controller").inputs["values"])


def test_one_service_account_stands_for_the_identity(record):  # Z-13
    recording = record()
    trust = one(recording, TRUST).inputs
    assert trust["subject"] == "system:serviceaccount:kube-system:karpenter-sa"
    assert trust["audiences"] == ["api://AzureADTokenExchange"]
    assert trust["issuer"] == ISSUER
    assert trust["resourceName"] == one(recording, IDENTITY).inputs["resourceName"] == "shop-karpenter"
    reported = record(namespace="karpenter")
    assert one(reported, TRUST).inputs["subject"] == "system:serviceaccount:karpenter:karpenter-sa"


def test_it_has_three_roles_on_the_group_of_nodes(record):  # Z-13
    recording = record()
    made = recording.of_type(ASSIGNMENT)
    assert {r.inputs["scope"] for r in made} == {NODE_GROUP}
    assert {r.inputs["roleDefinitionId"].rsplit("/", 1)[1] for r in made} == {
        "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
        "4d97b98b-1d4f-4787-a291-c67834d212e7",
        "f1a07417-d97a-45cb-824c-7a7467783830",
    }
    assert {r.inputs["principalId"] for r in made} == {"principal-karpenter"}
    assert Graph.of(recording).reaches(made, one(recording, MANAGED))


@pytest.mark.parametrize("mode", Mode)
def test_the_controller_starts_once_it_may_do_its_work(record, mode):
    recording = record(mode)
    crds, controller = one(recording, RELEASE, "karpenter-crds"), one(recording, RELEASE, "karpenter-controller")
    assert crds.inputs["chart"] == "oci://mcr.microsoft.com/aks/karpenter/karpenter-crd"
    assert controller.inputs["chart"] == "oci://mcr.microsoft.com/aks/karpenter/karpenter"
    assert {r.inputs["version"] for r in (crds, controller)} == {"1.14.0"}
    assert controller.inputs["skipCrds"] is True
    graph = Graph.of(recording)
    assert graph.reaches(controller, [crds, one(recording, TRUST), *recording.of_type(ASSIGNMENT)])
    assert graph.reaches([crds, controller], one(recording, MANAGED))


def test_the_chart_gets_the_cluster_and_its_place(record):
    recording = record(vnet_guid="guid", values={"replicas": 3})
    reported = values(recording)
    assert reported["serviceAccount"]["annotations"] == {"azure.workload.identity/client-id": "client-karpenter"}
    assert reported["podLabels"] == {"azure.workload.identity/use": "true"}
    assert reported["replicas"] == 3
    variables = {variable["name"]: variable["value"] for variable in reported["controller"]["env"]}
    assert variables["CLUSTER_ENDPOINT"] == "https://shop.example"
    assert variables["AZURE_NODE_RESOURCE_GROUP"] == "MC_rg-shop_shop_japaneast"
    assert (variables["VNET_GUID"], variables["KUBELET_IDENTITY_CLIENT_ID"]) == ("guid", "kubelet-client")
    assert "NODE_OSDISK_DISKENCRYPTIONSET_ID" not in variables
    assert recording.exports["client"] == "client-karpenter"


def test_the_token_is_a_secret_wherever_it_goes(record):
    recording = record()
    [component] = recording.of_type("cutlist:index:AksKarpenter")
    assert rpc.is_rpc_secret(component.inputs["bootstrap_token"])
    assert rpc.is_rpc_secret(one(recording, RELEASE, "karpenter-controller").inputs["values"])
    reported = [r.name for r in recording.resources.values() if "abcdef.0123456789abcdef" in str(r.request.object)]
    assert set(reported) == {"karpenter", "karpenter-controller"}


def test_the_crds_may_be_anothers(record):
    assert [r.name for r in record(install_crds=False).of_type(RELEASE)] == ["karpenter-controller"]


def test_what_would_end_its_start_is_reported_together(record):
    with pytest.raises(InputError) as caught:
        record(
            karpenter_version="1.14",
            network={"plugin": "kubenet"},
            memory_overhead=75,
            cluster={**CLUSTER, "location": "Japan East"},
        )
    assert [str(problem.place) for problem in caught.value.problems] == [
        "cluster.location",
        "karpenter_version",
        "memory_overhead",
        "network.plugin",
    ]


def test_machines_are_not_left_behind(tmp_path):
    body = PROGRAM.replace("providers=[provider]", "providers=[provider], retain_on_delete=True")
    with pytest.raises(InputError, match="retain_on_delete"):
        run(tmp_path, body, names=CLUSTER, args={})
