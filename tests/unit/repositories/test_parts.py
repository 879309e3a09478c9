"""What of a repository is not a whole object or not in use: patches, folders of old files; and templates that are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import Answer, run_in

EUROPE = ("--region", "eu-west-1")
_PATCH = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: app, resources: {requests: {cpu: 2}}}]}}}
"""
_ROLE = NODE_CLASS.replace("role: KarpenterNodeRole-demo", "role: ${node_role}")


def first(tmp_path: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, *words: str) -> Answer:
    """Run the first command in a folder with files."""
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE, *words)


def cluster(**deployments: int) -> dict[str, str]:
    """Return files with a NodePool and Deployments."""
    pools = {"pools.yaml": "---\n".join((NODE_CLASS, pool()))}
    return {**pools, **{f"{name}.yaml": deployment(name, replicas=count) for name, count in deployments.items()}}


def test_a_patch_without_a_kustomization_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-21: not an object with mistakes, since it has nothing of what every whole one has."""
    node_pool = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: default}\nspec: {weight: 10}\n"
    removal = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {tolerations: [{$patch: delete}]}\n"
    files = {"patches/web.yaml": _PATCH, "patches/all.yaml": f"{node_pool}---\n{removal}"}
    answer = first(tmp_path, {**cluster(web=3), **files}, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/web": 3}
    inputs = answer.data["inputs"]
    assert inputs["openFiles"] == [{"form": "patches", "files": 2}]
    assert [(of["what"].partition(" (")[0], of["form"]) for of in inputs["open"]] == [
        *(("Deployment web", "patch"), ("NodePool default", "patch"), ("Pod a", "patch"))
    ]
    assert "no spec.selector" in inputs["open"][0]["why"]


def test_a_patch_that_a_kustomization_names_is_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-21: and is not open."""
    files = {"app/kustomization.yaml": "resources: [web.yaml]\npatches: [{path: patches/web.yaml}]\n"}
    files |= {"app/web.yaml": deployment("web"), "app/patches/web.yaml": _PATCH.replace("name: app", "name: main")}
    answer = first(tmp_path, {**cluster(), **files}, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/web": 1}
    assert answer.data["inputs"]["complete"]


def test_an_object_with_a_mistake_is_no_patch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-21: nor is what a file has that was named itself."""
    broken = pool("broken").replace("nodeClassRef", "nodeClassReference")
    answer = first(tmp_path, {**cluster(web=1), "broken.yaml": broken}, monkeypatch)
    assert "unknown field 'nodeClassReference'" in answer.text
    (tmp_path / "weight.yaml").write_text(
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {weight: 1}\n"
    )
    named = run_in(tmp_path, monkeypatch, "plan", "-f", "pools.yaml", "-f", "weight.yaml", *EUROPE)
    assert (named.exit_code, "a patch" in named.text) == (2, False)


def test_what_is_called_a_patch_may_have_some_of_a_whole_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-21: elsewhere the same is a mistake."""
    node_class = "".join(line for line in NODE_CLASS.splitlines(keepends=True) if "amiSelectorTerms" not in line)
    files = {"class-patch.yaml": node_class.replace("name: default", "name: other")}
    answer = first(tmp_path, {**cluster(web=1), **files}, monkeypatch, "-o", "json")
    assert [of["why"].partition(": ")[2] for of in answer.data["inputs"]["open"]] == [
        "it has no spec.amiSelectorTerms; pass what it is applied to"
    ]
    (tmp_path / "class-patch.yaml").rename(tmp_path / "dispatched.yaml")
    assert "is missing and required" in run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE).text


def test_folders_that_are_not_in_use_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-22: unless they are named; a file of such a name is no folder."""
    files = {"apps/Archived/gone.yaml": deployment("gone"), "old/x/web.yaml": deployment("web", replicas=7)}
    answer = first(tmp_path, {**cluster(web=3, old=1), **files}, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/web": 3, "deployment/old": 1}
    inputs = answer.data["inputs"]
    assert (inputs["files"], inputs["read"], inputs["passedOver"]) == (5, 3, [{"form": "archived", "files": 2}])
    assert inputs["complete"]
    assert "apps/Archived and old" in run_in(tmp_path, monkeypatch, "validate", "-f", ".", "-R").text.replace("\n", " ")
    named = run_in(tmp_path, monkeypatch, "plan", "-f", "pools.yaml", "-f", "old", "-R", *EUROPE, "-o", "json")
    assert named.pods() == {"deployment/web": 7}


def test_examples_beside_the_files_of_a_cluster_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-31: also with their mistakes; where only they have workloads or NodePools, they are read."""
    broken = pool("broken").replace("nodeClassRef", "nodeClassReference")
    files = {"examples/gpu/all.yaml": f"{broken}---{deployment('example')}"}
    answer = first(tmp_path, {**cluster(web=3), **files}, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/web": 3}
    assert answer.data["inputs"]["passedOver"] == [{"form": "examples", "files": 1}]
    (tmp_path / "web.yaml").unlink()
    alone = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert "unknown field 'nodeClassReference'" in alone.text
    named = run_in(tmp_path, monkeypatch, "plan", "-f", "examples", "-R", *EUROPE)
    assert "unknown field 'nodeClassReference'" in named.text


def test_a_template_of_which_no_plan_needs_the_values_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-23: such as a class of which only the role is filled in; a note names the file."""
    files = {
        "class.yaml.tpl": _ROLE,
        "pools.yaml": pool(),
        "web.yaml.j2": deployment("web").replace("image: img", "image: {{ image }}"),
    }
    answer = first(tmp_path, files, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/web": 1}
    assert answer.data["inputs"]["complete"]
    assert answer.data["inputs"]["read"] == 3


@pytest.mark.parametrize(
    "text",
    [
        deployment("web").replace("replicas: 1", "replicas: ${replicas}"),
        deployment("web-${env}"),
        "{% if big %}\n" + deployment("web") + "{% endif %}\n",
        "%{ for name in names ~}\n" + deployment("web") + "%{ endfor ~}\n",
    ],
    ids=["needed", "named", "condition", "loop"],
)
def test_any_other_template_is_open(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-23: one that decides what a plan needs, or that is rendered any number of times."""
    assert text != deployment("web")
    answer = first(tmp_path, {**cluster(other=1), "web.yaml.tpl": text}, monkeypatch, "-o", "json")
    assert answer.pods() == {"deployment/other": 1}
    assert [of["what"] for of in answer.data["inputs"]["open"]] == ["web.yaml.tpl"]


def test_a_submodule_that_is_not_checked_out_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-1: with the command that brings it; one whose files are here is read like any folder."""
    modules = '[submodule "base"]\n\tpath = base\n\turl = ../base.git\n[submodule "apps"]\n\tpath = apps\n'
    answer = first(
        tmp_path, {**cluster(web=1), ".gitmodules": modules, "apps/a.yaml": deployment("a")}, monkeypatch, "-o", "json"
    )
    assert answer.pods() == {"deployment/web": 1, "deployment/a": 1}
    (left,) = answer.data["inputs"]["open"]
    assert (left["what"], left["command"]) == ("base", "git submodule update --init base")
