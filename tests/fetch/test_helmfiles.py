"""Helmfiles rendered by the installed helmfile: environments, values, selectors, charts from elsewhere, and hostile ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.folders import Reading
from cutlist_live.fetch import ToolFetcher
from tests.fetch.charts import files_of, packed
from tests.fetch.servers import Remote

Make = Callable[..., ToolFetcher]

pytestmark = pytest.mark.usefixtures("helmfile")

_STATE = """\
environments:
  dev:
    values: [{replicas: 1}]
  prod:
    values: [{replicas: 4}]
---
releases:
- name: web
  namespace: shop
  chart: ./charts/web
  needs: [shop/queue]
  values:
  - replicas: {{ .Values.replicas }}
- name: queue
  namespace: shop
  chart: charts/web
  values: [values/queue.yaml.gotmpl]
- name: trial
  namespace: shop
  chart: ./charts/web
  installed: {{ eq .Environment.Name "dev" }}
"""


@pytest.fixture
def helmfile(helm: None) -> None:
    """Skip a test that needs helmfile where there is none."""
    if shutil.which("helmfile") is None:
        pytest.skip("helmfile is not installed; `make helmfile` builds it")


def written(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder with a chart, and return the folder."""
    for path, text in {**{f"charts/web/{path}": text for path, text in files_of("web", "1.0.0").items()}, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def read(folder: Path, environment: str, fetcher: Fetcher | None = None) -> tuple[dict[str, int], list[str]]:
    """Return the replicas of the Deployments of an environment, and what is open."""
    problems, notes = Problems(allow_empty=True), Notes()
    reading = Reading(recursive=True, helmfile=environment, fetcher=fetcher)
    documents = collect_documents([folder], problems, None, reading, notes)
    assert [problem.message for problem in problems.found] == []
    replicas = {d.name: d.data["spec"]["replicas"] for d in documents if d.kind == "Deployment"}
    return replicas, [of.sentence for of in notes.ledger.open]


def test_each_environment_has_its_own_releases_and_values(tmp_path: Path) -> None:
    """F-6: inline values, files of values that are templates, and releases that only one environment has."""
    files = {"helmfile.yaml.gotmpl": _STATE, "values/queue.yaml.gotmpl": "replicas: {{ add .Values.replicas 5 }}\n"}
    folder = written(tmp_path / "repository", files)
    before = sorted(folder.rglob("*"))
    assert read(folder, "prod") == ({"web-web": 4, "queue-web": 9}, [])
    assert read(folder, "dev") == ({"web-web": 1, "queue-web": 6, "trial-web": 2}, [])
    assert sorted(folder.rglob("*")) == before


def test_a_helmfile_below_another_has_only_what_is_selected(tmp_path: Path) -> None:
    """F-6: with the values that the outer one gives it; what lies in inline values is not rendered a second time."""
    outer = "helmfiles:\n- path: apps/helmfile.yaml.gotmpl\n  selectors: [tier=web]\n  values: [{replicas: 3}]\n"
    inner = (
        "releases:\n- {name: web, chart: ../charts/web, labels: {tier: web}, values: [{replicas: {{ .Values.replicas }},"
        ' text: "{{ `{{ .Release.Name }}` }}"}]}\n- {name: other, chart: ../charts/web, labels: {tier: back}}\n'
    )
    folder = written(tmp_path / "repository", {"helmfile.yaml": outer, "apps/helmfile.yaml.gotmpl": inner})
    assert read(folder, "") == ({"web-web": 3}, [])


def test_a_release_whose_chart_is_elsewhere_is_fetched_or_open(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """F-6, FE-1, FE-2: of a repository and of a registry; the others are rendered."""
    for version in ("1.0.0", "1.1.0"):
        remote.add_chart("shop", version, packed("shop", files_of("shop", version)))
    state = (
        f"repositories:\n- {{name: own, url: {remote.charts}}}\nreleases:\n"
        "- {name: here, chart: ./charts/web}\n- {name: there, chart: own/shop, version: ~1.0, values: [{replicas: 7}]}\n"
    )
    folder = written(tmp_path / "repository", {"helmfile.yaml": state})
    replicas, still_open = read(folder, "")
    assert replicas == {"here-web": 2}
    assert len(still_open) == 1
    assert "release there (" in still_open[0]
    assert "--fetch" in still_open[0]
    assert read(folder, "", fetcher()) == ({"here-web": 2, "there-web": 7}, [])


def test_a_release_that_fails_is_not_the_end_of_the_others(tmp_path: Path) -> None:
    """F-6: nor is one whose chart only kustomize makes."""
    state = (
        "releases:\n- {name: good, chart: ./charts/web}\n- {name: bad, chart: ./charts/web, values: [{replicas: {a: 1}}]}\n"
        "- {name: plain, chart: ./plain}\n"
    )
    files = {"helmfile.yaml": state, "plain/kustomization.yaml": "resources: []\n"}
    folder = written(tmp_path / "repository", files)
    (folder / "charts/web/values.schema.json").write_text('{"properties": {"replicas": {"type": "integer"}}}')
    replicas, still_open = read(folder, "")
    assert replicas == {"good-web": 2}
    assert [sentence.partition(" (")[0] for sentence in still_open] == ["release plain", "release bad"]
    assert "kustomize-is-not-run" in still_open[0]


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (
            "{{ print `hooks` }}: [{events: [prepare], command: SPY}]\nreleases: [{name: a, chart: ./charts/web}]\n",
            "hooks are disabled",
        ),
        ('releases:\n- {name: {{ exec "SPY" (list) }}, chart: ./charts/web}\n', "insecure function calls are disabled"),
        ("releases:\n- {name: a, chart: ./charts/web, values: [spy.yaml.gotmpl]}\n", "insecure function calls are disabled"),
        ("releases:\n- {name: a, chart: ./charts/web, postRenderer: SPY}\n", "its postRenderer can run other programs"),
        ("releases:\n- {name: a, chart: ./charts/web, transformers: [{a: 1}]}\n", "its transformers can run other programs"),
    ],
    ids=["hook", "template", "values", "post-renderer", "transformer"],
)
def test_no_program_of_a_helmfile_is_run(state: str, reason: str, tmp_path: Path) -> None:
    """F-6: what would need one is open."""
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n")
    spy.chmod(0o755)
    files = {"helmfile.yaml.gotmpl": state.replace("SPY", str(spy)), "spy.yaml.gotmpl": f'a: {{{{ exec "{spy}" (list) }}}}\n'}
    replicas, still_open = read(written(tmp_path / "repository", files), "")
    assert replicas == {}
    assert reason in still_open[0]
    assert not (tmp_path / "run").exists()


