"""Plans of pods that claim devices: from gates and flags to nodes, and to the words for pods that get no devices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cutlist import EC2NodeClass, plan, read_inputs
from cutlist_cli import main

CLASS = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "r",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": [{"tags": {"a": "b"}}],
        "securityGroupSelectorTerms": [{"tags": {"a": "b"}}],
    },
}
DEVICE_CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu"},
    "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.nvidia.com'"}}]},
}
GPU = "gpu.nvidia.com"
GATE = ("DRANVIDIAGPU",)


def pool(*types: str, **limits: str) -> dict:
    requirements = [
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": list(types)},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
    ]
    ref = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    spec: dict = {"template": {"spec": {"requirements": requirements, "nodeClassRef": ref}}}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "gpu"},
        "spec": {**spec, **({"limits": limits} if limits else {})},
    }


def template(name: str = "one", **request: object) -> dict:
    asked = {"name": "gpu", "exactly": {"deviceClassName": "gpu", **request}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name},
        "spec": {"spec": {"devices": {"requests": [asked]}}},
    }


def pod(name: str, claim: str = "one", cpu: str = "1") -> dict:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}, "claims": [{"name": "gpu"}]}}
    spec = {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": claim}], "containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def inputs_of(*objects: dict, **settings: object):
    return read_inputs([], manifests=[CLASS, DEVICE_CLASS, *objects], region="us-east-1", **settings)  # type: ignore[arg-type]


def planned(*objects: dict, **settings: object):
    return plan(inputs_of(*objects, **settings))


def controller(**variables: str) -> dict:
    env = [{"name": name, "value": value} for name, value in variables.items()]
    spec = {"nodeSelector": {"a": "b"}, "containers": [{"name": "controller", "image": "karpenter", "env": env}]}
    template = {"metadata": {"labels": {"app": "karpenter"}}, "spec": spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "karpenter", "namespace": "kube-system"},
        "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "karpenter"}}, "template": template},
    }


def test_a_gate_for_devices_plans_pods_that_claim_some() -> None:  # R-1 R-7 R-120 VA15-90 VA15-112
    """Each of two pods gets one of the GPUs of a node, which is counted by its driver."""
    (node,) = planned(pool("m5.4xlarge", "g4dn.12xlarge"), template(), pod("a"), pod("b"), feature_gates=GATE).nodes
    assert node.instance_type == "g4dn.12xlarge"
    assert {name: used[0] // 10**9 for name, used in node.extended.items()} == {GPU: 2}
    assert node.allocatable[GPU] == 4 * 10**9


def test_without_the_gate_the_pods_wait_and_a_note_says_what_plans_them() -> None:
    """The sentence and the note do not contradict each other."""
    waiting = planned(pool("g4dn.xlarge"), template(), pod("a"))
    (pending,) = waiting.pending
    assert pending.reason == "the pod claims devices by dynamic resource allocation, which Karpenter ignores by default"
    assert [note.text for note in waiting.warnings if note.code == "claims-ignored"]
    assert not planned(pool("g4dn.xlarge"), template(), pod("a"), karpenter="1.14").nodes


@pytest.mark.parametrize(
    ("said", "settings"),
    [
        ([{"apiVersion": "cutlist/v1", "kind": "Figures", "controller": {"enableDRA": True}}], {}),
        (
            [
                {
                    "apiVersion": "cutlist/v1",
                    "kind": "Figures",
                    "controller": {"ignoreDRARequests": False, "awsFeatureGates": {"draNVIDIAGPU": True}},
                }
            ],
            {},
        ),
        ([controller(IGNORE_DRA_REQUESTS="false", AWS_FEATURE_GATES="DRAEFA=false,DRANVIDIAGPU=true")], {}),
        ([], {"feature_gates": GATE, "dra": True}),
    ],
    ids=["figures", "both", "controller", "settings"],
)
def test_whoever_says_it_the_pods_are_planned(said: list[dict], settings: dict) -> None:  # VA15-112
    """A document, the controller among the objects, settings of a call."""
    assert [n.instance_type for n in planned(pool("g4dn.xlarge"), template(), pod("a"), *said, **settings).nodes] == [
        "g4dn.xlarge"
    ]


def test_what_the_user_says_counts_before_the_controller() -> None:
    """A document that keeps the flag at its default is not overruled by an object."""
    figures = {"apiVersion": "cutlist/v1", "kind": "Figures", "controller": {"ignoreDRARequests": True}}
    running = controller(IGNORE_DRA_REQUESTS="false", AWS_FEATURE_GATES="DRANVIDIAGPU=true")
    assert not planned(pool("g4dn.xlarge"), template(), pod("a"), figures, running).nodes


def test_the_flag_alone_gives_types_no_devices() -> None:
    """Without the provider's gate only published devices are there."""
    (pending,) = planned(pool("g4dn.xlarge"), template(), pod("a"), dra=True).pending
    assert pending.reason == (
        "NodePool gpu: request gpu of claim gpu (1 device of class gpu): no instance type has any device of this class"
    )


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"count": 8}, "no instance type has more than 4 such devices (g4dn.12xlarge)"),
        (
            {"selectors": [{"cel": {"expression": "device.attributes['gpu.nvidia.com'].productName == 'H200'"}}]},
            "1 instance type with devices of this class, and device.attributes['gpu.nvidia.com'].productName == 'H200' chooses "
            "none of these; productName there is Tesla T4",
        ),
        (
            {
                "selectors": [
                    {"cel": {"expression": "device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('80Gi'))"}}
                ]
            },
            "chooses none of these; memory there is 15Gi",
        ),
        ({"deviceClassName": "fpga"}, "request gpu of its claims names the DeviceClass fpga, which is not in the input"),
    ],
    ids=["too many", "attribute", "capacity", "class"],
)
def test_a_claim_that_cannot_be_met_is_explained(request_: dict, said: str) -> None:  # R-9 R-10 R-19 R-23
    """Which request of which claim, on which devices, and what there is instead."""
    (pending,) = planned(pool("g4dn.12xlarge"), template(**request_), pod("a"), feature_gates=GATE).pending
    assert said in pending.reason


