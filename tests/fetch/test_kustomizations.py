"""What kustomizations name elsewhere: fetched once, pinned by the lock, and built from a copy."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.fetching import Fetcher, FetchError, FileSource, GitSource
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading
from cutlist.documents.kustomize.remote_names import source_named
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.limits import Limits
from tests.fetch.charts import files_of, packed
from tests.fetch.repositories import commit, git, publish
from tests.fetch.servers import Answer, Remote

Make = Callable[..., ToolFetcher]

pytestmark = pytest.mark.usefixtures("programs")


@pytest.fixture
def programs(helm: None) -> None:
    """Skip a test that needs kustomize where there is none."""
    if shutil.which("kustomize") is None:
        pytest.skip("kustomize is not installed; `make kustomize` builds it")


def deployment(name: str, replicas: int) -> str:
    """Return a Deployment."""
    return json.dumps(
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {}, "template": {"spec": {"containers": [{"name": "a", "image": "a"}]}}},
        }
    )


def replicas_patch(name: str, count: int) -> dict[str, Any]:
    """Return a patch that only kustomize applies."""
    patch = json.dumps([{"op": "replace", "path": "/spec/replicas", "value": count}])
    return {"target": {"kind": "Deployment", "name": name}, "patch": patch}


def read(folder: Path, fetcher: Fetcher | None, **data: Any) -> tuple[dict[str, int], list[str], tuple[Document, ...]]:
    """Return the replicas of the Deployments that a kustomization makes, the sentences on what is open, and the objects."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kustomization.yaml").write_text(json.dumps(data))
    problems, notes = Problems(), Notes()
    documents = collect_documents([folder], problems, None, Reading(charts=Charts(), fetcher=fetcher), notes)
    assert [problem.message for problem in problems.found if problem.message != "contains no object that is read"] == []
    replicas = {d.name: d.data["spec"]["replicas"] for d in documents if d.kind == "Deployment"}
    return replicas, [opened.sentence for opened in notes.ledger.open], documents


@pytest.fixture
def bases(remote: Remote, tmp_path: Path) -> Remote:
    """Return a server with a repository of bases: `web`, which builds on `common`, and a component."""
    files = {
        "web/kustomization.yaml": json.dumps({"resources": ["web.yaml", "../common"], "patches": [replicas_patch("web", 3)]}),
        "web/web.yaml": deployment("web", 1),
        "common/kustomization.yaml": "resources: [job.yaml]",
        "common/job.yaml": deployment("job", 2),
        "twice/kustomization.yaml": json.dumps(
            {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "replicas": [{"name": "web", "count": 8}]}
        ),
    }
    commit(tmp_path / "bases", files, tag="v1.0.0")
    publish(tmp_path / "bases", tmp_path / "repositories", "bases")
    return remote


@pytest.mark.parametrize(
    ("name", "url", "path"),
    [
        ("github.com/org/repo//deploy/base?ref=v1", "https://github.com/org/repo", "deploy/base"),
        ("github.com/org/repo/deploy?ref=v1", "https://github.com/org/repo", "deploy"),
        ("https://example.com/org/repo.git//deploy?ref=v1", "https://example.com/org/repo.git", "deploy"),
        ("https://example.com/a/b/repo.git/deploy?version=v1", "https://example.com/a/b/repo.git", "deploy"),
        ("git@example.com:org/repo.git//deploy?ref=v1", "git@example.com:org/repo.git", "deploy"),
        ("ssh://git@example.com/org/repo//deploy?ref=v1", "ssh://git@example.com/org/repo", "deploy"),
        ("https://dev.example.com/org/p/_git/repo/deploy?ref=v1", "https://dev.example.com/org/p/_git/repo", "deploy"),
        ("git::https://example.com/org/repo?ref=v1", "https://example.com/org/repo", ""),
    ],
)
def test_a_name_is_a_repository_and_a_path(name: str, url: str, path: str) -> None:
    """FE-15: split where kustomize splits it."""
    assert source_named(name) == (GitSource(url, "v1", submodules=True), path)


@pytest.mark.parametrize(
    "name",
    [
        "https://raw.example.com/org/repo/v1/deploy.yaml",
        "https://github.com/org/repo/releases/download/v1.2.0/components.yaml",
        "https://example.com/x",
    ],
)
def test_a_name_is_a_file(name: str) -> None:
    """FE-15"""
    assert source_named(name) == FileSource(name)


def test_a_path_of_a_name_stays_in_its_repository() -> None:
    with pytest.raises(ValueError, match="leads out of its repository"):
        source_named("github.com/org/repo//../../x?ref=v1")


