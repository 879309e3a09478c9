"""What the first command says of repositories in which nothing is quite as it is in a manual."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import Answer, run_in

VIRGINIA = ("--region", "us-east-1")
PROGRAM = {
    "Pulumi.yaml": "name: cluster\nruntime: {name: python}\n",
    "Pulumi.prod.yaml": "config:\n  aws:region: eu-west-1\n",
    "Pulumi.prod.template.yaml": "config:\n  aws:region: eu-west-1\n",
    "__main__.py": "import pulumi_eks as eks\n",
}
NAP = """
resource "azurerm_kubernetes_cluster" "main" {
  name     = "main"
  location = "swedencentral"
  node_provisioning_profile {
    mode = "Auto"
  }
}
"""
SCRIPT = "cat <<EOF | kubectl apply -f -\napiVersion: karpenter.sh/v1\nkind: NodePool\nEOF\n"
PROVISIONER = """
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: general}
spec:
  providerRef: {name: default}
  requirements: [{key: karpenter.k8s.aws/instance-family, operator: In, values: [c3]}]
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: default}
spec: {subnetSelector: {team: a}, securityGroupSelector: {team: a}}
"""
OF_CHART = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Chart.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Chart.Name }}}}
  template:
    metadata: {labels: {app: {{ .Chart.Name }}}}
    spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}
"""


def first(folder: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, *words: str) -> Answer:
    """What `cutlist plan` says in the root of a repository with files."""
    (folder / ".git").mkdir()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return run_in(folder, monkeypatch, "plan", *words)


def said(answer: Answer) -> str:
    """What an answer says, in one line."""
    return " ".join(answer.text.split())


def test_a_program_alone_is_named_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-18: its command needs no region, and a template of a stack's file is no stack."""
    answer = first(tmp_path, PROGRAM, monkeypatch)
    assert answer.exit_code == 2
    assert "not read: Pulumi.yaml, a program of Pulumi (python), whose objects only a run of it knows" in said(answer)
    assert "cutlist preview --project-dir . -s prod" in said(answer)
    assert "template:" not in said(answer)
    assert "--region" not in answer.text


def test_scripts_alone_that_apply_node_pools_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-3: workshops write their objects so."""
    answer = first(tmp_path, {"01/pool.sh": SCRIPT, "02/pool.sh": SCRIPT, "03/scale.sh": "kubectl scale\n"}, monkeypatch)
    assert "not read: 01/pool.sh, 02/pool.sh, each a script that applies or changes objects of Karpenter" in said(answer)


def test_a_cluster_alone_has_its_built_in_pools_proposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-20: no object of Kubernetes is needed for that."""
    answer = first(tmp_path, {"main.tf": NAP}, monkeypatch)
    assert "the cluster may have built-in ones: node_provisioning_profile (main.tf:2" in said(answer)
    assert "--built-in-pool default and --built-in-pool system-surge" in said(answer)


def test_an_older_form_of_an_object_gives_way_to_its_newer_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-10: as in the middle of a migration, where Karpenter reads the newer one alone."""
    files = {"new.yaml": NODE_CLASS + "---" + pool(), "old.yaml": PROVISIONER, "web.yaml": deployment()}
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA, "-o", "json")
    assert answer.exit_code == 0
    (node,) = answer.data["nodes"]
    assert not node["instanceType"].startswith("c3")
    (text,) = [note["text"] for note in answer.data["warnings"] if "newer version" in note["text"]]
    assert "Provisioner general (./old.yaml:2, by NodePool at ./new.yaml" in text
    assert "AWSNodeTemplate default" in text


def test_one_document_that_is_a_template_does_not_end_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-3: as in manifests of agents, whose settings a person fills in."""
    settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: agent}\ndata:\n  cluster: {{cluster_name}}\n"
    files = {"pool.yaml": NODE_CLASS + "---" + pool(), "agent.yaml": f"{deployment()}---\n{settings}"}
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA, "-o", "json")
    assert answer.pods() == {"deployment/web": 1}
    (left,) = answer.data["inputs"]["open"]
    assert (left["what"], left["form"]) == ("./agent.yaml (document 2)", "template")


def test_a_missing_class_names_what_may_hold_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-5: once, and not for a class of which there are others."""
    files = {
        "class.yaml.tpl": NODE_CLASS.replace("default", "${name}"),
        "pools.yaml": f"{pool()}---{pool('spot')}",
        "web.yaml": deployment(),
    }
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA)
    assert said(answer).count("class.yaml.tpl") == 1
    assert " ".join(answer.text.split()).count("which is not in the input") == 2


@pytest.mark.skipif(shutil.which("helm") is None, reason="needs the command helm")
def test_charts_with_values_for_the_same_environments_are_planned_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-29: each with its own values, and with the charts that have none."""
    files = {
        "pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 1.0.0\n",
        "pools/values.yaml": "replicas: 9\n",
        "pools/templates/all.yaml": NODE_CLASS + "---" + pool(),
    }
    for chart, counts in (("api", (1, 3)), ("web", (2, 4))):
        files[f"{chart}/Chart.yaml"] = f"apiVersion: v2\nname: {chart}\nversion: 1.0.0\n"
        files[f"{chart}/templates/all.yaml"] = OF_CHART
        files |= {
            f"{chart}/values-{of}.yaml": f"replicas: {count}\n" for of, count in zip(("dev", "prod"), counts, strict=True)
        }
    answer = first(tmp_path, files, monkeypatch)
    command = "cutlist plan -f pools -f api -f web --helm-values api/values-prod.yaml --helm-values web/values-prod.yaml"
    assert f"allowed: {command}" in said(answer)
    prod = run_in(tmp_path, monkeypatch, *command.split()[1:], *VIRGINIA, "-o", "json")
    assert prod.pods() == {"deployment/api": 3, "deployment/web": 4}


