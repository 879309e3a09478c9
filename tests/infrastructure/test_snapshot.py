"""A snapshot of a cluster: what an API server lists, without what nobody needs, gives the answers that the whole gives."""

from __future__ import annotations

import copy
import functools
import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist import disrupt, nodes, read_inputs
from cutlist.core.errors import InputError
from cutlist.verbs.nodes.glance import render_glance
from cutlist_cli import main
from cutlist_live import cluster as cluster_module
from cutlist_live import connection
from cutlist_live.cluster import PAGE, ClusterClient
from cutlist_live.kinds import KINDS, SnapshotKind
from cutlist_live.kubeconfig import chosen
from cutlist_live.progress import Watcher
from cutlist_live.snapshot import take
from tests.infrastructure.kube_server import TOKEN, ApiServer, kubeconfig, serving
from tests.sample import POOLS, SNAPSHOT, WORKLOADS

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
SECRET = "S3CRET"  # noqa: S105 - what must not be found again
PODS = "/api/v1/pods"
REGION = ("--region", "us-west-2")


def path_of(kind: str, version: str | None = None) -> str:
    """Where the objects of a kind are listed."""
    found = next(k for k in KINDS if k.kind == kind)
    return _path(found, version or found.versions[0])


def _path(kind: SnapshotKind, version: str) -> str:
    return f"/apis/{kind.group}/{version}/{kind.plural}" if kind.group else f"/api/{version}/{kind.plural}"


@functools.cache
def _written_objects() -> list[dict[str, Any]]:
    return [one for file in (POOLS, SNAPSHOT) for one in yaml.safe_load_all(file.read_text())]


def whole_objects() -> list[dict[str, Any]]:
    """The cluster of the docs as an API server has it: with much that is ignored."""
    objects = copy.deepcopy(_written_objects())
    for number, one in enumerate(objects):
        metadata = one["metadata"]
        metadata |= {
            "uid": metadata.get("uid", f"uid-{number:04}"),
            "resourceVersion": "12",
            "generation": 1,
            "creationTimestamp": metadata.get("creationTimestamp", "2026-01-05T07:00:00Z"),
            "managedFields": [{"manager": SECRET, "operation": "Update"}],
        }
        last = "kubectl.kubernetes.io/last-applied-configuration"
        metadata["annotations"] = {**(metadata.get("annotations") or {}), last: SECRET, "team/password": SECRET}
        if one["kind"] == "EC2NodeClass":
            one["spec"]["userData"] = SECRET
        if one["kind"] == "Pod":
            _fill(one["spec"])
            one.setdefault("status", {}).setdefault("conditions", []).append(
                {"type": "Initialized", "status": "True", "message": SECRET}
            )
    return objects


def _fill(spec: dict[str, Any]) -> None:
    spec["imagePullSecrets"] = [{"name": SECRET}]
    spec["volumes"] = [
        *(spec.get("volumes") or ()),
        {"name": "a", "secret": {"secretName": SECRET}},
        {"name": "b", "projected": {"sources": [{"secret": {"name": SECRET}}]}},
        {"name": "c", "csi": {"driver": "d", "nodePublishSecretRef": {"name": SECRET}}},
    ]
    for container in spec["containers"]:
        container |= {
            "image": f"registry.example.com/{SECRET}",
            "command": [SECRET],
            "args": ["--password", SECRET],
            "env": [{"name": "PASSWORD", "value": SECRET}],
            "envFrom": [{"secretRef": {"name": SECRET}}],
            "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": SECRET}]}},
            "lifecycle": {"preStop": {"exec": {"command": [SECRET]}}},
        }


def server_of(objects: list[dict[str, Any]]) -> ApiServer:
    """A server that has these objects, and an empty list of every other kind but those of Azure and EKS Auto Mode."""
    api = ApiServer({path_of(k.kind): [] for k in KINDS if k.kind not in ("AKSNodeClass", "NodeClass")})
    for one in objects:
        api.objects[path_of(one["kind"])].append(one)
    return api