def test_a_remote_base_is_built_from_a_copy(bases: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-15: with what the base builds on, and what this kustomization does with it."""
    name = f"{bases.git('bases')}//web?ref=v1.0.0"
    replicas, opened, documents = read(tmp_path / "own", fetcher(), resources=[name], namePrefix="a-")
    assert (replicas, opened) == ({"a-web": 3, "a-job": 2}, [])
    assert {document.place.source for document in documents} == {f"kustomize build {tmp_path / 'own'}"}


def test_components_and_local_files_come_together(bases: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-15: local bases beside the folder are in the copy too."""
    (tmp_path / "local").mkdir()
    (tmp_path / "local/web.yaml").write_text(deployment("web", 1))
    (tmp_path / "local/kustomization.yaml").write_text("resources: [web.yaml]")
    component = f"{bases.git('bases')}//twice?ref=v1.0.0"
    assert read(tmp_path / "own", fetcher(), resources=["../local"], components=[component])[:2] == ({"web": 8}, [])


def test_a_file_of_a_server_is_a_resource(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-15"""
    remote.files["/v1/web.yaml"] = Answer(deployment("web", 4).encode())
    name = f"http://{remote.address}/v1/web.yaml"
    assert read(tmp_path / "own", fetcher(), resources=[name])[:2] == ({"web": 4}, [])


def test_charts_of_a_kustomization_are_fetched_with_their_dependencies(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-15, FE-7: two versions of one chart, one of them the latest."""
    for version in ("1.4.0", "2.0.0"):
        remote.add_chart("lamp", version, packed("lamp", files_of("lamp", version)))
    entry = {"name": "lamp", "repo": remote.charts, "valuesInline": {"replicas": 6}}
    charts = [{**entry, "releaseName": "old", "version": "1.4.0"}, {**entry, "releaseName": "new"}]
    replicas, opened, documents = read(tmp_path / "own", fetcher(), helmCharts=charts)
    assert (replicas, opened) == ({"old-web": 6, "new-web": 6}, [])
    assert {document.name for document in documents} >= {"lamp-1.4.0", "lamp-2.0.0"}


def test_the_lock_pins_a_branch_and_the_cache_is_enough(bases: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-13, FE-14"""
    name = f"{bases.git('bases')}//common?ref=main"
    assert read(tmp_path / "own", fetcher(lock=True), resources=[name])[0] == {"job": 2}
    (entry,) = json.loads((tmp_path / "cutlist.lock").read_text())["fetched"]
    assert (entry["git"], entry["asked"]) == (bases.git("bases"), "main")
    assert entry["digest"] == f"sha1:{git(tmp_path / 'bases', 'rev-parse', 'HEAD')}"
    bases.asked.clear()
    assert read(tmp_path / "own", fetcher(lock=True, offline=True), resources=[name])[0] == {"job": 2}
    assert bases.asked == []


def test_a_base_that_cannot_be_fetched_is_one_open_part(bases: Remote, fetcher: Make, tmp_path: Path) -> None:
    name = f"{bases.git('none')}//web?ref=v1"
    (tmp_path / "own").mkdir()
    (tmp_path / "own/web.yaml").write_text(deployment("web", 1))
    replicas, (sentence,), _ = read(tmp_path / "own", fetcher(), resources=["web.yaml", name])
    assert replicas == {}
    assert sentence.startswith(f"{tmp_path / 'own/kustomization.yaml'} is a kustomization that is not built, because")
    assert f"git {bases.git('none')} at v1, cannot be fetched: git refuses it" in sentence


@pytest.mark.parametrize("name", ["../../../../own-files", "/etc/hostname", "../../here/secret.yaml"])
def test_a_fetched_base_names_nothing_of_this_machine(name: str, remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-16: kustomize itself lets bases lead anywhere."""
    commit(tmp_path / "bad", {"base/kustomization.yaml": json.dumps({"resources": [name]})})
    publish(tmp_path / "bad", tmp_path / "repositories", "bad")
    _, (sentence,), _ = read(tmp_path / "own", fetcher(), resources=[f"{remote.git('bad')}//base?ref=main"])
    assert "leads out of" in sentence


def test_submodules_of_a_base_are_in_their_folders(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-16: at the commit that the repository names, by an address beside its own."""
    pinned = commit(tmp_path / "inner", {"kustomization.yaml": "resources: [web.yaml]", "web.yaml": deployment("web", 5)})
    commit(tmp_path / "inner", {"web.yaml": deployment("web", 9)})
    publish(tmp_path / "inner", tmp_path / "repositories", "inner")
    outer = tmp_path / "outer"
    modules = '[submodule "x"]\n\tpath = deep/inner\n\turl = ../inner.git\n'
    commit(outer, {".gitmodules": modules, "kustomization.yaml": "resources: [deep/inner]"})
    git(outer, "update-index", "--add", "--cacheinfo", f"160000,{pinned},deep/inner")
    git(outer, "commit", "-qm", "inner")
    publish(outer, tmp_path / "repositories", "outer")
    name = f"{remote.git('outer')}//?ref=main"
    assert read(tmp_path / "own", fetcher(), resources=[name])[:2] == ({"web": 5}, [])
    without = fetcher().fetch(GitSource(remote.git("outer"), "main"))
    assert not (Path(without.folder) / "deep/inner/web.yaml").exists()


def exec_generator(mark: Path) -> dict[str, str]:
    """Return a base whose generator is a program, which leaves a mark."""
    function = {"config.kubernetes.io/function": json.dumps({"exec": {"path": shutil.which("touch"), "args": [str(mark)]}})}
    generator = {"apiVersion": "x/v1", "kind": "Own", "metadata": {"name": "x", "annotations": function}}
    return {"kustomization.yaml": "generators: [own.yaml]", "own.yaml": json.dumps(generator)}


def test_a_program_of_a_base_is_not_run(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-17: neither by itself, nor where Argo CD's configuration in the same change would allow it."""
    mark = tmp_path / "ran"
    commit(tmp_path / "bad", exec_generator(mark))
    publish(tmp_path / "bad", tmp_path / "repositories", "bad")
    options = "--enable-alpha-plugins --enable-exec --output=x --load-restrictor LoadRestrictionsNone"
    argo = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "argocd-cm"}}
    source = {"repoURL": remote.git("bad"), "path": "."}
    application = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "web"}}
    objects = [{**argo, "data": {"kustomize.buildOptions": options}}, {**application, "spec": {"source": source}}]
    path, problems = tmp_path / "apps.json", Problems()
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    collect_documents([path], problems, None, Reading(charts=Charts(), kustomize=True, fetcher=fetcher()), Notes())
    assert (mark.exists(), len(problems.found)) == (False, 1)
    assert "kustomize refuses it" in problems.found[0].message