def test_the_region_is_that_of_the_configuration_around_the_pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-14: not that of a tool's cluster beside it."""
    files = {
        "cluster/main.tf": 'provider "aws" {\n  region = "eu-west-1"\n}\n',
        "cluster/nodes/pool.yaml": NODE_CLASS + "---" + pool(),
        "ci/main.tf": 'provider "aws" {\n  region = "us-east-1"\n}\n',
        "web.yaml": deployment(),
    }
    answer = first(tmp_path, files, monkeypatch, "-o", "json")
    assert answer.data["region"] == "eu-west-1"


def test_the_region_is_that_of_the_only_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-14: of a program beside the manifests."""
    files = {**PROGRAM, "k8s/all.yaml": "---".join((NODE_CLASS, pool(), deployment()))}
    answer = first(tmp_path, files, monkeypatch, "-o", "json")
    assert answer.data["region"] == "eu-west-1"
    assert any("aws:region of stack prod (Pulumi.prod.yaml)" in note["text"] for note in answer.data["assumptions"])


RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: {0}, namespace: apps}}
spec:
  chart: {{spec: {{chart: {0}, version: 1.0.0, sourceRef: {{kind: HelmRepository, name: charts}}}}}}
"""
CHARTS = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: apps}
spec: {url: https://charts.example.com}
"""


@pytest.mark.parametrize("words", [(), ("--helm",)])
def test_many_releases_are_a_few_lines(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-2: each is in the account, with its command."""
    releases = "---".join(RELEASE.format(name) for name in "abcdefgh")
    files = {"pool.yaml": NODE_CLASS + "---" + pool(), "web.yaml": deployment(), "apps.yaml": f"{CHARTS}---{releases}"}
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA, *words, "-o", "json")
    assert len(answer.data["inputs"]["open"]) == 8
    assert all(of["command"].endswith("--fetch") for of in answer.data["inputs"]["open"])
    about = [note["text"] for note in answer.data["warnings"] if note["code"] in ("not-understood", "delivery-not-rendered")]
    assert len(about) <= 4
    assert any("and 5 more stand for" in text or text.startswith("others that are not rendered: 5") for text in about)


APPLIED = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: nodes, namespace: flux-system}
spec:
  path: ./nodes
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: cluster}]}
"""
SETTINGS = """
resource "kubernetes_config_map_v1" "cluster" {
  metadata {
    name      = "cluster"
    namespace = "flux-system"
  }
  data = { name = "main" }
}
"""


def test_what_flux_takes_from_terraform_is_looked_up_before_it_is_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GO-3: the command is the one that renders all of it, not one of flux."""
    files = {"flux/nodes.yaml": APPLIED, "nodes/pool.yaml": NODE_CLASS.replace("-demo", "-${name}") + "---" + pool()}
    answer = first(tmp_path, {**files, "main.tf": SETTINGS, "web.yaml": deployment()}, monkeypatch, *VIRGINIA, "-o", "json")
    (left,) = answer.data["inputs"]["open"]
    assert (left["what"].partition(" (")[0], left["command"]) == (
        "Kustomization nodes",
        "cutlist plan -f . -R --region us-east-1 --helm",
    )


@pytest.mark.parametrize(("memory", "pods"), [("512m", 2), ('"${MEMORY}"', 0)])
def test_an_object_of_an_operator_may_be_a_template(
    memory: str, pods: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-4: if its pods depend on the value, which its name and its arguments do not decide."""
    job = f"""
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {{name: "job-${{UUID}}"}}
spec:
  type: Scala
  arguments: ["${{DAY}}"]
  driver: {{cores: 1, memory: {memory}}}
  executor: {{cores: 1, memory: 1g, instances: 1}}
"""
    files = {"pool.yaml": NODE_CLASS + "---" + pool(), "job.yaml": job, "web.yaml": deployment()}
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA, "-o", "json")
    assert answer.data["totals"]["pods"] == 1 + pods
    opened = [of["why"] for of in answer.data["inputs"]["open"]]
    why = "not counted: it is a template, since spec.driver.memory is '${MEMORY}'; render it first"
    assert opened == ([] if pods else [why])


def test_a_pod_that_karpenter_skips_needs_no_file_that_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-5: no NodePool would take the pods of Karpenter itself."""
    own = "{matchExpressions: [{key: karpenter.sh/nodepool, operator: DoesNotExist}]}"
    affinity = f"affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{own}]}}}}}}"
    karpenter, other = deployment("karpenter", extra=affinity), deployment("web", extra="nodeSelector: {team: b}")
    files = {"pool.yaml": NODE_CLASS + "---" + pool(), "all.yaml": f"{karpenter}---{other}", "more.yaml.tpl": pool("${name}")}
    answer = first(tmp_path, files, monkeypatch, *VIRGINIA, "-o", "json")
    reasons = {of["workload"]: of["reason"] for of in answer.data["pending"]}
    assert reasons["deployment/web"].endswith("more.yaml.tpl not read, which may hold a NodePool for it")
    assert reasons["deployment/karpenter"].startswith("Karpenter skips it: ")
    assert "not read" not in reasons["deployment/karpenter"]


@pytest.mark.parametrize("verb", ["validate", "gate"])
def test_what_is_open_alone_is_no_success(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-2: nothing was read, so nothing was judged."""
    first(tmp_path, {"pool.sh": SCRIPT}, monkeypatch)
    answer = run_in(tmp_path, monkeypatch, verb)
    assert answer.exit_code == 2
    assert "contains no object" in answer.text