@dataclass
class SnapshotCluster:
    api: ApiServer
    server: str
    folder: Path

    def snapshot(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["snapshot", *arguments])

    def read(self, file: str = "cluster.yaml") -> list[dict[str, Any]]:
        return list(yaml.safe_load_all((self.folder / file).read_text()))


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SnapshotCluster]:
    api = server_of(whole_objects())
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "KUBERNETES_SERVICE_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cluster_module, "_PAUSES", (0.0, 0.0))
    with serving(api) as server:
        monkeypatch.setenv("KUBECONFIG", str(kubeconfig(tmp_path, server)))
        monkeypatch.chdir(tmp_path)
        yield SnapshotCluster(api, server, tmp_path)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


# K-54 K-177
@pytest.mark.parametrize("file", ["cluster.yaml", "cluster.json"])
@pytest.mark.parametrize(
    "command",
    [
        ("disrupt", *REGION, "--until-stable", "-o", "json"),
        ("plan", *REGION, "-o", "json"),
        ("nodes", *REGION, "-o", "json"),
        ("budgets", "--from", "2026-01-05T00:00:00Z", "-o", "json"),
    ],
    ids=lambda command: command[0],
)
def test_a_snapshot_answers_like_the_whole_objects(cluster, file, command):
    """Every command that reads a cluster says the same of the snapshot as of what `kubectl get -o json` writes."""
    assert cluster.snapshot("--to", file).exit_code == 0
    whole = cluster.folder / "whole.json"
    whole.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": whole_objects()}))
    name, *options = command
    assert run(name, "-f", file, *options) == run(name, "-f", str(whole), *options)


