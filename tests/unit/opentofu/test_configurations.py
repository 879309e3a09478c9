"""Objects in configurations of Terraform and OpenTofu are read as far as their values are written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.collecting import collect_documents, read_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.terraform import effort

RECURSIVE = Reading(recursive=True)
OBJECT = 'apiVersion = "v1", kind = "ConfigMap", metadata = { name = "x" }'


@pytest.fixture
def parser() -> None:
    pytest.importorskip("hcl2")


def configured(folder: Path, **files: str) -> tuple[tuple[Document, ...], Notes]:
    """The objects of configurations, and the notes; two underscores in a name stand for a slash."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_tf", ".tf")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    problems, notes = Problems(allow_empty=True), Notes()
    documents = collect_documents([folder], problems, reading=RECURSIVE, notes=notes)
    problems.raise_if_any()
    return documents, notes


def value_of(folder: Path, expression: str, more: str = "") -> Any:
    """What an expression gives, as the data of an object; UNKNOWN if it is not known."""
    text = f'{more}\nresource "kubernetes_manifest" "x" {{\n  manifest = {{ {OBJECT}, data = {expression} }}\n}}\n'
    documents, _ = configured(folder, main_tf=text)
    (document,) = documents
    assert document.origin is not None
    return document.origin.values.get("data")


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("true ? 1 : 2", 1),
        ('"a-${upper("b")}"', "a-B"),
        ('"%{ if false }a%{ else }b%{ endif }"', "b"),
        ('"$${kept}"', "${kept}"),
        ('[for k in ["a", "b"] : upper(k) if k != "a"]', ["B"]),
        ("{ for k, v in { a = 1, b = 2 } : k => v + 1 }", {"a": 2, "b": 3}),
        ("merge({ a = 1 }, { b = 2 })", {"a": 1, "b": 2}),
        ('lookup({ a = 1 }, "b", 3)', 3),
        ('split(",", "a,b")[1]', "b"),
        ('join("-", ["a", 1])', "a-1"),
        ('format("%s-%02d", "a", 7)', "a-07"),
        ("[{ n = 1 }, { n = 2 }][*].n", [1, 2]),
        ('yamldecode("a: [1, 2]").a', [1, 2]),
        ("!(1 > 2) && 3 >= 3", True),
        ("-2", -2),
        ("try(aws_x.y.z, 5)", 5),
        ("concat([1], tolist([2]))", [1, 2]),
        ("<<E\n  a\n  b\nE\n", "  a\n  b\n"),
        ("<<-E\n  a\n    b\n  E\n", "a\n  b\n"),
    ],
)
def test_expressions_have_the_values_that_terraform_gives(tmp_path: Path, expression: str, value: Any) -> None:
    """F-11."""
    assert value_of(tmp_path, expression) == value


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    "expression",
    [
        "aws_iam_role.node.name",
        '"a-${module.eks.name}"',
        "data.aws_x.y[0].id",
        "var.none",
        "1 + var.none",
        "timestamp()",
        "local.a",
    ],
)
def test_what_is_not_written_is_unknown(tmp_path: Path, expression: str) -> None:
    """F-12: it is never guessed, also where a local refers to itself."""
    more = 'variable "none" {}\nlocals {\n  a = local.b\n  b = local.a\n}\n'
    assert value_of(tmp_path, f"{{ x = {expression} }}", more)["x"] is UNKNOWN


@pytest.mark.usefixtures("parser")
def test_variables_take_their_files_over_their_defaults(tmp_path: Path) -> None:
    """F-11: the automatic ones, and another one if it is the only one."""
    (tmp_path / "terraform.tfvars").write_text("a = 2\n")
    (tmp_path / "x.auto.tfvars").write_text("b = 3\n")
    (tmp_path / "live.tfvars").write_text("c = 4\n")
    more = "".join(f'variable "{name}" {{ default = 1 }}\n' for name in "abcd")
    assert value_of(tmp_path, "[var.a, var.b, var.c, var.d]", more) == [2, 3, 4, 1]


@pytest.mark.usefixtures("parser")
def test_of_several_other_files_of_variables_none_counts(tmp_path: Path) -> None:
    """F-11: nobody says which."""
    for name in ("dev", "live"):
        (tmp_path / f"{name}.tfvars").write_text("a = 2\n")
    assert value_of(tmp_path, "{ x = var.a }", 'variable "a" {}\n')["x"] is UNKNOWN


MODULE = """variable "name" {}
resource "kubernetes_manifest" "it" {
  for_each = toset(["a", "b"])
  manifest = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "${var.name}-${each.key}" } }
}
"""


