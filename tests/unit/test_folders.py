"""Folders read as kubectl and kustomize read them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents, collect_texts
from cutlist.documents.document import Document
from cutlist.documents.folders import PLAIN, Reading
from cutlist.documents.parsing import parse_documents
from tests.unit.kustomizations import KUSTOMIZATIONS, LEFT_TO_KUSTOMIZE
from tests.unit.layouts import COMPONENT, LAYOUTS, Layout, deployment

ROOT = Path(__file__).resolve().parents[2]
KUSTOMIZE = ROOT / ".engine/bin/kustomize"
INSTALLED = next((c for c in (["kustomize", "build"], ["kubectl", "kustomize"]) if shutil.which(c[0])), None)
ALL_LAYOUTS = {**LAYOUTS, **KUSTOMIZATIONS}
KUSTOMIZED = {name: layout for name, layout in ALL_LAYOUTS.items() if layout.is_kustomized}
RECORDED = Path(__file__).with_name("kustomized.json")
OBJECT = "a mapping with apiVersion and kind"
UNREAD = (
    *("image", "configMap", "configMapRef", "secret", "volumeClaimTemplates", "serviceAccountName", "serviceName"),
    *("roleRef", "subjects", "defaultBackend", "podSelector", "ingress"),
    *("config.kubernetes.io/origin", "app.kubernetes.io/managed-by"),
)


def read(*paths: Path, reading: Reading = PLAIN) -> tuple[tuple[Document, ...], list[str], Notes]:
    """The objects, the problems and the notes of some paths."""
    problems, notes = Problems(), Notes()
    documents = collect_documents(paths, problems, None, reading, notes)
    return documents, [str(problem) for problem in problems.found], notes


def named(data: dict[str, Any]) -> str:
    """An object as the layouts name it."""
    metadata = data["metadata"]
    return "/".join(filter(None, (data["kind"], metadata.get("namespace"), metadata["name"])))


def put(folder: Path, files: dict[str, str], path: str = ".") -> Path:
    return Layout(files, (), path).write(folder)


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("layout", ALL_LAYOUTS.values(), ids=ALL_LAYOUTS)
def test_a_layout_is_read_as_kubectl_and_kustomize_read_it(layout: Layout, tmp_path: Path):
    """Every object once, nothing else, and a note on each thing that is passed over."""
    documents, problems, notes = read(layout.write(tmp_path), reading=Reading(layout.recursive))
    assert problems == []
    assert sorted(named(d.data) for d in documents) == sorted(layout.objects)
    assert tuple(dict.fromkeys(note.code for note in notes.all())) == layout.codes


@pytest.mark.parametrize("name", KUSTOMIZED)
def test_a_kustomization_is_what_kustomize_makes_of_it(name: str, tmp_path: Path):
    """Down to labels, selectors, references and replicas; images, generated objects and what no plan reads aside."""
    documents, _, _ = read(KUSTOMIZED[name].write(tmp_path))
    assert {named(d.data): without_unread(d.data) for d in documents} == recorded()[name]


@pytest.mark.parametrize("name", LEFT_TO_KUSTOMIZE)
def test_a_kustomization_that_rewrites_is_open_with_the_way_on(name: str, tmp_path: Path):
    """Half of it would be another plan, and without it the rest is one."""
    documents, problems, notes = read(LEFT_TO_KUSTOMIZE[name].write(tmp_path))
    (opened,) = notes.ledger.open
    assert (documents, len(problems), opened.form) == ((), 1, "kustomization")
    assert "contains no object that is read; not read: " in problems[0]
    assert "that is not built, because only kustomize applies its " in opened.why
    assert opened.command.endswith(" --kustomize")


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@pytest.mark.skipif(not KUSTOMIZE.exists(), reason="`make kustomize` builds it")
@pytest.mark.parametrize("name", {**KUSTOMIZED, **LEFT_TO_KUSTOMIZE})
def test_what_is_recorded_of_kustomize_is_what_it_makes(name: str, tmp_path: Path):
    assert built({**KUSTOMIZED, **LEFT_TO_KUSTOMIZE}[name], tmp_path) == recorded()[name]


@pytest.mark.slow
@pytest.mark.skipif(not KUSTOMIZE.exists(), reason="`make kustomize` builds it")
def test_what_is_left_to_kustomize_is_read_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", f"{KUSTOMIZE.parent}:{os.environ['PATH']}")
    for number, (name, layout) in enumerate(LEFT_TO_KUSTOMIZE.items()):
        documents, problems, _ = read(layout.write(tmp_path / str(number)), reading=Reading(kustomize=True))
        assert ({named(d.data): without_unread(d.data) for d in documents}, problems) == (recorded()[name], []), name


@cache
def recorded() -> Mapping[str, Any]:
    """What kustomize made of each layout; `python -m tests.unit.test_folders` records it again."""
    return json.loads(RECORDED.read_text())


def built(layout: Layout, folder: Path) -> Mapping[str, Any]:
    """What kustomize makes of a layout, without what it generates and what no plan reads."""
    command = [str(KUSTOMIZE), "build", str(layout.write(folder))]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    objects = {named(d.data): without_unread(d.data) for d in parse_documents(text, "built.yaml", Problems())}
    return {name: data for name, data in objects.items() if not name.startswith(("ConfigMap/", "Secret/"))}


def without_unread(value: Any) -> Any:
    """A value without what a plan does not depend on."""
    if isinstance(value, dict):
        members = {k: without_unread(v) for k, v in value.items() if k not in UNREAD}
        return {k: v for k, v in members.items() if v or v == 0}
    return [without_unread(item) for item in value] if isinstance(value, list) else value


def test_a_foreign_file_that_is_named_itself_is_a_mistake(tmp_path: Path):
    """Somebody took it for a manifest."""
    path = put(tmp_path, {"values.yaml": "image: {tag: v1}\n"}, "values.yaml")
    assert read(path)[1] == [f"{path}:1: is not a Kubernetes object: it has no apiVersion and no kind"]


def test_a_folder_of_foreign_files_alone_is_a_mistake(tmp_path: Path):
    """Nothing that was read is not what was meant."""
    path = put(tmp_path, {"values.yaml": "image: {tag: v1}\n"})
    (problem,) = read(path)[1]
    assert problem == f"{path}: the folder holds no manifests, only {path}/values.yaml; allowed: {OBJECT}"


def test_a_folder_whose_subfolders_have_the_manifests_says_so(tmp_path: Path):
    """With the option that reads them."""
    path = put(tmp_path, {"sub/a.yaml": deployment("a")})
    assert read(path)[1] == [f"{path}: the folder holds no manifests; allowed: recursive=True reads {path}/sub"]


def test_a_chart_is_to_be_rendered(tmp_path: Path):
    """Its templates are not manifests."""
    path = put(
        tmp_path, {"Chart.yaml": "apiVersion: v2\nname: c\n", "values.yaml": "a: 1\n", "templates/a.yaml": deployment("a")}
    )
    assert read(path)[1] == [
        f"{path}: holds a Helm chart and no manifests; allowed: helm=True, which runs the helm that is installed, "
        f"or helm template {path} | cutlist plan -f -"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "kind: [",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a\n",
        "kind: Pod\nspec: {containers: []}\n",
        "a: 1\na: 2\n---\n" + deployment("b"),
    ],
)
def test_a_manifest_with_a_mistake_is_not_taken_for_a_foreign_file(text: str, tmp_path: Path):
    """A plan without it would be green and wrong."""
    assert read(put(tmp_path, {"web.yaml": deployment("web"), "bad.yaml": text}))[1]


def test_one_file_may_be_reached_in_two_ways(tmp_path: Path):
    """By itself, by its folder, and twice by kustomizations: it counts once."""
    files = {
        "a/web.yaml": deployment("web"),
        "a/kustomization.yaml": "resources: [web.yaml, ./../a/web.yaml]\n",
        "b/kustomization.yaml": "resources: [../a, ./../a]\n",
    }
    put(tmp_path, files)
    for paths in (["a/web.yaml", "."], ["a"], ["b"], ["a/web.yaml", "a"], ["a", "b"], ["."]):
        documents, problems, _ = read(*(tmp_path / path for path in paths), reading=Reading(recursive=True))
        assert (len(documents), problems) == (1, []), paths


def test_two_overlays_of_one_object_are_two_environments(tmp_path: Path):
    """The note names both, and each has a command of its own."""
    files = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": deployment("web"),
        "dev/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 1}]\n",
        "prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 9}]\n",
    }
    folder = put(tmp_path, files)
    _, problems, notes = read(folder, reading=Reading(recursive=True))
    (note,) = notes.all()
    assert (note.code, problems) == ("environments", [])
    assert note.text == f"an environment by itself, to be planned alone: {tmp_path}/dev and {tmp_path}/prod"
    commands = [environment.command for environment in notes.ledger.environments]
    assert commands == [f"cutlist plan -f {tmp_path}/dev", f"cutlist plan -f {tmp_path}/prod"]
    assert {environment.holds for environment in notes.ledger.environments} == {"1 Deployment"}


def test_of_two_overlays_that_were_named_the_last_one_counts(tmp_path: Path):
    """As when both are applied to one cluster; that it is so is said."""
    files = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": deployment("web"),
        "dev/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 1}]\n",
        "prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 9}]\n",
    }
    folder = put(tmp_path, files)
    problems, notes = Problems(), Notes()
    documents = collect_documents([f"{folder}/dev", f"{folder}/prod"], problems, notes=notes)
    assert [d.data["spec"]["replicas"] for d in documents] == [9]
    (note,) = notes.all()
    assert (note.code, problems.found) == ("kustomized-twice", [])
    assert (
        note.text
        == f"made by {tmp_path}/dev and {tmp_path}/prod, and the last one counts; pass one kustomization: Deployment web"
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"kustomization.yaml": ""}, "the kustomization is empty"),
        ({"kustomization.yaml": "resource: [a.yaml]"}, "is not a member of a kustomization; did you mean resources?"),
        ({"kustomization.yaml": "replicas: [{name: nobody, count: 2}]"}, "no object with replicas is called nobody"),
        ({"kustomization.yaml": "resources: [a.yaml]\nreplicas: [{name: a}]", "a.yaml": deployment("a")}, "names no count"),
        ({"kustomization.yaml": "resources: a.yaml"}, "resources is 'a.yaml'; allowed: a list"),
        ({"kustomization.yaml": "namespace: [a]"}, "namespace is ['a']; allowed: text"),
        ({"kustomization.yaml": "labels: [a]"}, "is not an entry of labels; allowed: pairs, includeSelectors"),
        ({"kustomization.yaml": "patches: [{path: cpu.yml}]", "cpu.yaml": "a: 1"}, "does not exist; did you mean cpu.yaml?"),
        (
            {"kustomization.yaml": "resources: [c]", "c/kustomization.yaml": COMPONENT},
            "c is a component; allowed: to be named under",
        ),
        ({"kustomization.yaml": "components: [c]", "c/kustomization.yaml": "resources: []"}, "c is not a component"),
        (
            {"kustomization.yaml": "resources: []", "kustomization.yml": "resources: []"},
            "is the second kustomization of its folder",
        ),
        ({"kustomization.yaml": "resources: [values.yaml]", "values.yaml": "a: 1"}, "is not a Kubernetes object"),
        (
            {
                "kustomization.yaml": "resources: [a]",
                "a/kustomization.yaml": "resources: [../b]",
                "b/kustomization.yaml": "resources: [../a]",
            },
            "the kustomization includes itself",
        ),
    ],
)
def test_what_kustomize_refuses_is_a_mistake(files: dict[str, str], said: str, tmp_path: Path):
    """With the way out."""
    put(tmp_path, files)
    problems = read(tmp_path)[1]
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("files", "why", "options"),
    [
        ({"kustomization.yaml": "labels: [{pairs: {a: b}, fields: [{path: x}]}]"}, "applies its labels", "--kustomize"),
        (
            {"kustomization.yaml": "nameSuffix: a\nconfigurations: [c.yaml]", "c.yaml": "nameReference: []"},
            "only kustomize applies its configurations",
            "--kustomize",
        ),
        ({"kustomization.yaml": "resources: [git@example.com:a/b]"}, "git@example.com:a/b is elsewhere", "--fetch"),
        (
            {"kustomization.yaml": "resources: [github.com/a/b?ref=v1, 'https://c.d/e']"},
            "github.com/a/b?ref=v1 and https://c.d/e are elsewhere",
            "--fetch",
        ),
        ({"kustomization.yaml": "helmCharts: [{name: a}]"}, "applies its helmCharts", "--kustomize --helm --fetch"),
        (
            {
                "kustomization.yaml": "resources: [b]\ntransformers: [t.yaml]",
                "b/kustomization.yaml": "replacements: [{path: r.yaml}]",
                "b/r.yaml": "",
                "t.yaml": "",
            },
            "only kustomize applies its transformers and replacements of F/b/kustomization.yaml",
            "--kustomize",
        ),
    ],
)
def test_what_only_kustomize_can_do_is_open(files: dict[str, str], why: str, options: str, tmp_path: Path):
    """Beside objects that are read, which an answer is about; the files that it would be made from are open too."""
    pod = {"apps/web.yaml": deployment("web")}
    put(tmp_path, {**{f"F/{name}": text for name, text in files.items()}, **pod})
    documents, problems, notes = read(tmp_path, reading=Reading(recursive=True))
    account = notes.ledger.closed()
    assert ([d.name for d in documents], problems, account.read) == (["web"], [], 1)
    (opened,) = account.open
    assert opened.why.replace(str(tmp_path) + "/", "").endswith(why)
    assert opened.command == f"cutlist plan -f {tmp_path} {options}"
    assert sum(form.files for form in account.open_files) == len(files)


def test_a_file_that_another_kustomization_takes_too_is_read(tmp_path: Path):
    """Only what nothing else brings is open."""
    files = {
        "a/kustomization.yaml": "resources: [../base]",
        "deep/b/kustomization.yaml": "resources: [../../base]\ntransformers: [t.yaml]",
        "deep/b/t.yaml": "",
        "base/kustomization.yaml": "resources: [web.yaml]",
        "base/web.yaml": deployment("web"),
    }
    documents, problems, notes = read(put(tmp_path, files), reading=Reading(recursive=True))
    account = notes.ledger.closed()
    assert ([d.name for d in documents], problems) == (["web"], [])
    assert account.sentence == "5 files: 3 read, 1 kustomization not built, 1 of kustomizations not built"


@pytest.fixture
def patched(tmp_path: Path) -> Path:
    """A kustomization with a patch."""
    patch = "- op: replace\n  path: /spec/template/spec/containers/0/resources/requests/cpu\n  value: '3'\n"
    files = {
        "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: cpu.yaml, target: {kind: Deployment}}]\n",
        "web.yaml": deployment("web"),
        "cpu.yaml": patch,
    }
    return put(tmp_path, files)


@pytest.mark.skipif(INSTALLED is None, reason="neither kustomize nor kubectl is installed")
def test_an_installed_kustomize_renders_what_is_left_to_it(patched: Path):
    """When it is asked for."""
    (document,), problems, _ = read(patched, reading=Reading(kustomize=True))
    assert problems == []
    assert document.data["spec"]["template"]["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "3"}}
    assert str(document.at("spec")) == f"{' '.join(INSTALLED)} {patched}:5 spec"


def program(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program on the PATH, alone."""
    folder.mkdir()
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.parametrize(("name", "arguments"), [("kustomize", "build"), ("kubectl", "kustomize")])
def test_either_program_will_do(name: str, arguments: str, patched: Path, tmp_path_factory, monkeypatch):
    """kubectl has kustomize in it."""
    script = f'[ "$1 $2" = "{arguments} {patched}" ] && echo "{{apiVersion: v1, kind: Secret, metadata: {{name: a}}}}"'
    program(tmp_path_factory.mktemp("path") / "bin", name, script, monkeypatch)
    documents, problems, _ = read(patched, reading=Reading(kustomize=True))
    assert ([d.name for d in documents], problems) == (["a"], [])


