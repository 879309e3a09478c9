"""What a Kustomization of Flux takes from around it: variables of Terraform, a root below, what bootstrapping makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading
from tests.unit.delivery.checkouts import checkout
from tests.unit.delivery.test_flux import kustomization

WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${count}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, cluster: "${cluster:=none}"}}
    spec: {containers: [{name: web, image: "web-${version}"}]}
"""
VARIABLES = """variable "size" { default = 3 }
resource "kubernetes_namespace" "flux" {
  metadata { name = "flux-system" }
}
resource "kubernetes_config_map" "vars" {
  metadata {
    name      = "vars"
    namespace = kubernetes_namespace.flux.metadata[0].name
  }
  data = MERGED
}
"""
CALLED = '"vars"'
FROM = {"substituteFrom": [{"kind": "ConfigMap", "name": "vars"}]}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = checkout(tmp_path / "deploy", {"apps/web.yaml": WEB})
    monkeypatch.chdir(folder)
    return Path()


def read(root: Path, **files: str) -> tuple[tuple[Document, ...], Notes]:
    """The objects of a whole checkout; two underscores in a name stand for a slash, and one for a dot."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    problems, notes = Problems(), Notes()
    documents = collect_documents([root], problems, reading=Reading(recursive=True, charts=Charts()), notes=notes)
    problems.raise_if_any()
    return documents, notes


def own(name: str = "apps", **spec: Any) -> str:
    """A Kustomization whose source is the repository itself."""
    return kustomization(name, sourceRef={"kind": "GitRepository", "name": "flux-system"}, **spec)


def deployed(documents: tuple[Document, ...]) -> list[Any]:
    return [d.data["spec"]["replicas"] for d in documents if d.kind == "Deployment"]


def test_variables_come_from_a_configmap_that_terraform_writes(root: Path) -> None:
    """GO-13: by the name that it has there, also where that is the name of another object."""
    pytest.importorskip("hcl2")
    data = '{ count = var.size, cluster = "a", version = "1" }'
    documents, _ = read(root, flux__apps_yaml=own(path="apps", postBuild=FROM), main_tf=VARIABLES.replace("MERGED", data))
    assert deployed(documents) == [3]


@pytest.mark.parametrize("data", ["{ count = 3, version = aws_x.y.z }", "merge({ count = 3 }, aws_x.y.tags)"])
def test_an_object_that_needs_no_unknown_variable_is_read(root: Path, data: str) -> None:
    """An image changes no plan."""
    pytest.importorskip("hcl2")
    web = WEB.replace("${count}", "2")
    files = {"flux__apps_yaml": own(path="apps", postBuild=FROM), "main_tf": VARIABLES.replace("MERGED", data)}
    documents, notes = read(root, **files, apps__web_yaml=web.replace("${cluster:=none}", "a"))
    assert deployed(documents) == [2]
    assert notes.ledger.open == ()


def test_an_object_that_needs_an_unknown_variable_is_open(root: Path) -> None:
    """Its amount is known to the cluster only."""
    pytest.importorskip("hcl2")
    data = "{ count = aws_x.y.z, cluster = 1, version = 2 }"
    documents, notes = read(root, flux__apps_yaml=own(path="apps", postBuild=FROM), main_tf=VARIABLES.replace("MERGED", data))
    assert deployed(documents) == []
    (opened,) = notes.ledger.open
    assert opened.why == "a template, since spec.replicas is '${count}'; render it first, or give the variables"


def test_what_bootstrapping_makes_need_not_be_in_the_input(root: Path) -> None:
    """GO-1, GO-3: the Kustomization flux-system is applied, as its GitRepository is there."""
    spec = {"path": "apps", "dependsOn": [{"name": "flux-system"}], "postBuild": {"substitute": {"count": "4"}}}
    assert deployed(read(root, flux__apps_yaml=own(**spec))[0]) == [4]


def test_a_kustomization_of_that_name_that_is_suspended_is_waited_for(root: Path) -> None:
    spec = {"path": "apps", "dependsOn": [{"name": "flux-system"}], "postBuild": {"substitute": {"count": "4"}}}
    documents, _ = read(root, flux__apps_yaml=own(**spec), flux__own_yaml=own("flux-system", path="flux", suspend=True))
    assert deployed(documents) == []


def test_a_path_may_begin_in_a_folder_around_the_kustomization(root: Path) -> None:
    """A sample was the root of its own repository; a note says which folder is meant."""
    spec = {"path": "./web", "postBuild": {"substitute": {"count": "5"}}}
    documents, notes = read(root, sample__clusters__a__web_yaml=own(**spec), sample__web__web_yaml=WEB)
    assert deployed(documents) == [5]
    (said,) = [note.text for note in notes.all() if note.code == "delivery-of-a-subfolder"]
    assert said.endswith("Kustomization apps (sample)")


def test_the_root_of_the_checkout_comes_first(root: Path) -> None:
    spec = {"path": "./apps", "postBuild": {"substitute": {"count": "5"}}}
    documents, notes = read(root, sample__a_yaml=own(**spec), sample__apps__other_yaml=WEB.replace("web", "other"))
    assert [d.name for d in documents if d.kind == "Deployment" and d.data["spec"]["replicas"] == 5] == ["web"]
    assert not notes.has("delivery-of-a-subfolder")


def test_a_template_of_a_configuration_is_read_with_its_values(root: Path) -> None:
    """F-11: not by itself as well, since it is no object before that."""
    pytest.importorskip("hcl2")
    main = 'resource "kubectl_manifest" "web" {\n  yaml_body = templatefile("apps/web.yaml", { count = 2, version = 1 })\n}\n'
    documents, notes = read(root, main_tf=main, apps__web_yaml=WEB.replace("${cluster:=none}", "a"))
    assert deployed(documents) == [2]
    assert notes.ledger.open == ()


@pytest.mark.parametrize(
    ("name", "counts"),
    [(CALLED, [3]), ('"v${aws_x.y}rs"', [3]), ('"eks-${aws_x.y}"', []), ("aws_x.y", [])],
    ids=["known", "fits", "does not fit", "unknown"],
)
def test_the_configuration_may_lie_beside_the_folder_that_is_read(root: Path, name: str, counts: list[int]) -> None:
    """GO-13: the folder of a cluster is enough, since the whole checkout is there. A part of the name may be unknown."""
    pytest.importorskip("hcl2")
    data = '{ count = var.size, cluster = "a", version = "1" }'
    variables = VARIABLES.replace("MERGED", data).replace(CALLED, name)
    for path, text in {
        "clusters/a/apps.yaml": own(path="apps", postBuild=FROM),
        "terraform/eks/main.tf": variables,
    }.items():
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(text)
    problems = Problems()
    documents = collect_documents([root / "clusters" / "a"], problems, reading=Reading(recursive=True, charts=Charts()))
    problems.raise_if_any()
    assert deployed(documents) == counts