def test_the_live_cluster_is_shown_at_a_glance(cluster, monkeypatch):
    """`cutlist nodes --watch` reads it as a snapshot does, and shows the same as of the snapshot's file."""

    def leave(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.nodes.time", SimpleNamespace(sleep=leave))
    assert cluster.snapshot().exit_code == 0
    live = CliRunner().invoke(main, ["nodes", "--watch", "--width", "100", *REGION])
    inputs = read_inputs(["cluster.yaml"], region="us-west-2")
    stored = render_glance(nodes(inputs), disrupt(inputs), 100)
    assert (live.exit_code, live.stderr) == (0, "")
    shown = [line for line in live.stdout.splitlines() if line.startswith("ip-")]
    assert shown
    assert shown == [line for line in stored.splitlines() if line.startswith("ip-")]


def test_nothing_secret_is_written(cluster):
    """Environment, commands, images, Secrets, user data, managedFields and foreign annotations stay in the cluster."""
    for file in ("cluster.yaml", "cluster.json"):
        assert cluster.snapshot("--to", file).exit_code == 0
        text = (cluster.folder / file).read_text()
        assert SECRET not in text
        assert TOKEN not in text
        assert "managedFields" not in text


def test_a_file_in_place_of_its_folder_is_named(cluster):
    (cluster.folder / "file").write_text("")
    result = cluster.snapshot("--to", "file/new.yaml")
    assert result.exit_code == 2
    assert "file/new.yaml: cannot be written: file exists" in result.stderr


def test_only_the_owner_may_read_a_new_file(cluster):
    cluster.snapshot("--to", "new.yaml")
    assert stat.S_IMODE((cluster.folder / "new.yaml").stat().st_mode) == 0o600


@pytest.mark.parametrize(("options", "written"), [((), False), (("--launch-context",), True)])
def test_the_context_of_launches_is_written_where_it_is_asked_for(cluster, options, written):
    node_class = {"metadata": {"name": "own"}, "spec": {"role": "nodes", "context": "cr-0123"}}
    cluster.api.objects["/apis/karpenter.k8s.aws/v1/ec2nodeclasses"] = [node_class]
    cluster.snapshot(*options)
    spec = next(manifest["spec"] for manifest in cluster.read() if manifest["kind"] == "EC2NodeClass")
    assert ("context" in spec, spec["role"]) == (written, "nodes")


def test_it_only_ever_lists(cluster):
    """No other request than a GET, and none of a Secret or a ConfigMap."""
    cluster.snapshot()
    assert {asked.method for asked in cluster.api.asked} == {"GET"}
    assert {asked.path for asked in cluster.api.asked} <= {_path(k, v) for k in KINDS for v in k.versions}


@pytest.fixture
def page(monkeypatch):
    """The length of a page, which is short here: every object costs time to write and to read again."""
    monkeypatch.setattr("cutlist_live.cluster.PAGE", 5)
    return 5


def test_lists_are_read_page_by_page(cluster, page):
    """All pages of a long list are there, and each was asked for with a limit."""
    (pod, *_) = cluster.api.objects[PODS]
    many = [{**pod, "metadata": {**pod["metadata"], "name": f"p-{n:04}", "uid": f"u-{n}"}} for n in range(2 * page + 1)]
    cluster.api.objects[PODS] = many
    cluster.snapshot()
    assert sum(one["kind"] == "Pod" for one in cluster.read()) == len(many)
    pages = [asked for asked in cluster.api.asked if asked.path == PODS]
    assert [(asked.limit, bool(asked.after)) for asked in pages] == [(page, False), (page, True), (page, True)]


def test_a_list_that_grows_too_old_is_read_at_once(cluster, page):
    """When the server no longer knows how a list went on, all of it is asked for in one answer, and nothing appears twice."""
    (pod, *_) = cluster.api.objects[PODS]
    cluster.api.objects[PODS] = [{**pod, "metadata": {**pod["metadata"], "name": f"p-{n}"}} for n in range(page + 1)]
    cluster.api.expires = True
    assert cluster.snapshot().exit_code == 0
    names = [one["metadata"]["name"] for one in cluster.read() if one["kind"] == "Pod"]
    assert (len(names), len(set(names))) == (page + 1, page + 1)


def test_what_may_not_be_listed_is_said_and_left_out(cluster):
    """A kind without permission is named, with what prints the permissions; the others are written."""
    cluster.api.refused[path_of("PodDisruptionBudget")] = [403]
    result = cluster.snapshot()
    assert result.exit_code == 0
    assert "may not be listed (403): poddisruptionbudgets.policy" in result.stderr
    assert "cutlist snapshot --rbac" in result.stderr
    kinds = {one["kind"] for one in cluster.read()}
    assert "PodDisruptionBudget" not in kinds
    assert {"Node", "NodeClaim", "NodePool", "Pod"} <= kinds
    assert "poddisruptionbudgets.policy" in (cluster.folder / "cluster.yaml").read_text().partition("---")[0]


def test_what_is_not_there_is_said(cluster):
    """A CRD that the cluster does not have is named, and nothing is wrong about it."""
    result = cluster.snapshot()
    assert result.exit_code == 0
    assert "not in this cluster (404): nodeclasses.eks.amazonaws.com, aksnodeclasses.karpenter.azure.com" in result.stderr


def test_what_is_denied_and_does_not_exist_is_not_there(cluster):
    """Without a right to it an API server denies a kind that it does not have."""
    cluster.api.refused[path_of("NodeClass")] = [403]
    cluster.api.odd["/apis/eks.amazonaws.com/v1"] = b'{"resources": []}'
    result = cluster.snapshot()
    assert (result.exit_code, "may not be listed" in result.stderr) == (0, False)
    assert "not in this cluster (404): nodeclasses.eks.amazonaws.com" in result.stderr


def test_an_older_version_that_is_served_is_read(cluster):
    """AKSNodeClasses are read in the version that the cluster has."""
    cluster.api.objects[path_of("AKSNodeClass", "v1alpha2")] = [
        {"metadata": {"name": "default"}, "spec": {"imageFamily": "Ubuntu"}}
    ]
    cluster.snapshot()
    (found,) = [one for one in cluster.read() if one["kind"] == "AKSNodeClass"]
    assert (found["apiVersion"], found["spec"]) == ("karpenter.azure.com/v1alpha2", {"imageFamily": "Ubuntu"})


def test_nothing_but_refusals_is_an_error(cluster):
    """When no kind may be listed, no file is written."""
    for path in cluster.api.objects:
        cluster.api.refused[path] = [403]
    result = cluster.snapshot()
    assert result.exit_code == 2
    assert "the credentials may not list anything" in result.stderr
    assert not (cluster.folder / "cluster.yaml").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda api: api.refused.update({PODS: [401]}), "does not accept the credentials (401)"),
        (lambda api: api.refused.update({PODS: [503]}), "busy or unwell (503)"),
        (lambda api: api.refused.update({PODS: [418]}), "pods cannot be listed (418)"),
        (lambda api: api.odd.update({PODS: b"<html>Sign in</html>"}), "is not a Kubernetes API server"),
        (lambda api: api.odd.update({PODS: b'{"items": [{"spec": {}}]}'}), "is not a Kubernetes API server"),
        (lambda api: api.odd.update({PODS: b'{"items": 7}'}), "is not a Kubernetes API server"),
    ],
    ids=["401", "503", "418", "a web page", "no metadata", "no list"],
)
def test_what_stops_a_snapshot_leaves_the_old_file(cluster, change, said):
    """A list that cannot be read ends it with one message; the file of yesterday stays whole."""
    file = cluster.folder / "cluster.yaml"
    file.write_text("of yesterday\n")
    change(cluster.api)
    result = cluster.snapshot()
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in " ".join(result.stderr.split())
    assert file.read_text() == "of yesterday\n"
    assert [p.name for p in cluster.folder.iterdir() if p.name.endswith(".part")] == []


