"""Folders with a kustomization: read where it only selects and sets, and else left to kustomize with a word on how."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.documents.collecting import collect_documents
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize import rendering
from cutlist.workloads.read import Workloads
from tests.unit.workloads.reading import controller, notes, only

HEAD = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"


def put(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def problem(folder: Path) -> str:
    with pytest.raises(InputError) as error:
        Workloads.read(folder)
    (mistake,) = error.value.problems
    return str(mistake).replace(str(folder), "F")


def test_only_what_a_kustomization_names_counts(tmp_path: Path):
    """As `apply -k` has it; what is left out is said."""
    # K-137
    folder = put(tmp_path, kustomization=HEAD + "resources: [a.yaml]", a=controller(name="a"), b=controller(name="b"))
    workloads = Workloads.read(folder)
    assert only(workloads).name == "a"
    expected = f"left out, since the kustomization next to them does not name them: {folder / 'b.yaml'}"
    assert notes(workloads)["kustomization"] == [expected]


def test_a_kustomization_may_be_named_itself(tmp_path: Path):
    """Its file says the same as its folder."""
    folder = put(tmp_path, kustomization=HEAD + "resources: [a.yaml]", a=controller(name="a"))
    assert only(Workloads.read(folder / "kustomization.yaml")).name == "a"


def test_an_overlay_reads_its_base_and_sets_namespace_and_replicas(tmp_path: Path):
    """The two transformers that a plan depends on and that change nothing else."""
    put(tmp_path / "base", kustomization=HEAD + "resources: [a.yaml]", a=controller(name="a"))
    settings = "resources: [../base]\nnamespace: shop\nreplicas: [{name: a, count: 7}]\nimages: [{name: demo/web, newTag: v2}]"
    group = only(Workloads.read(put(tmp_path / "dev", kustomization=HEAD + settings)))
    assert (group.workload, group.count) == ("shop/deployment/a", 7)


def test_a_folder_of_base_and_overlay_is_read_as_the_overlay(tmp_path: Path):
    """The base alone is nobody's deployment."""
    put(tmp_path / "base", kustomization=HEAD + "resources: [a.yaml]", a=controller(name="a"))
    put(tmp_path / "dev", kustomization=HEAD + "resources: [../base]\nnamespace: dev")
    assert only(Workloads.read(tmp_path, reading=Reading(recursive=True))).workload == "dev/deployment/a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("patches: [{path: p}]", "F/kustomization.yaml:3 patches[0].path: p does not exist"),
        ("resources: [ab.yaml]", "resources[0]: ab.yaml does not exist; did you mean abc.yaml?"),
        ("resources: [sub]", "the folder sub has no kustomization"),
        ("resources: [.]", "the kustomization includes itself"),
    ],
)
def test_what_cannot_be_done_here_is_said_with_the_way_out(tmp_path: Path, text: str, expected: str):
    """Never half a kustomization."""
    put(tmp_path / "sub", abc=controller(name="inner"))
    assert expected in problem(put(tmp_path, kustomization=HEAD + text, abc=controller()))


def test_a_kustomization_on_standard_input_must_be_rendered():
    """There is no folder to look into."""
    with pytest.raises(InputError, match="a kustomization must be rendered first"):
        Workloads.read("-", stdin=HEAD + "resources: [a.yaml]")


def test_what_kustomize_would_not_read_as_a_kustomization_hides_nothing(tmp_path: Path):
    """`kubectl apply -f` of the folder makes what stands beside it."""
    listed = "apiVersion: v1\nkind: List\nitems:\n- " + HEAD.replace("\n", "\n  ") + "resources: []\n"
    for name, text in (
        ("other", HEAD + "resources: []"),
        ("kustomization", f"{controller(name='b')}\n---\n{HEAD}resources: []"),
        ("kustomization", listed),
    ):
        folder = put(tmp_path / str(len(list(tmp_path.iterdir()))), **{name: text, "a": controller(name="a")})
        assert "a kustomization must be rendered first" in problem(folder)
        documents = collect_documents([folder], Problems())
        assert "a" in {document.name for document in documents}


def test_rendered_output_is_read_from_standard_input():
    """`helm template` and `kustomize build` print what this reads."""
    rendered = "\n---\n# Source: web/templates/deployment.yaml\n".join(["", controller(), "# empty", controller(name="b")])
    assert [g.name for g in Workloads.read("-", stdin=rendered).groups] == ["web", "b"]


@pytest.mark.parametrize("member", ["resources", "components"])
def test_a_chain_that_doubles_is_refused_with_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: str):
    """Each of twelve kustomizations names two folders that name the next one: 4,096 at the end."""
    monkeypatch.setattr(rendering, "MOST_BUILT", 100)
    head = HEAD if member == "resources" else HEAD.replace("v1beta1", "v1alpha1").replace("Kustomization", "Component")
    for number in range(12):
        put(tmp_path / f"k{number}", kustomization=(head if number else HEAD) + f"{member}: [a, b]")
        for name in "ab":
            put(tmp_path / f"k{number}" / name, kustomization=head + f"{member}: [../../k{number + 1}]\nnamePrefix: {name}-")
    put(tmp_path / "k12", kustomization=head + "resources: [a.yaml]", a=controller(name="a"))
    found = "more than 100 kustomizations are built on, each as often as it is named; allowed: at most 100"
    assert found in problem(tmp_path / "k0")


def test_objects_count_as_often_as_their_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rendering, "MOST_OBJECTS", 10)
    objects = "---\n".join(controller(name=f"a{number}") for number in range(6))
    put(tmp_path / "base", kustomization=HEAD + "resources: [a.yaml]", a=objects)
    assert len(Workloads.read(tmp_path / "base").groups) == 6
    put(tmp_path / "b", kustomization=HEAD + "resources: [../base]\nnamePrefix: b-")
    put(tmp_path / "c", kustomization=HEAD + "resources: [../b, ../base]")
    assert "base/kustomization.yaml:3 resources[0]: the kustomization has more than 10 objects" in problem(tmp_path / "c")
