"""Releases of Helm in configurations are rendered as the provider has helm render them, as far as their values are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.fetching import ChartSource
from cutlist.documents.delivery.helm import Release
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading
from cutlist.documents.terraform.hcl.configuration import Configuration
from cutlist.documents.terraform.installed import Installed
from cutlist.documents.terraform.partly_known import MARK
from cutlist.documents.terraform.stand_ins import Unrenderable, objects_of
from tests.unit.delivery.checkouts import stand_in, words

RENDERING = Reading(recursive=True, charts=Charts())
LOCAL = 'name = "shop"\n  chart = "../charts/web"'


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a chart, in which the test runs."""
    pytest.importorskip("hcl2")
    (tmp_path / "charts/web/templates").mkdir(parents=True)
    (tmp_path / "charts/web/Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (tmp_path / "infra").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def installed(members: str, more: str = "") -> Installed:
    """The release of a configuration."""
    path = Path("infra/main.tf")
    path.write_text(f'resource "helm_release" "web" {{\n  {members}\n}}\n{more}')
    configuration = Configuration(Problems(), Notes())
    configuration.documents([str(path)])
    (release,) = configuration.releases
    return release


def test_a_release_has_its_values_and_settings_in_the_order_of_the_provider() -> None:
    """F-19: lists in braces, texts as texts, what is sensitive last."""
    members = f"""{LOCAL}
  namespace = "live"
  values = [yamlencode({{ a = 1 }}), "b: 2"]
  skip_crds = true
  disable_webhooks = true
  set_sensitive {{
    name  = "password"
    value = "secret"
  }}
  set {{
    name  = "on"
    value = true
  }}
  set {{
    name  = "tag"
    value = "1"
    type  = "string"
  }}
  set_list {{
    name  = "zones"
    value = ["a", "b"]
  }}"""
    of = installed(members)
    assert (of.release.chart, of.release.name, of.release.namespace) == ("charts/web", "shop", "live")
    assert of.release.values == ({"a": 1}, {"b": 2})
    assert of.release.sets == (
        *(("--set", "on=true"), ("--set-string", "tag=1"), ("--set", "zones={a,b}"), ("--set", "password=secret")),
    )
    assert (of.release.definitions, of.release.hooks, of.secrets, of.why_not) == (False, False, ("secret",), "")


def test_settings_may_be_a_list_of_objects() -> None:
    """F-19: the form of the provider's version 3."""
    assert installed(f'{LOCAL}\n  set = [{{ name = "a", value = "1" }}]').release.sets == (("--set", "a=1"),)


def test_a_dynamic_block_makes_a_setting_for_each_item() -> None:
    """F-11"""
    content = "content {\n      name = set.key\n      value = set.value\n    }"
    block = f'dynamic "set" {{\n    for_each = {{ a = 1, b = 2 }}\n    {content}\n  }}'
    assert installed(f"{LOCAL}\n  {block}").release.sets == (("--set", "a=1"), ("--set", "b=2"))


@pytest.mark.parametrize(
    ("members", "repository", "name"),
    [
        ('repository = "https://charts.example.com"\n  chart = "web"', "https://charts.example.com", "web"),
        ('repository = "oci://ghcr.io/acme"\n  chart = "web"', "oci://ghcr.io/acme", "web"),
        ('chart = "oci://ghcr.io/acme/web"', "oci://ghcr.io/acme", "web"),
    ],
)
def test_a_chart_of_a_repository_is_fetched_in_its_version(members: str, repository: str, name: str) -> None:
    """F-19"""
    source = installed(f'name = "shop"\n  version = "1.2.3"\n  {members}').source
    assert source is not None
    assert (source.repository, source.name, source.version) == (repository, name, "1.2.3")


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ('name = aws_x.y.z\n  chart = "../charts/web"', "name is known only after an apply"),
        (f"{LOCAL}\n  values = [var.values]", "values[0] is known only after an apply"),
        (f"{LOCAL}\n  count = var.values", "count is known only after an apply"),
        (f'{LOCAL}\n  values = ["a: ["]', "values[0] is not YAML: "),
        (f'{LOCAL}\n  postrender {{\n    binary_path = "x"\n  }}', "another program changes what helm renders (postrender)"),
        (
            'name = "shop"\n  chart = "stable/web"',
            "its chart stable/web is neither a folder here",
        ),
    ],
)
def test_a_release_that_an_apply_alone_knows_is_not_rendered(members: str, why: str) -> None:
    """F-12: the reason names what is unknown."""
    assert installed(members, 'variable "values" {}\n').why_not.startswith(why)


