"""What Flux and Argo CD take from elsewhere, read with a fetcher: charts, repositories and artifacts of servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents import Charts, Fetcher, Reading, collect_documents
from cutlist_cli import main
from cutlist_live.fetch import ToolFetcher
from tests.fetch.charts import files_of, packed
from tests.fetch.repositories import commit, publish
from tests.fetch.servers import Remote

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


def test_a_release_names_an_artifact(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-2"""
    spec = {"url": f"{lamp.registry}/lamp", "insecure": True, "ref": {"semver": "1.x"}}
    artifact = manifest("source.toolkit.fluxcd.io/v1", "OCIRepository", "lamp", spec)
    chart = {"chartRef": {"kind": "OCIRepository", "name": "lamp"}, "values": {"replicas": 3}}
    asked = manifest("helm.toolkit.fluxcd.io/v2", "HelmRelease", "web", chart)
    assert read(tmp_path, fetcher(), artifact, asked) == ({"web-web": 3}, [])


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
    assert why.endswith("version 1.x, is fetched only by cutlist plan ... --fetch --helm")


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
