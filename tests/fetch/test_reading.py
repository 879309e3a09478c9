"""What Flux and Argo CD take from elsewhere, read with a fetcher: charts, repositories and artifacts of servers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.folders import Charts, Reading
from cutlist_cli import main
from cutlist_live.fetch import ToolFetcher
from tests.fetch.charts import files_of, packed
from tests.fetch.repositories import commit, git, publish
from tests.fetch.servers import Remote
from tests.recorded import PROJECT

Make = Callable[..., ToolFetcher]

pytestmark = pytest.mark.usefixtures("helm")


def manifest(api: str, kind: str, name: str, spec: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return an object."""
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "shop"}, "spec": spec, **members}


def repository(remote: Remote, **spec: Any) -> dict[str, Any]:
    """Return the HelmRepository `charts`."""
    return manifest("source.toolkit.fluxcd.io/v1", "HelmRepository", "charts", {"url": remote.charts, **spec})


def release(chart: str, version: str = "1.x", kind: str = "HelmRepository", **spec: Any) -> dict[str, Any]:
    """Return a HelmRelease of a chart, named like it."""
    source = {"kind": kind, "name": "charts"}
    described = {"spec": {"chart": chart, "version": version, "sourceRef": source}}
    return manifest("helm.toolkit.fluxcd.io/v2", "HelmRelease", chart.rpartition("/")[2], {"chart": described, **spec})


def application(*sources: dict[str, Any]) -> dict[str, Any]:
    """Return the Application `web`."""
    return manifest(
        "argoproj.io/v1alpha1", "Application", "web", {"sources": list(sources), "destination": {"namespace": "shop"}}
    )