def test_hooks_that_are_written_are_left_out(tmp_path: Path) -> None:
    """F-6: with a note, in helmfiles and in those below them; the files themselves stay as they are."""
    hooks = "hooks:\n- name: prepare\n  events: [prepare, cleanup]\n  command: /nowhere\n"
    inner = (
        f"{hooks}releases:\n- name: web\n  chart: ../charts/web\n  hooks:\n    - events: [presync]\n      command: /nowhere\n"
    )
    files = {"helmfile.yaml": f"{hooks}helmfiles:\n- path: apps/helmfile.yaml\n", "apps/helmfile.yaml": inner}
    folder, notes = written(tmp_path / "repository", files), Notes()
    documents = collect_documents([folder], Problems(), None, Reading(recursive=True, helmfile=""), notes)
    assert [document.name for document in documents if document.kind == "Deployment"] == ["web-web"]
    assert (notes.ledger.open, (folder / "apps/helmfile.yaml").read_text()) == ((), inner)
    (note,) = (note.text for note in notes.all() if note.code == "helmfile-hooks")
    assert note.count("helmfile.yaml") == 2


def test_neither_a_helm_nor_arguments_of_a_helmfile_count(tmp_path: Path) -> None:
    """F-6: a state may name another helm and options for it, and hooks of a release, which alone is open."""
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n")
    spy.chmod(0o755)
    state = (
        f"helmBinary: {spy}\nkustomizeBinary: {spy}\nhelmDefaults:\n  args: [--post-renderer, {spy}]\n  postRenderer: {spy}\n"
        "releases:\n- {name: a, chart: ./charts/web}\n"
        f"- {{name: b, chart: ./charts/web, hooks: [{{events: [presync], command: {spy}}}]}}\n"
    )
    replicas, still_open = read(written(tmp_path / "repository", {"helmfile.yaml": state}), "")
    assert replicas == {"a-web": 2}
    assert [sentence.partition(" (")[0] for sentence in still_open] == ["release b"]
    assert "hooks are disabled" in still_open[0]
    assert not (tmp_path / "run").exists()