def test_a_chart_of_the_checkout_is_rendered_once_with_the_values_of_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-19: not by itself with its own values as well."""
    helm = stand_in(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(helm), prepend=":")
    Path("infra/main.tf").write_text(
        f'resource "helm_release" "web" {{\n  {LOCAL}\n  set = [{{ name = "a", value = "1" }}]\n}}\n'
    )
    problems, notes = Problems(allow_empty=True), Notes()
    collect_documents(["."], problems, reading=RENDERING, notes=notes)
    assert words(helm) == [
        *("template", "shop", "./charts/web", "--namespace", "default", "--set", "a=1", "--include-crds"),
    ]


def test_without_the_option_a_release_is_open_with_the_command_that_renders_it() -> None:
    """F-19: where its chart is elsewhere, with the option that fetches it."""
    remote = 'name = "shop"\n  chart = "oci://ghcr.io/acme/web"'
    Path("infra/main.tf").write_text(
        f'resource "helm_release" "a" {{\n  {LOCAL}\n}}\nresource "helm_release" "b" {{\n  {remote}\n}}\n'
    )
    notes = Notes()
    collect_documents(["."], Problems(allow_empty=True), reading=Reading(recursive=True, options=("-R",)), notes=notes)
    why = "a release that is not rendered"
    assert [of for of in notes.ledger.open if of.form == "Terraform"] == [
        OpenInput("helm_release.a (infra/main.tf:1)", "Terraform", why, "cutlist plan -f . -R --helm"),
        OpenInput("helm_release.b (infra/main.tf:5)", "Terraform", why, "cutlist plan -f . -R --helm --fetch"),
    ]


def deployment(name: str, **spec: Any) -> Document:
    return Document(Place("x"), {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}, {})


def made(value: Any) -> tuple[list[tuple[str, Any]], list[str]]:
    """What is kept of a chart with a value: the names of its Deployments and their specs, and what is open."""

    def render(release: Release, _problems: Problems) -> list[Document]:
        (values,) = release.values
        assert isinstance(values, Mapping)
        given = values["value"]
        if given == "refused":
            raise Unrenderable("refused")
        number = int(given) if isinstance(given, str) and given.isdigit() else 0
        always = deployment("always", replicas=2, template={"metadata": {"annotations": {"checksum/config": str(given)}}})
        return [always, deployment("counted", replicas=number), *([deployment("perhaps")] if given else [])]

    documents, reasons = objects_of(replace(Release("c", "r"), values=({"value": value},)), render)
    return [(document.name, document.data["spec"]) for document in documents], reasons


def test_values_that_are_known_are_rendered_as_they_are() -> None:
    assert made("3")[0][1] == ("counted", {"replicas": 3})
    assert made("3")[1] == []


def test_what_depends_on_an_unknown_value_is_open_and_the_rest_is_planned() -> None:
    """F-12: a number that a template makes of it, and an object that it decides about; a checksum decides nothing."""
    documents, reasons = made(MARK)
    assert [name for name, _ in documents] == ["always"]
    assert documents[0][1]["replicas"] == 2
    assert reasons == [
        "not planned: spec.replicas of Deployment counted is known only after an apply",
        "not planned: whether there is Deployment perhaps is known only after an apply",
    ]


BLUEPRINTS = """module "addons" {
  source = "aws-ia/eks-blueprints-addons/aws"
  enable_karpenter      = true
  enable_metrics_server = true
  enable_argocd         = false
  helm_releases = {
    web = { chart = "../charts/web", chart_version = "", namespace = "live", values = ["a: 1"] }
  }
}
module "addon" {
  source = "aws-ia/eks-blueprints-addon/aws"
  name = "api"
  chart = "api"
  chart_version = "1.2.3"
  repository = "https://charts.example.com"
}
"""


def test_charts_that_a_call_of_the_blueprints_describes_are_releases_and_its_add_ons_are_open() -> None:
    """F-19: the charts of add-ons are in the module, which is elsewhere."""
    Path("infra/main.tf").write_text(BLUEPRINTS)
    notes = Notes()
    configuration = Configuration(Problems(), notes)
    configuration.documents(["infra/main.tf"])
    web, api = configuration.releases
    assert (web.place.address, web.release.name, web.release.namespace) == ('module.addons.helm_releases["web"]', "web", "live")
    assert (web.release.chart, web.release.values) == ("charts/web", ({"a": 1},))
    assert api.source == ChartSource("https://charts.example.com", "api", "1.2.3")
    (left,) = notes.ledger.open
    assert (left.what, left.why) == (
        "module.addons (infra/main.tf:1)",
        "a module from elsewhere that installs charts: metrics_server",
    )