def read(folder: Path, fetcher: Fetcher | None, *objects: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """Return the replicas of the Deployments that a file stands for, and what is not rendered."""
    path, problems, notes = folder / "apps.json", Problems(), Notes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
    documents = collect_documents([path], problems, None, Reading(charts=Charts(), fetcher=fetcher), notes)
    assert [problem.message for problem in problems.found] == []
    replicas = {d.name: d.data["spec"]["replicas"] for d in documents if d.kind == "Deployment"}
    return replicas, [note.text for note in notes.all() if note.code == "delivery-not-rendered"]


@pytest.fixture
def lamp(remote: Remote) -> Remote:
    """Return a server with two versions of the chart lamp."""
    for version in ("1.4.0", "2.0.0"):
        remote.add_chart("lamp", version, packed("lamp", files_of("lamp", version)))
    return remote


def test_a_release_of_a_repository_has_all_its_values(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-1, GO-24"""
    values = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "v", "namespace": "shop"}}
    given = {**values, "data": {"values.yaml": "replicas: 5\n"}}
    asked = release("lamp", valuesFrom=[{"kind": "ConfigMap", "name": "v"}])
    assert read(tmp_path, fetcher(), repository(lamp), given, asked) == ({"lamp-web": 5}, [])
    asked["spec"]["values"] = {"replicas": 7}
    assert read(tmp_path, fetcher(), repository(lamp), given, asked) == ({"lamp-web": 7}, [])


def test_a_release_of_a_configuration_is_fetched_and_what_is_unknown_is_open(
    lamp: Remote, fetcher: Make, tmp_path: Path
) -> None:
    """F-19"""
    pytest.importorskip("hcl2")
    path, problems, notes = tmp_path / "infra/main.tf", Problems(), Notes()
    path.parent.mkdir()
    chart = f'repository = "{lamp.charts}"\n  chart = "lamp"\n  version = "~1.4"'
    more = f'resource "helm_release" "late" {{\n  name = "late"\n  {chart}\n  values = ["replicas: ${{aws_x.y.z}}"]\n}}\n'
    path.write_text(f'resource "helm_release" "web" {{\n  name = "web"\n  {chart}\n  values = ["replicas: 5"]\n}}\n{more}')
    documents = collect_documents([path.parent], problems, None, Reading(charts=Charts(), fetcher=fetcher()), notes)
    replicas = {d.name: d.data["spec"]["replicas"] for d in documents if d.kind == "Deployment"}
    assert (problems.found, replicas) == ([], {"web-web": 5})
    assert {d.place.source for d in documents if d.name == "web-web"} == {f"{path} (helm, release web)"}
    (left,) = notes.ledger.open
    assert left.what == f"helm_release.late ({path}:8)"
    assert left.why == "not planned: spec.replicas of Deployment late-web is known only after an apply"


def test_a_release_names_an_artifact(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-2"""
    spec = {"url": f"{lamp.registry}/lamp", "insecure": True, "ref": {"semver": "1.x"}}
    artifact = manifest("source.toolkit.fluxcd.io/v1", "OCIRepository", "lamp", spec)
    chart = {"chartRef": {"kind": "OCIRepository", "name": "lamp"}, "values": {"replicas": 3}}
    asked = manifest("helm.toolkit.fluxcd.io/v2", "HelmRelease", "web", chart)
    assert read(tmp_path, fetcher(), artifact, asked) == ({"web-web": 3}, [])


def test_a_chart_may_be_named_by_the_digest_of_its_artifact(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-6: whatever its tag is today."""
    data = packed("lamp", files_of("lamp", "1.4.0"))
    kind = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
    digest = lamp.add_artifact("charts/lamp", "1.4.0", data, kind, "application/vnd.cncf.helm.config.v1+json")
    spec = {"url": f"{lamp.registry}/lamp", "insecure": True, "ref": {"digest": digest, "tag": "9.9.9"}}
    artifact = manifest("source.toolkit.fluxcd.io/v1", "OCIRepository", "lamp", spec)
    chart = {"chartRef": {"kind": "OCIRepository", "name": "lamp"}, "values": {"replicas": 3}}
    asked = manifest("helm.toolkit.fluxcd.io/v2", "HelmRelease", "web", chart)
    assert read(tmp_path, fetcher(), artifact, asked) == ({"web-web": 3}, [])
    (tmp_path / ".git").mkdir()
    replicas, (why,) = read(tmp_path, None, artifact, asked)
    assert (replicas, f"at {digest}, is elsewhere" in why) == ({}, True)


def test_one_chart_that_fails_is_one_open_part(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    replicas, (why,) = read(tmp_path, fetcher(), repository(lamp), release("none"), release("lamp"))
    assert replicas == {"lamp-web": 2}
    assert why.startswith(
        f"not rendered: HelmRelease none, because its source, chart none of {lamp.charts}, version 1.x, cannot"
    )
    assert "; try: helm pull none" in why


def test_without_a_fetcher_one_command_is_named(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    replicas, (why,) = read(tmp_path, None, repository(remote), release("lamp"))
    assert (replicas, remote.asked) == ({}, [])
    by = f"cutlist plan -f {tmp_path / 'apps.json'} --helm --fetch"
    assert why.endswith(f"version 1.x, is elsewhere; this renders it: {by}")


def test_what_is_open_has_one_warning_with_the_command_of_this_run(remote: Remote, tmp_path: Path) -> None:
    """The account of the inputs gives the same reason, and no second warning says that it stands for others."""
    (tmp_path / ".git").mkdir()
    path = tmp_path / "apps.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [repository(remote), release("lamp")]}))
    files = [str(PROJECT / "examples/shop" / name) for name in ("pools.yaml", "workloads.yaml")] + [str(path)]
    words = [word for file in files for word in ("-f", file)]
    result = CliRunner().invoke(main, ["plan", *words, "--helm", "--region", "us-west-2", "-o", "json"])
    plan = json.loads(result.stdout)
    (warning,) = [note["text"] for note in plan["warnings"] if "lamp" in note["text"]]
    by = shlex.join(["cutlist", "plan", *words, "--helm", "--region", "us-west-2", "--fetch"])
    assert warning.endswith(f"is elsewhere; this renders it: {by}")
    (opened,) = plan["inputs"]["open"]
    assert (opened["why"].startswith("not rendered: its source, chart lamp"), opened["command"]) == (True, by)


def test_a_release_of_another_repository_of_git(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-1: the path is from the root of that repository."""
    chart = {f"charts/web/{path}": text for path, text in files_of("web", "1.0.0").items()}
    commit(tmp_path / "other", chart)
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    source = manifest("source.toolkit.fluxcd.io/v1", "GitRepository", "charts", {"url": remote.git("other")})
    assert read(tmp_path / "own", fetcher(), source, release("charts/web", kind="GitRepository")) == ({"web-web": 2}, [])


def test_an_application_takes_a_chart_with_values_of_another_source(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-35: files of a repository that is fetched too."""
    commit(tmp_path / "other", {"values/web.yaml": "replicas: 6\n"})
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    values = {"repoURL": lamp.git("other"), "ref": "values"}
    helm = {"valueFiles": ["$values/values/web.yaml"]}
    chart = {"repoURL": lamp.charts, "chart": "lamp", "targetRevision": "1.*", "helm": helm}
    assert read(tmp_path / "own", fetcher(), application(chart, values)) == ({"web-web": 6}, [])
    helm["parameters"] = [{"name": "replicas", "value": "8"}]  # type: ignore[list-item]
    assert read(tmp_path / "own", fetcher(), application(chart, values)) == ({"web-web": 8}, [])


def test_an_application_takes_a_folder_of_another_repository(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-33: a chart there, by its path."""
    commit(tmp_path / "other", {f"deploy/{path}": text for path, text in files_of("web", "1.0.0").items()})
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    source = {"repoURL": remote.git("other"), "path": "deploy", "targetRevision": "HEAD"}
    assert read(tmp_path / "own", fetcher(), application(source)) == ({"web-web": 2}, [])


def test_a_kustomization_of_another_repository_leads_to_what_is_in_it(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-1: its objects are in that repository, also those that stand for further ones."""
    inner = {"path": "./apps", "sourceRef": {"kind": "GitRepository", "name": "charts"}}
    api = "kustomize.toolkit.fluxcd.io/v1"
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 4}}
    files = {"top/inner.yaml": manifest(api, "Kustomization", "inner", inner), "apps/web.yaml": web}
    commit(tmp_path / "other", {path: json.dumps(data) for path, data in files.items()}, tag="v1.2.0")
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    spec = {"url": remote.git("other"), "ref": {"semver": "1.x"}}
    source = manifest("source.toolkit.fluxcd.io/v1", "GitRepository", "charts", spec)
    (tmp_path / "own/.git").mkdir(parents=True)
    outer = manifest(api, "Kustomization", "outer", {**inner, "path": "./top"})
    assert read(tmp_path / "own", fetcher(), source, outer) == ({"web": 4}, [])


def application_set(*generators: dict[str, Any], path: str) -> dict[str, Any]:
    """Return an ApplicationSet of Applications of one repository of charts."""
    source = {"repoURL": "{{ .url }}", "path": path}
    spec = {"source": source, "destination": {"namespace": "shop"}, "project": "default"}
    template = {"metadata": {"name": "{{ .path.basename }}"}, "spec": spec}
    own = {"goTemplate": True, "generators": list(generators), "template": template}
    return manifest("argoproj.io/v1alpha1", "ApplicationSet", "set", own)


def test_a_generator_lists_folders_of_another_repository(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-42: also its excluded ones, and at another revision than the default branch."""
    charts = {f"apps/{name}/{path}": text for name in ("web", "job", "old") for path, text in files_of(name, "1.0.0").items()}
    commit(tmp_path / "other", charts, tag="v1")
    commit(tmp_path / "other", {"apps/later/x.txt": ""})
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    url = remote.git("other")
    folders = [{"path": "apps/*"}, {"path": "apps/old", "exclude": True}]
    listed = {"git": {"repoURL": url, "revision": "v1", "directories": folders}}
    matrix = {"matrix": {"generators": [listed, {"list": {"elements": [{"url": url}]}}]}}
    asked = application_set(matrix, path="{{ .path.path }}")
    (tmp_path / "own/.git").mkdir(parents=True)
    assert read(tmp_path / "own", fetcher(), asked) == ({"web-web": 2, "job-web": 2}, [])


def test_a_generator_reads_files_of_another_repository(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """GO-43"""
    files = {f"deploy/{path}": text for path, text in files_of("web", "1.0.0").items()}
    url = remote.git("other")
    commit(tmp_path / "other", {**files, "clusters/one/config.json": json.dumps({"url": url})})
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    generator = {"git": {"repoURL": url, "revision": "HEAD", "files": [{"path": "clusters/*/config.json"}]}}
    (tmp_path / "own/.git").mkdir(parents=True)
    assert read(tmp_path / "own", fetcher(), application_set(generator, path="deploy")) == ({"one-web": 2}, [])


@pytest.mark.parametrize(
    ("generator", "why"),
    [
        (
            {"git": {"repoURL": "ADDRESS", "directories": [{"path": "*"}]}},
            "at its default branch, cannot be fetched",
        ),
        ({"scmProvider": {"github": {"organization": "x"}}}, "repositories that only their provider can list"),
        ({"pullRequest": {"github": {"owner": "x", "repo": "y"}}}, "only the forge knows which are open"),
    ],
)
def test_a_generator_that_cannot_be_fetched_says_why(
    generator: dict[str, Any], why: str, remote: Remote, fetcher: Make, tmp_path: Path
) -> None:
    (tmp_path / "own/.git").mkdir(parents=True)
    asked = json.loads(json.dumps(application_set(generator, path="x")).replace("ADDRESS", remote.git("none")))
    replicas, (note,) = read(tmp_path / "own", fetcher(), asked)
    assert (replicas, why.replace("ADDRESS", remote.git("none")) in note) == ({}, True)


def kustomization(kind: str) -> dict[str, Any]:
    """Return the Kustomization `apps` of the source `charts`."""
    spec = {"path": "./", "sourceRef": {"kind": kind, "name": "charts"}}
    return manifest("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "apps", spec)


WEB = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 4}}


def test_a_selector_chooses_the_layer_of_an_artifact(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-6: by its media type, and without one the artifact has no such layer."""
    kind = "application/vnd.shop.manifests.v1.tar+gzip"
    remote.add_artifact("shop/apps", "latest", packed("", {"web.yaml": json.dumps(WEB)}), kind)
    (tmp_path / "own/.git").mkdir(parents=True)
    spec: dict[str, Any] = {"url": f"oci://{remote.address}/shop/apps", "insecure": True, "layerSelector": {"mediaType": kind}}
    source = manifest("source.toolkit.fluxcd.io/v1", "OCIRepository", "charts", spec)
    assert read(tmp_path / "own", fetcher(), source, kustomization("OCIRepository")) == ({"web": 4}, [])
    spec["layerSelector"] = {"mediaType": "application/x.other"}
    _, (other,) = read(tmp_path / "own", fetcher(), source, kustomization("OCIRepository"))
    assert "is not an artifact with a layer of the type application/x.other" in other
    spec["layerSelector"] = {"mediaType": kind, "operation": "copy"}
    _, (copied,) = read(tmp_path / "own", fetcher(), source, kustomization("OCIRepository"))
    assert "its layerSelector copies an archive as it is" in copied


def test_a_repository_has_its_submodules_where_it_asks_for_them(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-16"""
    pinned = commit(tmp_path / "inner", {"web.yaml": json.dumps(WEB)})
    publish(tmp_path / "inner", tmp_path / "repositories", "inner")
    commit(tmp_path / "other", {".gitmodules": '[submodule "x"]\n\tpath = inner\n\turl = ../inner.git\n', "a/x.txt": ""})
    git(tmp_path / "other", "update-index", "--add", "--cacheinfo", f"160000,{pinned},inner")
    git(tmp_path / "other", "commit", "-qm", "inner")
    publish(tmp_path / "other", tmp_path / "repositories", "other")
    (tmp_path / "own/.git").mkdir(parents=True)
    spec = {"url": remote.git("other"), "recurseSubmodules": True}
    source = manifest("source.toolkit.fluxcd.io/v1", "GitRepository", "charts", spec)
    assert read(tmp_path / "own", fetcher(), source, kustomization("GitRepository")) == ({"web": 4}, [])
    del spec["recurseSubmodules"]
    assert read(tmp_path / "own", fetcher(), source, kustomization("GitRepository"))[0] == {}


@pytest.mark.parametrize(
    ("kind", "spec", "why"),
    [
        ("Bucket", {"bucketName": "x", "endpoint": "s3.example.com"}, "neither helm nor git nor kustomize reads buckets"),
        ("GitRepository", {"include": [{"repository": {"name": "x"}}]}, "includes other repositories"),
    ],
)
def test_a_source_that_no_program_puts_together_is_open(
    kind: str, spec: dict[str, Any], why: str, fetcher: Make, tmp_path: Path
) -> None:
    (tmp_path / "own/.git").mkdir(parents=True)
    source = manifest("source.toolkit.fluxcd.io/v1", kind, "charts", {"url": "https://git.example.com/x", **spec})
    replicas, (note,) = read(tmp_path / "own", fetcher(), source, kustomization(kind))
    assert (replicas, why in note) == ({}, True)


def test_a_chart_of_the_input_is_completed(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-7: objects of dependencies have the names of the chart's own files."""
    needs = [{"name": "lamp", "version": "1.x", "repository": lamp.charts}]
    for path, text in files_of("shop", "1.0.0", dependencies=needs).items():
        (tmp_path / "shop" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / path).write_text(text)
    problems = Problems()
    reading = Reading(charts=Charts(), fetcher=fetcher())
    documents = collect_documents([tmp_path / "shop"], problems, None, reading, Notes())
    assert problems.found == []
    assert {document.name for document in documents} >= {"lamp-1.4.0", "shop-1.0.0"}
    assert all(document.place.source.startswith(str(tmp_path / "shop")) for document in documents)


def test_the_option_writes_a_lock_with_which_the_cache_is_enough(
    lamp: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FE-13, FE-14"""
    monkeypatch.setenv("CUTLIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    items = [repository(lamp), release("lamp")]
    Path("apps.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    words = ["validate", "-f", "apps.json", "--helm", "-o", "json"]
    first = CliRunner().invoke(main, [*words, "--fetch"])
    assert f"fetching chart lamp of {lamp.charts}, version 1.x" in first.stderr
    (entry,) = json.loads(Path("cutlist.lock").read_text())["fetched"]
    assert (entry["chart"], entry["asked"], entry["version"]) == ("lamp", "1.x", "1.4.0")
    lamp.asked.clear()
    again = CliRunner().invoke(main, [*words, "--offline"])
    assert (again.stdout, lamp.asked) == (first.stdout, [])