@pytest.mark.parametrize("file", ["kubeconfig", "./kubeconfig", "token"])
def test_a_snapshot_does_not_replace_what_leads_to_the_cluster(cluster, monkeypatch, file):
    """The kubeconfig and the files that it names are refused before the cluster is asked."""
    (cluster.folder / "token").write_text(TOKEN)
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig(cluster.folder, cluster.server, tokenFile="token")))
    before = (cluster.folder / file).read_text()
    result = cluster.snapshot("--to", file)
    assert (result.exit_code, cluster.api.asked) == (2, [])
    assert f"--to: {file} is one of the files that are read" in " ".join(result.stderr.split())
    assert (cluster.folder / file).read_text() == before


def test_a_snapshot_makes_the_folders_above_its_file(cluster):
    assert cluster.snapshot("--to", "of/today/cluster.yaml").exit_code == 0
    assert cluster.read("of/today/cluster.yaml")


def test_a_busy_server_is_asked_again(cluster):
    """Two refusals for want of time are waited out."""
    cluster.api.refused[PODS] = [429, 503, 200]
    assert cluster.snapshot().exit_code == 0
    assert any(one["kind"] == "Pod" for one in cluster.read())


def test_a_server_that_does_not_answer_in_time_is_named(cluster, monkeypatch):
    """An answer that does not come is not waited for without end."""
    monkeypatch.setattr(connection, "TIMEOUT", 0.2)
    cluster.api.slow[PODS] = 1.0
    result = cluster.snapshot()
    assert result.exit_code == 2
    assert "took too long to list pods" in " ".join(result.stderr.split())


def test_a_server_that_is_not_there_is_named(cluster, monkeypatch):
    """Nothing listens: the message has the address."""
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig(cluster.folder, "http://127.0.0.1:9")))
    result = cluster.snapshot()
    assert result.exit_code == 2
    assert "http://127.0.0.1:9: the server cannot be reached" in " ".join(result.stderr.split())


def test_the_snapshot_can_go_to_standard_output(cluster):
    """With `-o -` the objects are on standard output, and everything else on standard error."""
    result = cluster.snapshot("--to", "-")
    assert result.exit_code == 0
    assert {one["kind"] for one in yaml.safe_load_all(result.stdout)} >= {"Node", "Pod", "NodePool"}
    assert "pods" in result.stderr


def test_progress_reaches_whoever_watches(cluster):
    """Each list is named when it begins, and long ones are counted."""
    (pod, *_) = cluster.api.objects[PODS]
    cluster.api.objects[PODS] = [pod] * (PAGE + 1)
    reported: list[object] = []

    class Telling(Watcher):
        def asking(self, region: str, what: str) -> None:
            reported.append((region, what))

        def answered(self, count: int) -> None:
            reported.append(count)

    take(ClusterClient(chosen(None), Telling()), NOW)
    assert reported[-2:] == [("demo", "pods"), PAGE]


