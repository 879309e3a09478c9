"""ApplicationSets: generators, templates, and the Applications that come of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.argo.environment import filled
from cutlist.documents.delivery.argo.hooks import synced
from cutlist.documents.delivery.argo.kustomize import ArgoOverlay
from cutlist.documents.delivery.argo.sources import overridden
from cutlist.documents.delivery.gotemplate import TemplateError, UnknownFunction, execute
from cutlist.documents.document import Document
from tests.unit.delivery.checkouts import ADDRESS, names, rendered, stand_in

DATA = {"name": "My App", "n": 3.0, "many": 1e6, "tags": ["x", "y"], "deep": {"k": "v"}, "none": None}
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


def put(root: Path, *generators: Any, name: str = "{{ .name }}", go: bool = True, **spec: Any) -> Path:
    """Write a set whose Applications take a folder of the checkout, and return its file."""
    source = {"repoURL": ADDRESS, "path": spec.pop("path", "apps/one")}
    template = {"metadata": {"name": name}, "spec": {"destination": {"namespace": "shop"}, "source": source}}
    whole = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "ApplicationSet",
        "metadata": {"name": "set", "namespace": "argocd"},
        "spec": {
            "goTemplate": go,
            "goTemplateOptions": ["missingkey=error"],
            "generators": list(generators),
            "template": template,
            **spec,
        },
    }
    for folder in ("one", "two", ".hidden"):
        (root / "apps" / folder).mkdir(parents=True, exist_ok=True)
        (root / "apps" / folder / "c.yaml").write_text(CONFIG.replace("settings", folder))
    (root / "set.yaml").write_text(json.dumps(whole))
    return root / "set.yaml"


def git(**members: Any) -> dict[str, Any]:
    return {"git": {"repoURL": ADDRESS, "revision": "HEAD", **members}}


def test_folders_make_applications(root: Path) -> None:
    """GO-42: but for hidden and excluded ones."""
    folders = git(directories=[{"path": "apps/*"}, {"path": "apps/two", "exclude": True}])
    documents, notes = rendered(put(root, folders, name="{{ .path.basename }}", path="{{ .path.path }}"))
    assert names(documents) == ["ConfigMap shop/one"]
    assert notes == []


def test_files_make_applications(root: Path) -> None:
    """GO-43: one for each entry of a list, with a path that crosses folders."""
    (root / "envs/a/b").mkdir(parents=True)
    (root / "envs/a/b/c.yaml").write_text("- {name: one}\n- {name: two}\n")
    documents, _ = rendered(put(root, git(files=[{"path": "envs/*.yaml"}]), path="apps/{{ .name }}"))
    assert names(documents) == ["ConfigMap shop/one", "ConfigMap shop/two"]


def test_matrices_and_merges_combine(root: Path) -> None:
    """GO-44: the second generator of a matrix sees the first; a merge adds nothing."""
    first = {"list": {"elements": [{"name": "one"}]}}
    second = {"list": {"elementsYaml": "[{dir: 'apps/{{ .name }}'}]"}}
    assert names(rendered(put(root, {"matrix": {"generators": [first, second]}}, path="{{ .dir }}"))[0]) == [
        "ConfigMap shop/one"
    ]
    more = {"list": {"elements": [{"name": "one", "dir": "apps/two"}, {"name": "more", "dir": "apps/one"}]}}
    merge = {"merge": {"mergeKeys": ["name"], "generators": [first, more]}}
    assert names(rendered(put(root, merge, path="{{ .dir }}"))[0]) == ["ConfigMap shop/two"]


def test_clusters_are_those_with_secrets(root: Path) -> None:
    """GO-45: without one, only the cluster that Argo CD runs in is known, which is noted."""
    documents, notes = rendered(put(root, {"clusters": {}}, name="on-{{ .name }}"))
    assert names(documents) == ["ConfigMap shop/one"]
    assert "only those clusters are known whose Secrets are in the input" in notes[0]


def test_a_chart_of_a_set_that_makes_nothing_is_not_planned_by_itself(root: Path) -> None:
    """GO-45: its own values are those of no cluster."""
    generator = {"clusters": {"selector": {"matchLabels": {"env": "prod"}}}}
    put(root, generator, name="on-{{ .name }}", path="charts/web")
    documents, notes = rendered(root)
    assert not any("charts/web" in document.place.source for document in documents)
    assert any("only those clusters are known whose Secrets are in the input" in note for note in notes)


def test_what_only_a_known_cluster_fills_in_makes_nothing(root: Path) -> None:
    """GO-45, GO-46: an address with a place for a value is not one to fetch from."""
    documents, notes = rendered(put(root, {"clusters": {}}, name="on", go=False, path="{{metadata.annotations.path}}"))
    assert names(documents) == ["ApplicationSet argocd/set"]
    assert "the {{metadata.annotations.path}} of an Application comes from one" in notes[0]


def test_a_patch_changes_an_application(root: Path) -> None:
    """GO-47: it is a template too."""
    patch = "spec:\n  source:\n    path: apps/{{ .dir }}\n  project: other\n"
    documents, _ = rendered(put(root, {"list": {"elements": [{"name": "a", "dir": "two"}]}}, templatePatch=patch))
    assert names(documents) == ["ConfigMap shop/two"]


@pytest.mark.parametrize(
    ("generator", "name", "why"),
    [
        ({"list": {"elements": [{"name": "a"}, {"x": "b"}]}}, "{{ .name }}", 'map has no entry for key "name"'),
        ({"list": {"elements": [{"name": "a"}]}}, "{{ .name | nope }}", 'function "nope" not defined'),
        ({"list": {"elements": [{"name": "a"}]}}, "{{ now }}", "only Go's own code knows the function now"),
        ({"matrix": {"generators": [{"list": {}}]}}, "a", "a matrix has 1 generators, and not two"),
        (
            {"git": {"repoURL": "https://git.example.com/x", "files": [{"path": "*"}]}},
            "a",
            "its source, git https://git.example.com/x at its default branch, is elsewhere; this renders it: cutlist plan -f ",
        ),
        (git(), "a", "names neither directories nor files"),
        ({"merge": {"generators": [{"list": {}}, {"list": {}}]}}, "a", "a merge has no mergeKeys"),
    ],
)
def test_a_mistake_leaves_nothing_of_a_set(root: Path, generator: Any, name: str, why: str) -> None:
    """GO-40, GO-46: the note says which."""
    documents, notes = rendered(put(root, generator, name=name))
    assert names(documents) == ["ApplicationSet argocd/set"]
    assert why in notes[0]


def test_two_of_one_name_are_not_made(root: Path) -> None:
    """GO-40: others of the set are."""
    documents, notes = rendered(put(root, {"list": {"elements": [{"name": "a"}, {"name": "a"}, {"name": "b"}]}}))
    assert names(documents) == ["ConfigMap shop/one"]
    assert "several of its Applications are called a" in notes[0]


def test_plain_templates_need_texts(root: Path) -> None:
    """GO-41, GO-46: a name without a value stays as it is."""
    put(root, {"list": {"elements": [{"name": "a", "n": 2}]}}, name="{{name}}", go=False)
    assert "n of an element is not a text" in rendered(root / "set.yaml")[1][0]
    put(root, {"list": {"elements": [{"name": "a"}]}}, name="{{name}}-{{other}}", go=False)
    assert names(rendered(root / "set.yaml")[0]) == ["ConfigMap shop/one"]


def test_unquoted_words_are_booleans(root: Path) -> None:
    """GO-31: so a key may be another one than it looks."""
    file = put(root, {"list": {"elements": [{"name": "a"}]}})
    file.write_text(file.read_text().replace('"name": "a"', '"name": "a", n: 1').replace("{{ .name }}", "{{ .false }}"))
    assert names(rendered(file)[0]) == ["ConfigMap shop/one"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ .n }} {{ .many }} {{ .tags }} {{ .deep }}", "3 1e+06 [x y] map[k:v]"),
        ('{{ .name | lower | replace " " "-" | trunc 4 | quote }}', '"my-a"'),
        ("a\n{{- range $i, $t := .tags }}\n{{ $i }}{{ $t }}\n{{- end }}", "a\n0x\n1y"),
        ('{{ if and .deep (eq .deep.k "v") }}y{{ else if .n }}m{{ else }}n{{ end }}', "y"),
        ("{{ with .none }}a{{ else }}b{{ end }}{{/* words */}}", "b"),
        ('{{ $a := "1" }}{{ range .tags }}{{ $a = . }}{{ end }}{{ $a }}', "y"),
        ("{{ index .tags 1 }}{{ (index .tags 0) }}{{ len .tags }}", "yx2"),
        ('{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .n }}', "<3>"),
        ('{{ define "t" }}<{{ $ }}>{{ end }}{{ template "t" .n }}{{ $.n }}', "<3>3"),
        ("{{ $x := 9 }}{{ range $x := .tags }}{{ if $x }}{{ continue }}{{ end }}{{ end }}{{ $x }}", "9"),
        ('{{ printf "%s-%03d|%q" .name 7 "a" }}', 'My App-007|"a"'),
        ("{{ add 1 .n }}{{ div 7 2 }}{{ mod 7 4 }}{{ max 1 5 2 }}", "4335"),
        ('{{ dict "a" (list 1 2) | toJson }}{{ toYaml .deep }}', '{"a":[1,2]}k: v'),
        ('{{ .missing | default "d" }}{{ .missing }}', "d<no value>"),
        ('{{ ternary "a" "b" true }}{{ coalesce "" "c" }}{{ join "," .tags }}{{ has "x" .tags }}', "acx,ytrue"),
        ('{{ regexReplaceAll "(p)p" .name "${1}q" }}{{ normalize .name }}', "My Apqmy-app"),
        ("{{- range until 3 }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ . }}{{ end -}}  ", "02"),
        ("{{ `raw` }}{{ 'a' }}{{ 1.50 }}{{ nil | default 2 }}", "raw971.52"),
    ],
)
def test_templates_are_those_of_go(template: str, expected: str) -> None:
    """GO-41, GO-46: with the functions of Sprig."""
    assert execute(template, DATA) == expected


@pytest.mark.parametrize(
    "template",
    [
        "{{ .name.x }}",
        "{{ .none.x }}",
        "{{ if }}",
        "{{ range .name }}{{ end }}",
        "{{ .x",
        "{{ end }}",
        "{{ eq .n 3 }}",
        '{{ fail "a" }}',
    ],
)
def test_templates_that_go_refuses(template: str) -> None:
    """GO-40: in reading or on the values."""
    with pytest.raises(TemplateError):
        execute(template, DATA)


def test_functions_of_time_and_chance_are_left_to_go() -> None:
    """Equal inputs give equal answers."""
    with pytest.raises(UnknownFunction):
        execute("{{ uuidv4 }}", DATA)


@pytest.mark.parametrize(
    ("annotations", "is_applied"),
    [
        ({}, True),
        ({"argocd.argoproj.io/hook": "PreSync"}, True),
        ({"argocd.argoproj.io/hook": "Skip"}, False),
        ({"argocd.argoproj.io/hook": "Skip, Sync"}, True),
        ({"argocd.argoproj.io/hook": "SyncFail"}, False),
        ({"argocd.argoproj.io/hook": "PostDelete"}, False),
        ({"helm.sh/hook": "pre-install,test"}, True),
        ({"helm.sh/hook": "test"}, False),
        ({"helm.sh/hook": "crd-install"}, True),
    ],
)
def test_a_sync_applies_hooks_by_their_phases(annotations: dict[str, str], is_applied: bool) -> None:
    """GO-39: those before, in and after it."""
    document = Document(Place("a.yaml"), {"kind": "Job", "metadata": {"annotations": annotations}}, {})
    assert bool(synced([document], Problems())) is is_applied


def test_files_beside_a_source_change_it(tmp_path: Path) -> None:
    """GO-34: the one for the Application last; where the source is from stays."""
    (tmp_path / ".argocd-source.yaml").write_text("path: x\nhelm: {releaseName: a, parameters: [{name: size, value: '1'}]}\n")
    (tmp_path / ".argocd-source-web.yaml").write_text("helm: {releaseName: null, parameters: [{value: '2'}]}\n")
    changed = overridden({"path": "charts", "helm": {"skipCrds": True}}, str(tmp_path), "web", Problems())
    assert changed == {
        "path": "charts",
        "helm": {"skipCrds": True, "releaseName": "a", "parameters": [{"name": "size", "value": "2"}]},
    }


def test_settings_of_kustomize_change_the_kustomization() -> None:
    """GO-36, GO-37: as its command does, with variables filled in."""
    settings = {
        "namePrefix": "a-",
        "replicas": [{"name": "web", "count": "3"}],
        "images": ["x=y:${V}"],
        "commonLabels": {"l": "$V"},
        "components": ["c", "d"],
    }
    data = {"components": ["c"], "replicas": [{"name": "web", "count": 1}, {"name": "db", "count": 2}]}
    assert ArgoOverlay(settings, {"V": "9"}).over(data, "") == {
        "namePrefix": "a-",
        "replicas": [{"name": "web", "count": 3}, {"name": "db", "count": 2}],
        "images": [{"name": "x", "newName": "y", "newTag": "9"}],
        "commonLabels": {"l": "9"},
        "components": ["c", "d"],
    }
    with pytest.raises(ValueError, match="l is among the commonLabels"):
        ArgoOverlay({"commonLabels": {"l": "a"}}, {}).over({"commonLabels": {"l": "b"}}, "")


def test_unknown_variables_are_empty() -> None:
    """GO-36: as in a shell."""
    assert filled("$A-${B}-$$-$C.", {"A": "1", "B": "2"}) == "1-2-$-."


@pytest.mark.parametrize(("kind", "wanted"), [("argo", "helm3"), ("flux", "helm4")])
def test_each_controller_has_its_helm(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, kind: str, wanted: str
) -> None:
    """GO-29: Helm 3 for Argo CD, Helm 4 for Flux, where both are installed."""
    folder = stand_in(tmp_path / "programs")
    for name in ("helm3", "helm4"):
        (folder / name).unlink()
        (folder / name).write_text(f"#!/bin/sh\necho {name} > {folder}/ran\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    source = {"repoURL": ADDRESS, "path": "charts/web"}
    chart = {"chart": "charts/web", "sourceRef": {"kind": "GitRepository", "name": "flux-system"}}
    objects = {
        "argo": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": {"source": source}},
        "flux": {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "spec": {"chart": {"spec": chart}}},
    }
    (root / "own.yaml").write_text(json.dumps({**objects[kind], "metadata": {"name": "web"}}))
    rendered(root / "own.yaml")
    assert (folder / "ran").read_text().strip() == wanted


@pytest.mark.parametrize(
    "text",
    ["{{ range 1000000000 }}x{{ end }}", "{{ until 1000000000 }}", "{{ untilStep 0 1000000000 1 }}", "{{ seq 1000000000 }}"],
)
def test_no_template_is_repeated_a_billion_times(text):
    with pytest.raises(TemplateError, match="allowed: up to 100,000"):
        execute(text, {})