def test_a_pod_whose_template_is_missing_is_planned_without_devices_and_said_so() -> None:
    """Karpenter plans a node, on which the pod cannot start."""
    whole = planned(pool("m5.large"), pod("a", "nowhere"), feature_gates=GATE)
    assert [n.instance_type for n in whole.nodes] == ["m5.large"]
    (note,) = (note for note in whole.warnings if note.code == "claim-template-missing")
    assert note.text.startswith("pod/a: no ResourceClaimTemplate nowhere is in the input")


def test_a_later_pass_does_not_give_a_device_again() -> None:  # R-8 R-45
    """Four pods on types of one GPU: each pod has a node of its own, however many passes that takes."""
    pods = [pod(f"p{n}") for n in range(4)]
    whole = planned(pool("g4dn.xlarge", cpu="12"), template(), *pods, feature_gates=GATE)
    assert sum(n.count for n in whole.nodes) == 3
    assert [p.count for p in whole.pending] == [1]
    assert all(n.requests[GPU] == 10**9 for n in whole.nodes)


def test_the_command_reads_the_gate_from_the_projects_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As every other setting of a plan."""
    objects = (CLASS, DEVICE_CLASS, pool("g4dn.xlarge"), template(), pod("a"))
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all(objects))
    (tmp_path / "cutlist.yaml").write_text("file: [all.yaml]\nregion: us-east-1\ndra: true\nfeature-gate: [DRANVIDIAGPU]\n")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["plan", "-o", "json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["totals"]["nodes"] == 1


def test_the_class_of_a_shared_gpu_shares_it() -> None:  # R-121 VA15-92
    """Four pods share the one GPU of a node by the annotation of its class."""
    assert EC2NodeClass.from_manifest(CLASS).name == "default"
    shared = {**CLASS, "metadata": {"name": "default", "annotations": {"karpenter.k8s.aws/nvidia-consumable-capacity": "4"}}}
    pods = [pod(f"p{n}", cpu="100m") for n in range(4)]
    objects = [shared, DEVICE_CLASS, pool("g4dn.xlarge"), template(), *pods]
    (node,) = plan(read_inputs([], manifests=objects, region="us-east-1", feature_gates=GATE)).nodes
    assert (node.count, node.pods_each) == (1, 4)


def test_a_node_that_devices_leave_too_few_types_for_is_dropped():
    """R-68: one of two types has devices, and the NodePool wants both; the reason says so, and nothing else is advised."""
    demanding = pool("g4dn.xlarge", "m5.xlarge")
    demanding["spec"]["template"]["spec"]["requirements"][0]["minValues"] = 2
    answer = planned(demanding, template(), pod("a"), dra=True, feature_gates=GATE)
    (pending,) = answer.pending
    text = (
        "Karpenter drops its node: the types with devices for its claims have too few values of "
        "node.kubernetes.io/instance-type (minValues)"
    )
    assert (answer.nodes, pending.reason, pending.remedy) == ((), f"NodePool gpu: {text}", "")
    assert pending.by_node_pool == (("gpu", text),)