def test_no_kind_at_all_is_an_error(cluster):
    """A server that has nothing of it is not the right one."""
    cluster.api.objects.clear()
    with pytest.raises(InputError, match="no kind is there"):
        take(ClusterClient(chosen(None)), NOW)


def test_rbac_allows_what_a_snapshot_does_and_no_more(cluster, monkeypatch):
    """The ClusterRole lists every resource that is asked for, with the verb list alone; it needs no cluster to be printed."""
    cluster.snapshot()
    monkeypatch.setenv("KUBECONFIG", "/nowhere")
    role, binding = yaml.safe_load_all(cluster.snapshot("--rbac").stdout)
    allowed = {(group, name) for rule in role["rules"] for group in rule["apiGroups"] for name in rule["resources"]}
    used = set()
    for asked in cluster.api.asked:
        *before, plural = asked.path.strip("/").split("/")
        used.add((before[1] if before[0] == "apis" else "", plural))
    assert used == allowed
    assert {verb for rule in role["rules"] for verb in rule["verbs"]} == {"list"}
    assert binding["roleRef"]["name"] == role["metadata"]["name"]


def test_a_snapshot_has_the_subnets_of_the_account(cluster, aws_account, monkeypatch):
    """`--subnets` asks the account for those that node classes found, and a plan of the file has a verdict for them."""
    # AD-12
    aws_account.lead(monkeypatch)
    ec2 = aws_account.made("ec2")
    network = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    made = ec2.create_subnet(VpcId=network, CidrBlock="10.9.1.0/24", AvailabilityZone="us-west-2a")["Subnet"]["SubnetId"]
    for one in cluster.api.objects[path_of("EC2NodeClass")]:
        one.setdefault("status", {})["subnets"] = [{"id": made, "zone": "us-west-2a", "zoneID": "usw2-az1"}]
    result = cluster.snapshot("--subnets")
    assert result.exit_code == 0, result.output
    assert "1 subnet of the account" in result.stderr
    (subnets,) = [one for one in cluster.read() if one["kind"] == "Subnets"]
    assert subnets["subnets"] == [{"id": made, "zone": "us-west-2a", "cidr": "10.9.1.0/24", "free": 251}]
    text = run("plan", "-f", "cluster.yaml", "-f", str(WORKLOADS), *REGION)
    assert "Subnets" in text
    assert made in text


def test_subnets_that_no_object_names_are_an_error(cluster, aws_account, monkeypatch):
    """Nothing is written then."""
    aws_account.lead(monkeypatch)
    for one in cluster.api.objects[path_of("EC2NodeClass")]:
        one.get("status", {}).pop("subnets", None)
    result = cluster.snapshot("--subnets")
    assert (result.exit_code, "no node class has found a subnet" in result.output) == (2, True)
    assert not (cluster.folder / "cluster.yaml").exists()


def test_what_decides_volumes_and_addresses_of_a_daemon_is_kept_alone(cluster):
    """The limit of a CSI driver and the variables of the VPC CNI, and no other argument or variable."""
    # VL-15, AD-10
    env = [{"name": "ENABLE_PREFIX_DELEGATION", "value": "true"}, {"name": "PASSWORD", "value": SECRET}]
    container = {"name": "ebs-plugin", "args": ["node", f"--password={SECRET}", "--volume-attach-limit=25"], "env": env}
    template = {"metadata": {"labels": {"app": "d"}}, "spec": {"containers": [container]}}
    spec = {"selector": {"matchLabels": {"app": "d"}}, "template": template}
    daemon = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "d", "namespace": "kube-system"}, "spec": spec}
    cluster.api.objects[path_of("DaemonSet")].append(daemon)
    assert cluster.snapshot().exit_code == 0
    text = (cluster.folder / "cluster.yaml").read_text()
    assert SECRET not in text
    (kept,) = [one for one in cluster.read() if one["kind"] == "DaemonSet" and one["metadata"]["name"] == "d"]
    assert kept["spec"]["template"]["spec"]["containers"] == [
        {"name": "ebs-plugin", "args": ["--volume-attach-limit=25"], "env": [env[0]]}
    ]
