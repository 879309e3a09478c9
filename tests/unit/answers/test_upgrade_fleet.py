"""An upgrade of Karpenter with manifests: what becomes of nodes, prices and pods."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cutlist.answers.upgrade import Upgrade, upgrade
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.infrastructure.charts.notes import Subject
from cutlist.planning.read_inputs import read_inputs
from cutlist_cli import main


def manifests(family: str = "al2023", **kubelet: object) -> bytes:
    """A NodePool of a class with these settings of the kubelet, and a Deployment of one pod."""
    terms = [{"tags": {"a": "b"}}]
    spec = {"role": "nodes", "subnetSelectorTerms": terms, "securityGroupSelectorTerms": terms}
    node_class = {"amiSelectorTerms": [{"alias": f"{family}@latest"}], **spec} | ({"kubelet": kubelet} if kubelet else {})
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    types = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m6i.large"]}
    template = {"spec": {"nodeClassRef": reference, "requirements": [types]}}
    pod = {"containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": "1"}}}]}
    app = {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": pod}}
    objects = [
        ("karpenter.k8s.aws/v1", "EC2NodeClass", "default", node_class),
        ("karpenter.sh/v1", "NodePool", "general", {"template": template}),
        ("apps/v1", "Deployment", "web", app),
    ]
    keys = ("apiVersion", "kind", "metadata", "spec")
    return yaml.safe_dump_all(
        [dict(zip(keys, (api, kind, {"name": name}, spec), strict=True)) for api, kind, name, spec in objects]
    ).encode()


def upgraded(text: bytes, before: str = "1.14.1", after: str = "1.15.1", **more) -> Upgrade:
    return upgrade(before, after, inputs=read_inputs(["-"], region="us-west-2", stdin=text), **more)


def nodes(change: Upgrade) -> list[str]:
    return [delta.text for delta in change.of(Subject.NODES)]


def test_a_plan_that_is_the_same_under_both_says_so():
    [same] = nodes(upgraded(manifests()))
    assert same.startswith("the plan is the same: 1 node at $")
    assert same.endswith(" an hour; 0 pods pending")


# VA15-70
def test_a_price_that_differs_is_shown_in_all_and_by_nodes():
    """Two GiB more of a root volume."""
    whole, node = nodes(upgraded(manifests("bottlerocket")))
    assert whole.startswith("in all 1 node at $")
    assert whole.endswith("; 0 pods pending")
    assert node.startswith("NodePool general, m6i.large ")
    before, after = (float(part.split("$")[1].split()[0]) for part in node.split(" -> "))
    assert before < after


# VA15-2 VA15-11
def test_a_class_that_becomes_not_ready_is_an_obstacle():
    change = upgraded(manifests("bottlerocket", podsPerCore=2))
    [obstacle] = change.obstacles
    assert obstacle.startswith("under 1.15.1, ")
    assert "spec.kubelet.podsPerCore" in obstacle
    whole, bought, pending = change.of(Subject.NODES)
    assert whole.text.endswith("; 0 pods pending -> 1")
    assert bought.text.endswith(" an hour -> no node")
    assert pending.text.startswith("deployment/web: 0 pods pending -> 1: ")
    assert whole.statements == bought.statements == pending.statements == Behaviour.KUBELET_IS_OPEN.statements
    assert obstacle.endswith("(VA15-11)")
    assert change.fleet is not None
    assert change.fleet.outlook is None
    assert upgraded(manifests("bottlerocket", podsPerCore=2), "1.14.1", "1.14.3").obstacles == ()


def test_versions_before_those_with_recorded_rules_count_as_the_oldest():
    change = upgraded(manifests(), "1.12.0", "1.14.1")
    assert change.notes == ("nodes of Karpenter 1.12.0 are planned by the rules of 1.14.1, the oldest that are recorded",)
    assert len(nodes(change)) == 1


@pytest.mark.parametrize(("settings", "code"), [({}, 0), ({"podsPerCore": 2}, 1)])
def test_the_command_ends_with_one_when_a_class_becomes_not_ready(tmp_path: Path, settings, code):
    file = tmp_path / "all.yaml"
    file.write_bytes(manifests("bottlerocket", **settings))
    versions = ("--from", "1.14.1", "--to", "1.15.1")
    done = CliRunner().invoke(main, ["upgrade", *versions, "-f", str(file), "--region", "us-west-2", "-o", "json"])
    assert done.exit_code == code
    answer = json.loads(done.stdout)
    assert len(answer["obstacles"]) == code
    assert any("pending -> 1" in change["text"] for change in answer["changes"] if change["subject"] == "nodes") == bool(code)


def test_the_versions_are_not_named_twice():
    done = CliRunner().invoke(main, ["upgrade", "--from", "1.14.1", "--to", "1.15.1", "--karpenter", "1.15"])
    assert done.exit_code == 2
    assert "--from and --to name the versions" in done.stderr
