"""Charts given as folders: rendered by the installed helm where that is asked for, offline, and else named."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.core.notes import Notes
from cutlist.documents.collecting import read_documents
from cutlist.documents.delivery import processes
from cutlist.documents.folders import Charts, Reading
from cutlist.verbs.validate.answer import validate
from tests.unit.delivery.checkouts import RECORDED, names, rendered, stand_in, words

HELM = Path(__file__).parents[3] / ".engine/bin/helm"


def problem(*paths: Path, charts: Charts | None = None) -> str:
    with pytest.raises(InputError) as error:
        rendered(*paths, charts=charts)
    (mistake,) = error.value.problems
    return str(mistake)


def test_a_chart_is_what_helm_makes_of_it(root: Path, helm: Path) -> None:
    """Each object names the template that it is from, and no line, which would be one of the rendered text."""
    documents, notes = rendered(root / "charts/web")
    assert words(helm) == RECORDED["web"]["words"]
    assert [str(document.place) for document in documents] == [
        "charts/web/crds/thing.yaml (helm, release web)",
        "charts/web/templates/budget.yaml (helm, release web)",
        "charts/web/templates/deployment.yaml (helm, release web)",
    ]
    assert str(documents[2].at("spec.replicas")) == "charts/web/templates/deployment.yaml (helm, release web) spec.replicas"
    assert documents[2].data["spec"]["replicas"] == 2
    assert notes == []


def test_values_and_versions_are_given_to_helm(root: Path, helm: Path) -> None:
    """In the order in which they were given."""
    files = (str(root / "charts/web/values-prod.yaml"), "./charts/web/values.yaml")
    rendered(root / "charts/web", charts=Charts(files, "1.34", ("monitoring.coreos.com/v1",)))
    assert words(helm) == [
        *("template", "web", "./charts/web", "--values", "charts/web/values-prod.yaml", "--values", "./charts/web/values.yaml"),
        *("--include-crds", "--kube-version", "1.34", "--api-versions", "monitoring.coreos.com/v1"),
    ]


@pytest.mark.parametrize("file", ["values-test.yaml", "https://example.com/values.yaml"])
def test_values_that_are_no_file_are_refused(root: Path, helm: Path, file: str) -> None:
    """Helm would fetch an address."""
    assert problem(root / "charts/web", charts=Charts((file,))) == f"{file}: cannot be read: no such file or directory"
    assert not (helm / "words").exists()


def test_charts_below_a_folder_are_rendered_beside_its_files(root: Path, helm: Path) -> None:
    """A chart in a folder of a kustomization is the kustomization's business."""
    (root / "apps.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    documents, _ = rendered(root, recursive=True)
    assert names(documents)[0] == "Namespace -/shop"
    assert "Deployment -/web-web" in names(documents)
    (root / "kustomization.yaml").write_text("resources: [apps.yaml]\n")
    assert names(rendered(root, recursive=True)[0]) == ["Namespace -/shop"]


def test_who_waits_hears_how_many_charts_are_rendered(root: Path, helm: Path) -> None:
    """Of those that are known; without a chart nothing is said."""
    heard: list[tuple[int, int]] = []
    shutil.copytree(root / "charts/web", root / "charts/api")
    (helm / "text").write_text("---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n")
    reading = Reading(recursive=True, charts=Charts(), rendering=lambda: nullcontext(lambda *counts: heard.append(counts)))
    read_documents([root / "charts"], reading=reading)
    assert heard == [(1, 2), (2, 2)]
    (root / "apps.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    read_documents([root / "apps.yaml"], reading=reading)
    assert len(heard) == 2


def test_without_being_asked_nothing_runs(root: Path, helm: Path) -> None:
    """The chart is named, with the option and the command."""
    with pytest.raises(
        InputError, match=r"charts/web: holds a Helm chart .* helm=True, which runs .* helm template charts/web \|"
    ):
        read_documents([root / "charts/web"])
    (root / "apps.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    notes = Notes()
    read_documents([root], reading=Reading(recursive=True), notes=notes)
    assert [note.text for note in notes.all()] == [
        "not read, because they are Helm charts; --helm renders them, as helm template does: ./charts/web"
    ]
    assert not (helm / "words").exists()


def test_without_helm_the_command_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the one that would have run."""
    monkeypatch.setenv("PATH", str(root))
    assert problem(root / "charts/web", charts=Charts(("charts/web/values-prod.yaml",))) == (
        "charts/web/Chart.yaml: helm, which --helm runs, is not installed; allowed: helm on the PATH, or "
        "helm template web ./charts/web --values charts/web/values-prod.yaml --include-crds | cutlist plan -f -"
    )


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        (
            "Error: An error occurred while checking for chart dependencies. You may need to run `helm dependency build` "
            "to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: redis, kafka\n",
            "the chart has dependencies that are not in its charts folder: redis, kafka; "
            "allowed: --fetch, or helm dependency build charts/web, which fetches them",
        ),
        (
            "level=WARN msg=x\nError: execution error at (web/templates/deployment.yaml:3:4): no zone\n\n"
            "Use --debug flag to render out invalid YAML\n",
            "helm refuses the chart charts/web: execution error at (web/templates/deployment.yaml:3:4): no zone",
        ),
    ],
)
def test_what_helm_refuses_is_shown_at_the_chart(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errors: str, expected: str
) -> None:
    """Missing dependencies are named with the command that fetches them; here nothing is fetched."""
    monkeypatch.setenv("PATH", str(stand_in(tmp_path / "bin", status=1, errors=errors)), prepend=":")
    assert problem(root / "charts/web") == f"charts/web/Chart.yaml: {expected}"


def test_helm_sees_an_empty_home_and_no_network(root: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No plugin, repository, credential or cluster of the user's is in reach of a chart."""
    for name in ("AWS_SECRET_ACCESS_KEY", "HELM_PLUGINS", "KUBECONFIG", "HELM_KUBETOKEN", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "of-the-user")
    rendered(root / "charts/web")
    environment = dict(line.partition("=")[::2] for line in (helm / "environment").read_text().splitlines())
    assert "of-the-user" not in environment.values()
    assert environment["HTTPS_PROXY"] == "http://127.0.0.1:9"
    home = environment["HOME"]
    assert all(environment[f"HELM_{name}_HOME"].startswith(home) for name in ("CACHE", "CONFIG", "DATA"))
    assert not Path(home).exists()


def test_too_much_and_too_long_is_refused(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart cannot fill the memory, or keep a run from ending."""
    folder = stand_in(tmp_path / "bin", text="a: b\n" * 400)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    monkeypatch.setattr(processes, "MAX_BYTES", 2**10)
    assert problem(root / "charts/web").startswith("charts/web/Chart.yaml: helm renders more than ")
    monkeypatch.setattr(processes, "_SECONDS", 0.05)
    (folder / "helm").write_text("#!/bin/sh\nexec sleep 60\n")
    assert problem(root / "charts/web").startswith("charts/web/Chart.yaml: helm takes longer than ")


def test_secrets_of_a_chart_are_in_no_message(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of files are not: here another object repeats one by mistake."""
    first = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: hush-hush-hush}\n"
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {containers: [], restartPolicy: hush-hush-hush}\n"
    text = f"---\n# Source: web/templates/secret.yaml\n{first}---\n# Source: web/templates/pod.yaml\n{pod}"
    monkeypatch.setenv("PATH", str(stand_in(tmp_path / "bin", text=text)), prepend=":")
    problems = validate([root / "charts/web"], reading=Reading(charts=Charts())).problems
    assert any("charts/web/templates/pod.yaml (helm, release web)" in str(problem) for problem in problems)
    assert "hush" not in repr(problems)


def test_a_library_has_no_objects(root: Path, helm: Path) -> None:
    """Helm refuses to render one; a folder of nothing else holds no object."""
    (root / "charts/web/Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 0.1.0\ntype: library\n")
    assert problem(root / "charts/web").startswith("charts/web: contains no object")
    assert not (helm / "words").exists()


@pytest.mark.skipif(not HELM.exists(), reason="`make helm` builds it")
@pytest.mark.parametrize("release", RECORDED)
def test_what_is_recorded_of_helm_is_what_it_prints(root: Path, release: str) -> None:
    """The stand-in says what helm says."""
    recorded = RECORDED[release]
    done = subprocess.run([HELM, *recorded["words"]], capture_output=True, text=True, check=True)  # type: ignore[misc]
    assert done.stdout == recorded["output"]


@pytest.mark.skipif(not HELM.exists(), reason="`make helm` builds it")
def test_the_real_helm_renders_offline(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a schema of values that lies elsewhere is not fetched."""
    monkeypatch.setenv("PATH", str(HELM.parent), prepend=":")
    assert len(rendered(root / "charts/web", charts=Charts((), "1.33.1"))[0]) == 3
    (root / "charts/web/values.schema.json").write_text('{"$ref": "https://example.com/values.json"}')
    assert "127.0.0.1:9: connect: connection refused" in problem(root / "charts/web")