def test_a_file_that_is_too_large_or_moves_to_another_scheme_is_refused(remote: Remote, fetcher: Make) -> None:
    """FE-11, FE-12"""
    remote.files["/x.yaml"] = Answer(b"x" * 2000)
    with pytest.raises(FetchError, match="has more than 0 MiB"):
        fetcher(limits=Limits(transferred=1000)).fetch(FileSource(f"http://{remote.address}/x.yaml"))
    remote.files["/y.yaml"] = Answer(b"", status=302, location="ftp://127.0.0.1/y.yaml")
    with pytest.raises(FetchError, match="redirects to ftp://"):
        fetcher().fetch(FileSource(f"http://{remote.address}/y.yaml"))
    for url in ("file:///etc/hostname", "http://x/../y.yaml", "--output=x"):
        with pytest.raises(FetchError):
            fetcher().fetch(FileSource(url))


@pytest.mark.parametrize("url", ["ext::sh -c touch% /tmp/x", "file:///etc", "../../../other\n"])
def test_a_submodule_has_an_address_that_is_allowed(url: str, remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-10, FE-16"""
    modules = f'[submodule "x"]\n\tpath = inner\n\turl = {url}\n'
    pinned = commit(tmp_path / "outer", {".gitmodules": modules, "a.yaml": ""})
    git(tmp_path / "outer", "update-index", "--add", "--cacheinfo", f"160000,{pinned},inner")
    git(tmp_path / "outer", "commit", "-qm", "inner")
    publish(tmp_path / "outer", tmp_path / "repositories", "outer")
    with pytest.raises(FetchError):
        fetcher().fetch(GitSource(remote.git("outer"), "main", submodules=True))


def test_a_submodule_is_only_where_the_tree_has_it(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-16"""
    (tmp_path / "outer").mkdir()
    pinned = commit(tmp_path / "inner", {"web.yaml": deployment("web", 5)})
    publish(tmp_path / "inner", tmp_path / "repositories", "inner")
    modules = '[submodule "x"]\n\tpath = a/../../b\n\turl = ../inner.git\n'
    commit(tmp_path / "outer", {".gitmodules": modules, "b/x": ""})
    git(tmp_path / "outer", "update-index", "--add", "--cacheinfo", f"160000,{pinned},inner")
    git(tmp_path / "outer", "commit", "-qm", "inner")
    publish(tmp_path / "outer", tmp_path / "repositories", "outer")
    with pytest.raises(FetchError, match="names no address of its submodule inner"):
        fetcher().fetch(GitSource(remote.git("outer"), "main", submodules=True))


def test_kustomize_reaches_nothing_itself(
    bases: Remote, fetcher: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FE-17: what a name hides from Cutlist, such as the chart of a generator, is not fetched behind its back."""
    monkeypatch.setenv("NO_PROXY", "*")
    program = tmp_path / "bin/kustomize"
    program.parent.mkdir()
    said = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "\'"$HTTPS_PROXY,$NO_PROXY,$GIT_ALLOW_PROTOCOL"\'"}}'
    program.write_text(f"#!/bin/sh\necho '{said}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    _, _, documents = read(tmp_path / "own", fetcher(), resources=[f"{bases.git('bases')}//web?ref=v1.0.0"])
    assert [document.name for document in documents] == ["http://127.0.0.1:9,,none"]