@pytest.mark.usefixtures("parser")
def test_modules_of_the_checkout_are_read_where_they_are_called(tmp_path: Path) -> None:
    """F-11: with the values of each call, and not by themselves."""
    calls = 'module "m" {\n  source = "./mod"\n  count = 2\n  name = "n${count.index}"\n}\n'
    documents, _ = configured(tmp_path, main_tf=calls, mod__main_tf=MODULE)
    assert [document.name for document in documents] == ["n0-a", "n0-b", "n1-a", "n1-b"]
    assert documents[0].place.address == 'module.m[0].kubernetes_manifest.it["a"]'
    assert documents[0].place.line == 2


@pytest.mark.usefixtures("parser")
def test_a_chart_and_an_unknown_number_are_open(tmp_path: Path) -> None:
    """F-12: each with its file and line; Karpenter's own chart is not."""
    text = """resource "helm_release" "web" {
  name  = "web"
  chart = "nginx"
}
resource "helm_release" "karpenter" {
  name  = "karpenter"
  chart = "oci://public.ecr.aws/karpenter/karpenter"
}
resource "kubectl_manifest" "late" {
  for_each  = aws_x.y.z
  yaml_body = "kind: NodePool"
}
"""
    _, notes = configured(tmp_path, main_tf=text)
    assert sorted(of.what for of in notes.ledger.open) == [
        f"helm_release.web ({tmp_path}/main.tf:1)",
        f"kubectl_manifest.late ({tmp_path}/main.tf:9)",
    ]


@pytest.mark.usefixtures("parser")
def test_an_object_of_which_a_plan_needs_an_unknown_value_is_open(tmp_path: Path) -> None:
    """F-12: other objects of the same file are read."""
    text = f"""resource "kubernetes_manifest" "pool" {{
  manifest = {{ apiVersion = "karpenter.sh/v1", kind = "NodePool", metadata = {{ name = "p" }}, spec = {{ weight = aws_x.y }} }}
}}
resource "kubernetes_manifest" "x" {{
  manifest = {{ {OBJECT} }}
}}
"""
    documents, notes = configured(tmp_path, main_tf=text)
    assert [document.name for document in documents] == ["x"]
    (opened,) = notes.ledger.open
    assert opened.why == "not planned: spec.weight of NodePool p is known only after an apply"


@pytest.mark.usefixtures("parser")
def test_an_object_that_a_file_has_as_well_is_taken_from_the_file(tmp_path: Path) -> None:
    """F-11."""
    (tmp_path / "x.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: b}\n")
    documents, notes = configured(tmp_path, main_tf=f'resource "kubernetes_manifest" "x" {{\n  manifest = {{ {OBJECT} }}\n}}\n')
    assert [document.data.get("data") for document in documents] == [{"a": "b"}]
    assert [note.code for note in notes.all()] == ["written-twice"]


@pytest.mark.usefixtures("parser")
def test_what_is_no_hcl_is_reported_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"main\.tf:2: is not HCL that can be read"):
        configured(tmp_path, main_tf='resource "kubernetes_manifest" "x" {\n  manifest = = 1\n}\n')


def test_without_the_parser_a_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose objects are in a configuration is refused then."""
    monkeypatch.setitem(sys.modules, "hcl2", None)
    (tmp_path / "main.tf").write_text('resource "kubernetes_manifest" "x" {}\n')
    with pytest.raises(InputError, match=r"main\.tf: has objects of Kubernetes in HCL.*pip install 'cutlist\[hcl\]'"):
        read_documents([tmp_path])


def test_a_configuration_without_objects_needs_no_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most have none."""
    monkeypatch.setitem(sys.modules, "hcl2", None)
    _, notes = configured(tmp_path, main_tf='resource "aws_vpc" "x" {}\n')
    assert notes.ledger.open == ()
    assert notes.ledger.closed().sentence == "1 file: 0 read, 1 Terraform"


POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${name}
"""


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    "call",
    [
        'templatefile("./pools/pool.yml", { name = "a" })',
        'file("pools/plain.yml")',
        'file("../infra/pools/plain.yml")',
        'file("${path.module}/../infra/pools/plain.yml")',
    ],
)
def test_a_relative_path_begins_where_terraform_runs(tmp_path: Path, call: str) -> None:
    """F-11: in the folder of the root module, from wherever cutlist reads it."""
    main = f'resource "kubectl_manifest" "pool" {{\n  yaml_body = {call}\n}}\n'
    files = {"infra__pools__pool.yml": POOL, "infra__pools__plain.yml": POOL.replace("${name}", "a")}
    documents, _ = configured(tmp_path, infra__main_tf=main, **files)
    assert [(document.kind, document.name) for document in documents] == [("NodePool", "a")]


@pytest.mark.usefixtures("parser")
def test_the_root_is_the_same_in_every_module(tmp_path: Path) -> None:
    """F-11: path.root is the folder of the module that nobody calls."""
    call = 'module "m" {\n  source = "./mod"\n}\n'
    pool = 'resource "kubectl_manifest" "pool" {\n  yaml_body = file("${path.root}/pools/plain.yml")\n}\n'
    files = {"infra__pools__plain.yml": POOL.replace("${name}", "a")}
    documents, _ = configured(tmp_path, infra__main_tf=call, infra__mod__main_tf=pool, **files)
    assert [document.name for document in documents] == ["a"]


@pytest.mark.usefixtures("parser")
def test_a_decoded_template_is_known_but_for_what_an_apply_knows(tmp_path: Path) -> None:
    """F-12: an unknown value makes its member unknown, not the whole object."""
    expression = 'yamldecode("role: ${aws_iam_role.node.name}\\nzone: a")'
    assert value_of(tmp_path, expression) == {"role": UNKNOWN, "zone": "a"}


@pytest.mark.usefixtures("parser")
def test_a_text_that_is_no_yaml_before_an_apply_is_open(tmp_path: Path) -> None:
    """F-12: a member of which not even the name is known is no mistake of the file."""
    text = """resource "kubectl_manifest" "disk" {
  yaml_body = <<-YAML
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  parameters:
    type: gp3
    ${aws_kms_key.disk.arn != null ? "kmsKeyId: ${aws_kms_key.disk.arn}" : ""}
  YAML
}
"""
    documents, notes = configured(tmp_path, main_tf=text)
    assert not documents
    assert [opened.why for opened in notes.ledger.open] == ["not known before an apply"]


@pytest.mark.usefixtures("parser")
def test_objects_that_the_variables_switch_off_are_noted(tmp_path: Path) -> None:
    """F-11: nothing of them is read, and a note names them."""
    resource = f'resource "kubernetes_manifest" "pool" {{\n  count = var.on ? 1 : 0\n  manifest = {{ {OBJECT} }}\n}}\n'
    text = f'variable "on" {{ default = false }}\n{resource}'
    documents, notes = configured(tmp_path, main_tf=text)
    assert not documents
    assert [(note.code, "kubernetes_manifest.pool" in note.text) for note in notes.all()] == [("switched-off", True)]


@pytest.mark.usefixtures("parser")
def test_manifests_that_a_configuration_writes_to_files_are_read(tmp_path: Path) -> None:
    """F-11: kubectl applies them from there; other files are no objects."""
    pool, other = POOL.replace("${name}", "a"), "some: settings\n"
    text = "".join(
        f'resource "local_file" "{name}" {{\n  filename = "{name}.yaml"\n  content = <<-E\n{content}E\n}}\n'
        for name, content in (("pool", pool), ("other", other))
    )
    documents, _ = configured(tmp_path, main_tf=text)
    assert [(document.kind, document.name) for document in documents] == [("NodePool", "a")]


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("a:\n%{ for x in list ~}  \n    - ${x}\n%{ endfor ~}\n  b", "a:\n    - p\n    - q\n  b"),
        ("b\n   %{~ if true }c%{ endif }", "b\nc"),
        ("d\n%{~ if true ~}\n\n  e %{ endif ~}  \n\n  f", "d\n  e \n  f"),
    ],
)
def test_a_strip_marker_takes_the_spaces_of_its_line(tmp_path: Path, template: str, text: str) -> None:
    """F-11: with the end of the line, and without the indentation of the next one, as terraform console answers."""
    (tmp_path / "t.tpl").write_text(template)
    assert value_of(tmp_path, '{ x = templatefile("t.tpl", { list = ["p", "q"] }) }')["x"] == text


ROOT = 'module "app" {{\n  source = "../../modules/app"\n  size = {size}\n}}\n'
APP = """variable "size" {}
resource "kubernetes_manifest" "web" {
  manifest = { apiVersion = "apps/v1", kind = "Deployment", metadata = { name = "web" }, spec = { replicas = var.size } }
}
"""


def environments(folder: Path, *paths: str) -> list[tuple[str, str]]:
    """The environments of a folder with two root modules of one module, each with its command."""
    manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\n"
    files = {"modules/app/main.tf": APP, "shared/all.yaml": manifest}
    files |= {f"live/{name}/main.tf": ROOT.format(size=size) for name, size in (("dev", 1), ("prod", 9))}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    notes = Notes()
    collect_documents([str(folder / path) for path in paths], Problems(), reading=RECURSIVE, notes=notes)
    return [(environment.name, environment.command) for environment in notes.ledger.environments]


@pytest.mark.usefixtures("parser")
def test_root_modules_that_write_the_same_object_are_environments(tmp_path: Path) -> None:
    """F-27: each with the files that belong to all of them."""
    assert environments(tmp_path, ".") == [
        (f"{tmp_path}/live/{name}", f"cutlist plan -f {tmp_path}/shared -f {tmp_path}/live/{name} -R")
        for name in ("dev", "prod")
    ]


@pytest.mark.usefixtures("parser")
def test_a_root_module_is_enough_where_its_modules_lie_elsewhere(tmp_path: Path) -> None:
    """F-11: its command reads what it calls, and the folder does not count as empty."""
    assert environments(tmp_path, "live/prod") == []
    problems = Problems()
    (web,) = collect_documents([str(tmp_path / "live/prod")], problems, reading=RECURSIVE)
    assert (web.name, web.data["spec"], problems.found) == ("web", {"replicas": 9}, [])


@pytest.mark.usefixtures("parser")
def test_a_template_of_a_configuration_may_be_no_yaml_itself(tmp_path: Path) -> None:
    """F-11: its objects come through the configuration."""
    text = """data "kubectl_path_documents" "x" {
  pattern = "${path.module}/x.yaml"
  vars    = { name = "a" }
}
resource "kubectl_manifest" "x" {
  for_each  = data.kubectl_path_documents.x.manifests
  yaml_body = each.value
}
"""
    template = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n"
    documents, notes = configured(tmp_path, main_tf=text, **{"x.yaml": template})
    assert [(document.kind, document.name) for document in documents] == [("ConfigMap", "a")]
    assert notes.ledger.open == ()


def test_a_range_has_as_many_numbers_as_terraform_allows(parser, tmp_path):
    assert value_of(tmp_path, "length(range(1024))") == 1024
    assert value_of(tmp_path, "range(1000000000)") is UNKNOWN


def test_a_count_of_a_billion_is_no_billion_of_objects(parser, tmp_path):
    text = f'resource "kubernetes_manifest" "x" {{\n  count = 1000000000\n  manifest = {{ {OBJECT} }}\n}}\n'
    documents, notes = configured(tmp_path, main_tf=text)
    assert documents == ()
    assert "count is 1,000,000,000, and up to 10,000 are read" in str(notes.ledger.closed())


def _in_locals(first: str, each: str) -> str:
    """Thirty values, each made from the one before it."""
    lines = (f"  a{n} = {each.format(f'local.a{n - 1}')}" for n in range(1, 31))
    return "\n".join(("locals {", f"  a0 = {first}", *lines, "}"))


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("each", ["[{0}, {0}]", "concat({0}, {0})", "flatten([for x in {0} : [x, x]])"])
def test_a_list_that_doubles_thirty_times_is_refused(tmp_path: Path, each: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "MOST_STEPS", 20_000)
    monkeypatch.setattr(effort, "MOST_CONTENT", 50_000)
    with pytest.raises(InputError, match=r"(a value has more items|its expressions have more parts).* than [0-9,]+"):
        value_of(tmp_path, "jsonencode(local.a30)", _in_locals("[1]", each))


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("each", ['"${{{0}}}${{{0}}}"', 'replace({0}, "a", "${{{0}}}a")', 'join({0}, ["a", "b", "c"])'])
def test_a_text_that_doubles_thirty_times_is_unknown(tmp_path: Path, each: str) -> None:
    assert value_of(tmp_path, "local.a30", _in_locals('"ab"', each)) is UNKNOWN


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    "expression",
    [
        '"x" * 1000000000',
        'format("%999999999d", 1)',
        'format("%*d", 999999999, 1)',
        'indent(999999999, "a\\nb")',
        f"1{'0' * 200} * 1",
    ],
)
def test_what_is_as_large_as_a_number_says_is_unknown(tmp_path: Path, expression: str) -> None:
    assert value_of(tmp_path, expression) is UNKNOWN


@pytest.mark.usefixtures("parser")
def test_modules_that_call_modules_are_counted_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "MOST_MODULES", 20)
    call = 'module "{0}" {{\n  source = "./{1}"\n  count = 5\n}}\n'
    inner = f'resource "kubernetes_manifest" "x" {{\n  manifest = {{ {OBJECT} }}\n}}\n'
    files = {"main_tf": call.format("m", "a"), "a__main_tf": call.format("n", "b"), "a__b__main_tf": inner}
    with pytest.raises(InputError, match="it calls more modules than 20; allowed: at most 20"):
        configured(tmp_path, **files)
    monkeypatch.setattr(effort, "MOST_MODULES", 30)
    documents, _ = configured(tmp_path, **files)
    assert [document.name for document in documents] == ["x"]
