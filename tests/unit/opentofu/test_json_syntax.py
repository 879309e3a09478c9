"""Configurations in the JSON syntax are read as those in HCL are: the same objects, values and open inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading

pytest.importorskip("hcl2")

HCL = """variable "name" { default = "general" }
locals {
  zones = ["a", "b"]
}
resource "kubectl_manifest" "pool" {
  yaml_body = "apiVersion: karpenter.sh/v1\\nkind: NodePool\\nmetadata:\\n  name: ${var.name}\\n"
}
resource "kubernetes_manifest" "class" {
  for_each = toset(local.zones)
  manifest = {
    apiVersion = "karpenter.k8s.aws/v1"
    kind       = "EC2NodeClass"
    metadata   = { name = "c-${each.key}", labels = { "$${kept}" = "x" } }
    spec       = { role = "r", blockDeviceMappings = [{ deviceName = upper("a") }] }
  }
}
resource "kubernetes_deployment" "web" {
  metadata { name = "web" }
  spec {
    replicas = 2
    selector { match_labels = { app = "web" } }
    template {
      metadata { labels = { app = "web" } }
      spec {
        container {
          name  = "web"
          image = "nginx"
          resources { requests = { cpu = "1" } }
        }
      }
    }
  }
}
resource "helm_release" "cache" {
  name  = "cache"
  chart = "redis"
  dynamic "set" {
    for_each = { a = "1" }
    content {
      name  = set.key
      value = set.value
    }
  }
}
module "more" {
  source = "./more"
  name   = "third"
}
"""
IN_JSON: dict[str, Any] = {
    "//": "a comment",
    "variable": {"name": {"default": "general"}},
    "locals": [{"zones": ["a", "b"]}],
    "resource": {
        "kubectl_manifest": {
            "pool": {"yaml_body": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: ${var.name}\n"}
        },
        "kubernetes_manifest": {
            "class": {
                "for_each": "${toset(local.zones)}",
                "manifest": {
                    "apiVersion": "karpenter.k8s.aws/v1",
                    "kind": "EC2NodeClass",
                    "metadata": {"name": "c-${each.key}", "labels": {"$${kept}": "x"}},
                    "spec": {"role": "r", "blockDeviceMappings": [{"deviceName": '${upper("a")}'}]},
                },
            }
        },
        "kubernetes_deployment": {
            "web": {
                "metadata": {"name": "web"},
                "spec": {
                    "replicas": 2,
                    "selector": {"match_labels": {"app": "web"}},
                    "template": [
                        {
                            "metadata": {"labels": {"app": "web"}},
                            "spec": {
                                "container": [
                                    {"name": "web", "image": "nginx", "resources": {"requests": {"cpu": "1"}}},
                                ]
                            },
                        }
                    ],
                },
            }
        },
        "helm_release": {
            "cache": {
                "//": "a comment",
                "name": "cache",
                "chart": "redis",
                "dynamic": {"set": {"for_each": {"a": "1"}, "content": {"name": "${set.key}", "value": "${set.value}"}}},
            }
        },
    },
    "module": {"more": {"source": "./more", "name": "third"}},
}
MORE_HCL = """variable "name" {}
resource "kubernetes_config_map" "x" {
  metadata { name = var.name }
  data = { a = "b" }
}
"""
MORE_IN_JSON: dict[str, Any] = {
    "variable": {"name": {}},
    "resource": {"kubernetes_config_map": {"x": {"metadata": {"name": "${var.name}"}, "data": {"a": "b"}}}},
}


def read(folder: Path, **files: Any) -> tuple[tuple[Document, ...], Notes]:
    """The objects of configurations, and the notes; two underscores in a name stand for a slash, one for a full stop."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
    problems, notes = Problems(allow_empty=True), Notes()
    documents = collect_documents([folder], problems, reading=Reading(recursive=True), notes=notes)
    problems.raise_if_any()
    return documents, notes


@pytest.mark.parametrize("ending", ["tf", "tofu"])
def test_both_syntaxes_make_the_same_objects(tmp_path: Path, ending: str) -> None:
    """F-11."""
    native, first = read(tmp_path / "hcl", **{f"main_{ending}": HCL, f"more__main_{ending}": MORE_HCL})
    other, second = read(tmp_path / "json", **{f"main_{ending}_json": IN_JSON, f"more__main_{ending}_json": MORE_IN_JSON})
    assert [(document.place.address, document.data) for document in other] == [
        (document.place.address, document.data) for document in native
    ]
    assert [document.name for document in other] == ["general", "c-a", "c-b", "web"]
    assert [(opened.form, opened.command) for opened in second.ledger.open] == [
        (opened.form, opened.command) for opened in first.ledger.open
    ]
    assert second.ledger.closed().sentence == first.ledger.closed().sentence


def test_an_object_in_json_has_the_line_of_its_body(tmp_path: Path) -> None:
    pools, _ = read(tmp_path, main_tf_json={"resource": {"kubectl_manifest": {"pool": {"yaml_body": "kind: NodePool\n"}}}})
    assert [document.place.line for document in pools] == [4]


def test_files_of_variables_in_json_count_like_others(tmp_path: Path) -> None:
    """F-11."""
    body = {"yaml_body": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${var.a}-${var.b}'}\n"}
    main = {"variable": {"a": {"default": 1}, "b": {"default": 1}}, "resource": {"kubectl_manifest": {"x": body}}}
    documents, _ = read(tmp_path, main_tf_json=main, terraform_tfvars_json={"a": 2}, x_auto_tfvars_json={"b": 3})
    assert [document.name for document in documents] == ["2-3"]


def test_a_list_of_bodies_is_several_blocks(tmp_path: Path) -> None:
    """F-11: as the provider's blocks of regions are written."""
    locals_ = [{"a": "x"}, {"b": "y"}]
    body = {"yaml_body": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${local.a}-${local.b}'}\n"}
    documents, _ = read(tmp_path, main_tf_json=[{"locals": locals_}, {"resource": {"kubectl_manifest": {"x": body}}}])
    assert [document.name for document in documents] == ["x-y"]


def test_what_is_no_json_is_reported_with_its_line(tmp_path: Path) -> None:
    text = '{\n  "resource": {"kubectl_manifest": {"x": {"yaml_body": "kind: NodePool"},}}\n}\n'
    with pytest.raises(InputError, match=r"main\.tf\.json.*:2: is not JSON"):
        read(tmp_path, main_tf_json=text)


def test_a_manifest_that_is_named_like_a_configuration_is_one_for_kubectl(tmp_path: Path) -> None:
    """Nothing of a folder vanishes."""
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    documents, _ = read(tmp_path, pool_tf_json=manifest)
    assert [document.name for document in documents] == ["x"]


@pytest.mark.parametrize("named", [".", "main.tf.json"])
def test_a_folder_and_a_file_that_is_named_are_read_alike(tmp_path: Path, named: str) -> None:
    body = {"yaml_body": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"}
    (tmp_path / "main.tf.json").write_text(json.dumps({"resource": {"kubectl_manifest": {"x": body}}}))
    problems = Problems()
    (document,) = collect_documents([str(tmp_path / named)], problems)
    assert (document.name, problems.found) == ("x", [])
