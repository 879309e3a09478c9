"""NodeUserData: the text that `cutlist userdata` shows, for stacks and for launch templates of node groups."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from cutlist_cli import main
from tests.infrastructure.unknowns import has_unknowns

CLASS = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "node",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": [{"tags": {"a": "b"}}],
        "securityGroupSelectorTerms": [{"tags": {"a": "b"}}],
        "kubelet": {"maxPods": 40, "kubeReserved": {"cpu": "200m"}},
        "userData": "#!/bin/sh\necho hello\n",
    },
}
POOL = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "web"},
    "spec": {
        "template": {
            "metadata": {"labels": {"team": "a"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}],
                "taints": [{"key": "dedicated", "value": "web", "effect": "NoSchedule"}],
            },
        }
    },
}
PROGRAM = """
import json, pathlib, pulumi
from pulumi_cutlist.aws import NodeUserData
from pulumi_kubernetes.core.v1 import ConfigMap

args = json.loads(pathlib.Path("args.json").read_text())
if args.pop("later", False):  # the endpoint is known once the cluster is there
    cluster = ConfigMap("cluster", metadata={"name": "cluster"})
    endpoint = args["endpoint"]
    args["endpoint"] = cluster.id.apply(lambda _: endpoint)
made = NodeUserData("nodes", args)
pulumi.export("userData", made.user_data)
pulumi.export("nodeGroupUserData", made.node_group_user_data)
"""
ARGS = {
    "node_class": CLASS,
    "node_pool": POOL,
    "cluster_name": "demo",
    "endpoint": "https://demo.example",
    "service_cidr": "10.100.0.0/16",
}


@pytest.fixture
def run(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **changes: object) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        given = {key: value for key, value in {**ARGS, **changes}.items() if value is not None}
        (tmp_path / "args.json").write_text(json.dumps(given))
        return Program(tmp_path, tmp_path, "shop", "dev").run(mode)

    return make


def for_node_group(recording: Recording) -> str:
    return base64.b64decode(recording.exports["nodeGroupUserData"], validate=True).decode()


def test_it_is_what_the_command_shows(run, tmp_path):
    """The text of the component is, byte by byte, that of `cutlist userdata` for the same objects and cluster."""
    (tmp_path / "objects.yaml").write_text(yaml.safe_dump_all([CLASS, POOL]))
    options = ["--cluster-name", "demo", "--endpoint", "https://demo.example", "--service-cidr", "10.100.0.0/16"]
    shown = CliRunner().invoke(main, ["userdata", "-f", str(tmp_path / "objects.yaml"), *options])
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert run().exports["userData"] == shown.stdout


def test_a_node_group_shares_the_settings_and_not_what_is_karpenters(run):
    """Kubelet settings and the author's script are in it; Karpenter's labels and the taint that it takes off are not."""
    recording = run()
    text = for_node_group(recording)
    for shared in ("maxPods: 40", "cpu: 200m", "echo hello", "name: demo", "apiServerEndpoint: https://demo.example"):
        assert shared in text
        assert shared in recording.exports["userData"]
    for of_karpenter in ("karpenter.sh/", "registerWithTaints", "node-labels"):
        assert of_karpenter not in text
        assert of_karpenter in recording.exports["userData"]


def test_the_text_is_recorded_as_an_input(run):
    """A changed NodeClass shows in the diff of a preview as the lines of user data that change."""
    recording = run(Mode.PREVIEW)
    (made,) = recording.of_type("cutlist:index:NodeUserData")
    assert made.inputs == {"userData": recording.exports["userData"]}


@pytest.mark.parametrize(("mode", "known"), [(Mode.PREVIEW, False), (Mode.UPDATE, True)])
def test_a_cluster_that_is_yet_to_come_is_waited_for(run, mode, known):
    """As long as the cluster's endpoint is unknown so is the text; the update has it."""
    recording = run(mode, later=True)
    (made,) = recording.of_type("cutlist:index:NodeUserData")
    assert has_unknowns(made) is not known
    if known:
        assert "https://demo.example" in recording.exports["userData"]


@pytest.mark.parametrize("mode", Mode)
def test_mistakes_are_reported_before_the_cluster_is_known(run, mode):
    """What is missing is named as the component's inputs are, before anything is registered."""
    without_pods = {**CLASS, "spec": {k: v for k, v in CLASS["spec"].items() if k != "kubelet"}}
    with pytest.raises(InputError) as error:
        run(mode, later=True, service_cidr=None, node_class=without_pods)
    assert [p.place.path for p in error.value.problems] == ["instance_type", "service_cidr"]


def test_user_data_that_cannot_be_merged_is_refused(run):
    """Text that is not TOML is reported with its path, at once."""
    spec = {**CLASS["spec"], "amiSelectorTerms": [{"alias": "bottlerocket@v1.46.0"}], "userData": "[settings"}
    with pytest.raises(InputError, match="cannot be merged"):
        run(later=True, node_class={**CLASS, "spec": spec})


def test_the_number_of_pods_comes_from_the_machine(run):
    """Without maxPods the instance type says how many pods the node takes."""
    without_pods = {**CLASS, "spec": {k: v for k, v in CLASS["spec"].items() if k != "kubelet"}}
    recording = run(node_class=without_pods, instance_type="m5.large", region="us-west-2")
    assert "maxPods: 29" in recording.exports["userData"]
    assert "maxPods: 29" in for_node_group(recording)


def test_whole_numbers_of_the_wire_are_integers(run):
    """Programs in other languages send 40 as 40.0; the node gets 40."""
    spec = {**CLASS["spec"], "kubelet": {"maxPods": 40.0}}
    assert "maxPods: 40\n" in run(node_class={**CLASS, "spec": spec}).exports["userData"]