def test_what_kustomize_says_is_passed_on(patched: Path, tmp_path_factory, monkeypatch):
    """With the file that it is about."""
    program(tmp_path_factory.mktemp("path") / "bin", "kustomize", "echo 'Error: no such patch' >&2; exit 1", monkeypatch)
    assert read(patched, reading=Reading(kustomize=True))[1] == [
        f"{patched}/kustomization.yaml: kustomize refuses it: no such patch"
    ]


def test_what_kustomize_would_render_alike_needs_none(patched: Path, monkeypatch):
    """A plain patch comes out the same without the program."""
    monkeypatch.setenv("PATH", "")
    (document,), problems, _ = read(patched, reading=Reading(kustomize=True))
    assert problems == []
    assert document.data["spec"]["template"]["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "3"}}


def test_a_kustomize_that_is_missing_is_named(patched: Path, monkeypatch):
    """Nothing is rendered by guess."""
    monkeypatch.setenv("PATH", "")
    (patched / "kustomization.yaml").write_text("resources: [web.yaml]\nreplacements: [{path: cpu.yaml}]\n")
    documents, problems, notes = read(patched, reading=Reading(kustomize=True))
    (opened,) = notes.ledger.open
    assert documents == ()
    assert opened.why in problems[0]
    assert opened.why.endswith("only kustomize applies its replacements, and neither kustomize nor kubectl is installed")
    assert opened.command == f"kustomize build {patched} | cutlist plan -f -"


def test_nothing_is_fetched_unless_that_is_allowed(tmp_path: Path, monkeypatch):
    """Not even by kustomize, which would: an address below is found before anything runs."""
    files = {
        "base/kustomization.yaml": "resources: ['https://example.com/x']",
        "dev/kustomization.yaml": "resources: [../base]",
    }
    path = put(tmp_path, files, "dev")
    program(tmp_path / "bin", "kustomize", "echo '{apiVersion: v1, kind: Secret, metadata: {name: fetched}}'", monkeypatch)
    documents, problems, notes = read(path, reading=Reading(kustomize=True))
    (opened,) = notes.ledger.open
    assert documents == ()
    assert opened.why in problems[0]
    assert opened.sentence.endswith(f"because https://example.com/x is elsewhere: cutlist plan -f {path} --fetch")
    assert [d.name for d in read(path, reading=Reading(kustomize=True, remote=True))[0]] == ["fetched"]


def test_only_what_names_remote_bases_is_left_to_kustomize(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is elsewhere may be fetched, and nothing else asks for the program."""
    program(tmp_path / "bin", "kustomize", "echo '{apiVersion: v1, kind: Secret, metadata: {name: fetched}}'", monkeypatch)
    far = put(tmp_path, {"far/kustomization.yaml": "resources: ['https://example.com/x']"}, "far")
    near = put(
        tmp_path,
        {
            "near/kustomization.yaml": "resources: [a.yaml]",
            "near/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: near}}",
        },
        "near",
    )
    assert [d.name for d in read(far, reading=Reading(remote=True))[0]] == ["fetched"]
    assert [d.name for d in read(near, reading=Reading(remote=True))[0]] == ["near"]


def test_texts_are_those_of_the_same_files(tmp_path: Path):
    """What is converted or repaired in place: foreign files are left alone, kustomizations and their files are not."""
    files = {
        "web.yaml": deployment("web"),
        "values.yaml": "a: 1\n",
        "sub/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n",
        "sub/a.yaml": deployment("a"),
    }
    path = put(tmp_path, files)
    for recursive, names in ((False, ["web.yaml"]), (True, ["a.yaml", "kustomization.yaml", "web.yaml"])):
        texts = list(collect_texts([path], Problems(), None, Reading(recursive)))
        assert [Path(text.source).name for text in texts] == names


def record() -> None:
    """Write what the built kustomize makes of every layout."""
    objects = {}
    for name, layout in {**KUSTOMIZED, **LEFT_TO_KUSTOMIZE}.items():
        with TemporaryDirectory() as folder:
            objects[name] = built(layout, Path(folder))
    lines = (f"{json.dumps(name)}: {json.dumps(made, sort_keys=True)}" for name, made in objects.items())
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()


@pytest.mark.parametrize("name", ["../secret.yaml", "{root}/secret.yaml", "link.yaml", "linked/secret.yaml", "/etc/passwd"])
@pytest.mark.parametrize("member", ["resources", "bases", "configurations"])
def test_a_kustomization_shows_nothing_from_outside_its_folder(name: str, member: str, tmp_path: Path):
    """Neither what such a file holds nor the text around a mistake in it, as kustomize itself reads no file there."""
    put(tmp_path, {"secret.yaml": "CANARY: [", "out/secret.yaml": "CANARY: [", "a/web.yaml": deployment("web")})
    (tmp_path / "a/link.yaml").symlink_to("../secret.yaml")
    (tmp_path / "a/linked").symlink_to("../out")
    (tmp_path / "a/kustomization.yaml").write_text(
        f"resources: [web.yaml]\n{member}: [{name.format(root=tmp_path)}]\n".replace(
            "resources: [web.yaml]\nresources: [", "resources: [web.yaml, "
        )
    )
    documents, problems, _ = read(tmp_path / "a")
    assert any("lies outside the folder of the kustomization" in str(problem) for problem in problems)
    assert not any("CANARY" in str(problem) or "YAML" in str(problem) for problem in problems)
    assert [document.name for document in documents] in ([], ["web"])


def test_a_file_outside_names_who_reads_it(tmp_path: Path) -> None:
    """GO-8: whether an option says so is not in the files."""
    put(tmp_path, {"all.yaml": deployment("web"), "a/kustomization.yaml": "resources: [../all.yaml]\n"})
    (problem,) = read(tmp_path / "a")[1]
    assert "what Flux builds" in str(problem)
    assert f"kustomize build --load-restrictor LoadRestrictionsNone {tmp_path / 'a'} | cutlist plan -f -" in str(problem)


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12\n"


def test_a_pointer_of_git_lfs_in_a_folder_is_open(tmp_path: Path):
    """What it stands for may hold objects, and the command that fetches it is named."""
    folder = put(tmp_path, {"a.yaml": deployment("a"), "big.yaml": POINTER})
    documents, problems, notes = read(folder)
    assert ([d.name for d in documents], problems) == (["a"], [])
    (opened,) = notes.ledger.open
    assert opened.sentence.startswith(f"{folder}/big.yaml is a pointer of Git LFS, and its content is elsewhere")
    assert opened.command == f"git lfs pull --include {folder}/big.yaml"


def test_a_pointer_of_git_lfs_that_is_named_is_a_mistake(tmp_path: Path):
    folder = put(tmp_path, {"kustomization.yaml": "resources: [big.yaml]", "big.yaml": POINTER})
    for path in (folder, folder / "big.yaml"):
        (problem,) = read(path)[1]
        assert "big.yaml: is a pointer of Git LFS" in problem


def test_what_ytt_renders_is_a_template(tmp_path: Path):
    """F-3: its values are comments to a reader of YAML, so that its object would have one pod."""
    text = deployment("api").replace("spec:\n", "spec:\n  replicas: #@ data.values.replicas\n", 1)
    path = put(tmp_path, {"a.yaml": deployment("a"), "api.yaml": text})
    notes = Notes()
    documents = collect_documents([path], Problems(), notes=notes)
    assert [document.name for document in documents] == ["a"]
    (left,) = notes.ledger.open
    assert (left.why, left.command) == ("a template that only ytt renders", f"ytt -f {path} | cutlist plan -f -")
