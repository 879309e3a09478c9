"""Node classes that are elsewhere: what is said about them, and what is assumed."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.azure_manifests import pool as azure_pool
from tests.unit.planning.manifests import C5, auto_pool, deployment, pool

LARGE = deployment("large", extra="").replace("memory: 1Gi", "memory: 1Gi, ephemeral-storage: 100Gi")


def planned(*said: str, pools: str = "", workload: str = LARGE, region: str = "us-west-2") -> Plan:
    text = "\n---\n".join((pools or pool(requirements=f"[{C5}]"), workload))
    return plan(read_inputs(["-"], stdin=text, region=region, external_classes=said))


def refused(said: str, **inputs: str) -> str:
    with pytest.raises(InputError) as caught:
        planned(said, **inputs)
    (problem,) = caught.value.problems
    return str(problem)


def test_pods_beyond_an_assumed_disk_are_pending_because_of_the_assumption():
    """The sentence begins with it, and nobody is advised to request less."""
    (pending,) = planned("default").pending
    assert pending.reason.startswith("NodePool general: the disk of EC2NodeClass default is assumed to be 20Gi: the pod needs")
    assert pending.remedy == "name the class together with its disk, as in --external-class NAME:disk=200Gi"


def test_explain_says_so_too():
    text = f"{pool(requirements=f'[{C5}]')}\n---\n{LARGE}"
    inputs = read_inputs(["-"], stdin=text, region="us-west-2", external_classes=["default"])
    (explanation,) = explain(inputs, "deployment/large")
    (answer,) = explanation.answers
    assert answer.refusal.startswith("the disk of EC2NodeClass default is assumed to be 20Gi")
    assert "request of at most" not in answer.remedy


def test_a_disk_that_is_said_is_no_assumption():
    assert planned("default:disk=200Gi").totals.pending == 0
    (pending,) = planned("default:disk=50Gi").pending
    assert "assumed" not in pending.reason
    assert pending.remedy == "with a disk of 120Gi (/dev/xvda) in EC2NodeClass default it fits NodePool general"
    assert planned("default:disk=120Gi").totals.pending == 0


@pytest.mark.parametrize("family", ["AL2", "AL2023", "al2023", "Bottlerocket", "Windows2022", "windows"])
def test_each_family_has_the_disk_on_the_device_that_pods_use(family: str):
    system = "windows" if family.lower().startswith("windows") else "linux"
    pools = pool(requirements=f"[{C5}]")
    workload = LARGE.replace("      \n", f"      nodeSelector: {{kubernetes.io/os: {system}}}\n")
    assert planned(f"default:{family},disk=200Gi", pools=pools, workload=workload).totals.pending == 0


def test_the_most_pods_of_a_node_are_those_that_are_said():
    small = deployment("small", 12, cpu="10m", memory="16Mi")
    assert [planned(said, workload=small).totals.nodes for said in ("default", "default:maxPods=4")] == [1, 3]


def test_reserved_cpu_is_not_the_pods():
    whole = planned("default:kubeReserved.cpu=500m", workload=deployment())
    assert whole.nodes[0].allocatable["cpu"] == 1_500_000_000


def test_a_class_of_auto_mode_takes_a_disk_alone():
    text = auto_pool(node_class="mine")
    assert planned("mine:disk=200Gi", pools=text).totals.pending == 0
    assert "mine" in refused("mine:maxPods=20", pools=text)


def test_a_class_of_aks_takes_images_a_disk_and_pods():
    whole = planned(
        "mine:AzureLinux,disk=256G,maxPods=20",
        pools=azure_pool().replace("name: default", "name: mine"),
        workload=deployment(),
        region="japaneast",
    )
    (text,) = [note.text for note in whole.assumptions if note.code == "external-class"]
    assert text.endswith("images of AzureLinux, disks of 256G, at most 20 pods on a node and otherwise Azure's defaults")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("default:dsik=200Gi", "'dsik=200Gi' says nothing about the class default"),
        ("default:disk=much", "'disk=much' says nothing about the class default"),
        ("default:disk=-1Gi", "'disk=-1Gi' says nothing about the class default"),
        ("default:maxPods=few", "'maxPods=few' says nothing about the class default"),
        ("default:AL2024", "'AL2024' says nothing about the class default"),
        ("default:AL2,AL2023", "'AL2023' says nothing about the class default"),
        ("default:Ubuntu", "'default' is an EC2NodeClass, and not all that is said about it applies to that kind"),
        ("default:kubeReserved.disk=1Gi", "'kubeReserved.disk=1Gi' says nothing about the class default"),
    ],
)
def test_a_word_without_a_meaning_is_a_mistake_that_lists_the_words(said: str, message: str):
    text = refused(said)
    assert message in text
    assert "allowed: " in text


def test_the_nearest_word_is_proposed():
    assert refused("default:dsik=200Gi").endswith("did you mean disk?")
    assert refused("default:AL2024").endswith("did you mean AL2023?")
