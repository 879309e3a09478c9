"""Applications of Argo CD whose sources are in the checkout of their file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError
from cutlist.core.notes import Notes
from cutlist.documents.collecting import read_documents
from tests.unit.delivery.checkouts import ADDRESS, names, rendered, stand_in, words
from tests.unit.opentofu.plans import kubernetes, plan

SPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n"
POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


def application(source: Any = None, *, name: str = "shop", **spec: Any) -> str:
    """Return an Application as JSON, which is YAML as well."""
    spec = {"source": {"repoURL": ADDRESS, **source}} | spec if source is not None else spec
    destination = {"server": "https://kubernetes.default.svc", "namespace": "shop"}
    whole = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": name, "namespace": "argocd"},
        "spec": {"destination": destination, **spec},
    }
    return json.dumps(whole)


def put(root: Path, **texts: str) -> Path:
    """Write files of a folder, and return it; `_` in a name stands for a deeper folder."""
    for name, text in texts.items():
        path = root / f"{name.replace('_', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_chart_gets_its_values_parameters_and_namespace(root: Path, helm: Path) -> None:
    """Objects without a namespace go where the Application says."""
    source = {
        "path": "charts/web",
        "helm": {
            "valueFiles": ["values-prod.yaml", "/charts/web/values.yaml", "values-none.yaml"],
            "ignoreMissingValueFiles": True,
            "values": "replicas: 4\n",
            "valuesObject": {"replicas": 9},
            "parameters": [
                {"name": "cpu", "value": "2"},
                {"name": "zone", "value": "a,b", "forceString": True},
                {"name": "list", "value": "{a,b}"},
            ],
            "fileParameters": [{"name": "text", "path": "values-prod.yaml"}],
            "skipCrds": True,
            "kubeVersion": "1.33",
            "apiVersions": ["example.com/v1"],
        },
    }
    documents, notes = rendered(put(root, app=application(source)) / "app.yaml")
    given = words(helm)
    inline = given[given.index("charts/web/values.yaml") + 2]
    assert given == [
        *("template", "shop", "./charts/web", "--namespace", "shop"),
        *("--values", "charts/web/values-prod.yaml", "--values", "charts/web/values.yaml", "--values", inline),
        *("--set", "cpu=2", "--set-string", r"zone=a\,b", "--set", "list={a,b}"),
        *("--set-file", "text=charts/web/values-prod.yaml", "--kube-version", "1.33", "--api-versions", "example.com/v1"),
    ]
    assert json.loads((helm / "values").read_text()) == {"replicas": 9}
    assert names(documents) == [
        "CustomResourceDefinition -/things.example.com",
        "PodDisruptionBudget shop/shop-web",
        "Deployment shop/shop-web",
    ]
    assert notes == []


def test_a_release_may_have_another_name(root: Path, helm: Path) -> None:
    """Values may be a text, and lie in another source of the same checkout."""
    chart = {"repoURL": "git@git.example.com:shop/deploy", "path": "charts/web"}
    chart["helm"] = {"releaseName": "prod", "valueFiles": ["$here/charts/web/values-prod.yaml"], "values": "cpu: 1\n"}  # type: ignore[assignment]
    rendered(put(root, app=application(sources=[chart, {"repoURL": ADDRESS, "ref": "here"}])) / "app.yaml")
    assert words(helm)[:6] == ["template", "prod", "./charts/web", "--namespace", "shop", "--values"]
    assert "charts/web/values-prod.yaml" in words(helm)
    assert json.loads((helm / "values").read_text()) == {"cpu": 1}


def test_a_folder_is_read_as_its_directory_says(root: Path) -> None:
    """Patterns are of paths below it; Karpenter's objects have no namespace."""
    put(root, apps_a=SPACE, apps_b=CONFIG, apps_deep_pool=POOL, apps_deep_not=CONFIG.replace("settings", "other"))
    file = root / "app.yaml"
    file.write_text(application({"path": "apps"}))
    assert names(rendered(file)[0]) == ["Namespace -/team", "ConfigMap shop/settings"]
    file.write_text(application({"path": "apps", "directory": {"recurse": True, "exclude": "{deep/not.yaml,b.*}"}}))
    assert names(rendered(file)[0]) == ["Namespace -/team", "NodePool -/general"]
    file.write_text(application({"path": "apps", "directory": {"recurse": True, "include": "*pool*"}}))
    assert names(rendered(file)[0]) == ["NodePool -/general"]


def test_a_kustomization_is_rendered_as_any_other(root: Path) -> None:
    """GO-37: with what the Application changes in it; what only kustomize applies is not done by half."""
    put(root, apps_kustomization="resources: [b.yaml]\nnamePrefix: my-\n", apps_b=CONFIG)
    file = root / "app.yaml"
    file.write_text(application({"path": "apps", "kustomize": {"images": ["web:2"]}}))
    assert names(rendered(file)[0]) == ["ConfigMap shop/my-settings"]
    file.write_text(application({"path": "apps", "kustomize": {"namePrefix": "your-", "namespace": "east"}}))
    assert names(rendered(file)[0]) == ["ConfigMap east/your-settings"]
    file.write_text(application({"path": "apps", "kustomize": {"patches": [{"patch": "[]"}]}}))
    documents, notes = rendered(file)
    assert names(documents) == ["Application argocd/shop"]
    assert notes[0].startswith(
        "delivery-not-rendered: not rendered: Application shop, because only kustomize applies spec.source.kustomize.patches, "
        "and --kustomize runs it"
    )


def test_another_revision_is_noted(root: Path) -> None:
    """What is here is what is read; the branch that is checked out is no other revision."""
    put(root, apps_b=CONFIG, app=application({"path": "apps", "targetRevision": "v1.2"}))
    assert rendered(root / "app.yaml")[1] == [
        "delivery-of-another-revision: rendered from the files that are checked out, although they name another revision: "
        "Application shop (v1.2)"
    ]
    for revision in ("main", "HEAD"):
        put(root, app=application({"path": "apps", "targetRevision": revision}))
        assert rendered(root / "app.yaml")[1] == []


def test_an_application_of_applications_leads_to_all_of_them(root: Path, helm: Path) -> None:
    """Each is rendered once, however it is reached; what one renders is not read by itself."""
    put(
        root,
        apps_root=application({"path": "apps"}, name="root"),
        apps_web=application({"path": "charts/web"}),
        apps_space=SPACE,
        other=CONFIG,
    )
    documents, notes = rendered(root, recursive=True)
    assert names(documents) == [
        "ConfigMap -/settings",
        "Namespace -/team",
        "CustomResourceDefinition -/things.example.com",
        "PodDisruptionBudget shop/shop-web",
        "Deployment shop/shop-web",
    ]
    assert words(helm)[1] == "shop"
    assert notes == []


def test_applications_that_never_end_are_refused(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart that renders an Application of itself under a longer name."""
    folder = stand_in(tmp_path / "bin")
    child = application({"path": "charts/web"}, name="NAME")
    (folder / "helm").write_text(
        f"#!/bin/sh\nprintf '%s' \"$2\" > /dev/null\nprintf -- '---\\n# Source: web/templates/a.yaml\\n'\n"
        f"printf '%s' '{child}' | sed \"s/NAME/$2-x/\"\n"
    )
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    put(root, app=application({"path": "charts/web"}, name="web"))
    with pytest.raises(
        InputError, match="Application web-x-x-x-x-x-x-x-x-x is rendered by 8 others, each through the one before"
    ):
        rendered(root / "app.yaml")


def test_values_that_only_an_apply_knows_render_nothing(root: Path, helm: Path) -> None:
    """An Application in a plan of OpenTofu, with a value that is unknown."""
    data = json.loads(application({"path": "charts/web", "helm": {"valuesObject": {"replicas": None}}}))
    mask = {"spec": {"source": {"helm": {"valuesObject": {"replicas": True}}}}}
    (root / "plan.json").write_text(plan(kubernetes("kubernetes_manifest.app", data, mask)))
    _, notes = rendered(root / "plan.json")
    assert "because spec.source.helm.valuesObject.replicas is known only after an apply" in notes[0]
    assert not (helm / "words").exists()


def test_what_an_application_leaves_out_is_named(root: Path) -> None:
    """As what a kustomization does not name is."""
    put(root, apps_b=CONFIG, apps_c=SPACE, app=application({"path": "apps", "directory": {"exclude": "b.yaml"}}))
    documents, notes = rendered(root / "apps", root / "app.yaml")
    assert names(documents) == ["Namespace -/team"]
    assert notes == ["kustomization: left out, since what takes the folder around them does not name them: apps/b.yaml"]


FETCHED = "is elsewhere; this renders it: cutlist plan -f app.yaml --helm --fetch"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            {"source": {"repoURL": "https://charts.example.com", "chart": "redis", "targetRevision": "1.2.3"}},
            f"its source, chart redis of https://charts.example.com, version 1.2.3, {FETCHED}",
        ),
        (
            {"source": {"repoURL": "https://git.example.com/shop/other", "path": "x"}},
            f"its source, git https://git.example.com/shop/other at its default branch, {FETCHED}",
        ),
        (
            {
                "sources": [
                    {"repoURL": ADDRESS, "path": "charts/web", "helm": {"valueFiles": ["$values/prod.yaml"]}},
                    {"repoURL": "https://git.example.com/shop/values", "ref": "values"},
                ]
            },
            f"its source, git https://git.example.com/shop/values at its default branch, {FETCHED}",
        ),
        (
            {"source": {"repoURL": ADDRESS, "path": "charts", "plugin": {}}},
            "only Argo CD applies spec.source.plugin; this renders it: argocd app manifests shop --source git",
        ),
        (
            {"source": {"repoURL": ADDRESS, "path": "charts/web", "helm": {"valueFiles": ["https://example.com/v.yaml"]}}},
            "spec.source.helm.valueFiles[0] https://example.com/v.yaml is not in this checkout"
            "; this renders it: argocd app manifests shop --source git",
        ),
    ],
)
def test_what_is_elsewhere_is_named_with_the_command(root: Path, spec: dict[str, Any], why: str) -> None:
    """It stays among the objects, as one whose pods are not known."""
    documents, notes = rendered(put(root, app=application(**spec)) / "app.yaml")
    assert names(documents) == ["Application argocd/shop"]
    assert notes == [f"delivery-not-rendered: not rendered: Application shop, because {why}"]


def test_a_set_of_generators_that_ask_elsewhere_is_named(root: Path) -> None:
    """GO-40: only those of lists, clusters and git, and what is made of these, are known here."""
    text = application({"path": "charts/web"}, generators=[{"pullRequest": {}}]).replace('"Application"', '"ApplicationSet"')
    documents, notes = rendered(put(root, app=text) / "app.yaml")
    assert len(documents) == 1
    assert notes == [
        "delivery-not-rendered: not rendered: ApplicationSet shop, because it makes an Application for each open pull "
        "request, and only the forge knows which are open"
    ]


def test_a_set_of_repositories_is_named_with_the_command_that_asks_argo(root: Path) -> None:
    """GO-40: a server of Argo CD can list what a provider has, so there is a command."""
    text = application({"path": "charts/web"}, generators=[{"scmProvider": {}}]).replace('"Application"', '"ApplicationSet"')
    _, notes = rendered(put(root, app=text) / "app.yaml")
    assert notes == [
        "delivery-not-rendered: not rendered: ApplicationSet shop, because it makes Applications for repositories that only "
        "their provider can list; this renders it: argocd appset generate app.yaml"
    ]


def test_a_folder_that_a_set_excludes_is_left_out(root: Path) -> None:
    """GO-42: nobody applies what lies there, although it is a manifest beside others that are applied."""
    for team in ("atlas", "sandbox"):
        put(root / "fleet/teams" / team, settings=CONFIG.replace("settings", team))
    folders = [{"path": "fleet/teams/*"}, {"path": "fleet/teams/sandbox", "exclude": True}]
    made = json.loads(application({"path": "{{path}}"}, name="{{path.basename}}"))
    generator = {"git": {"repoURL": ADDRESS, "directories": folders}}
    template = {"metadata": made["metadata"], "spec": made["spec"]}
    text = json.dumps({**made, "kind": "ApplicationSet", "spec": {"generators": [generator], "template": template}})
    documents, notes = rendered(put(root / "fleet", app=text), recursive=True)
    assert names(documents) == ["ConfigMap shop/atlas"]
    assert notes == [
        "kustomization: left out, since an ApplicationSet excludes their folder and nothing else takes it: "
        "fleet/teams/sandbox/settings.yaml"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"path": "charts/wb"}, "app.yaml:1 spec.source.path: charts/wb is not a folder of the checkout"),
        ({"path": "../other"}, "app.yaml:1 spec.source.path: ../other leaves the checkout"),
        (
            {"path": "charts/web", "helm": {"valueFiles": ["values-x.yaml"]}},
            "app.yaml:1 spec.source.helm.valueFiles[0]: charts/web/values-x.yaml does not exist",
        ),
        (
            {"path": "charts/web", "helm": {"valueFiles": ["../../../passwords.yaml"]}},
            "app.yaml:1 spec.source.helm.valueFiles[0]: charts/web/../../../passwords.yaml leaves the checkout",
        ),
        ({"path": "charts/web", "helm": {"values": "- a"}}, "app.yaml:1 spec.source.helm.values: holds no values"),
    ],
)
def test_mistakes_are_shown_where_they_are(root: Path, helm: Path, source: dict[str, Any], expected: str) -> None:
    """At the member of the Application; helm is not asked."""
    put(root, app=application(source))
    with pytest.raises(InputError) as error:
        rendered(root / "app.yaml")
    assert [str(problem).partition(";")[0] for problem in error.value.problems] == [expected]
    assert not (helm / "words").exists()


def test_without_being_asked_what_could_be_rendered_is_named(root: Path, helm: Path) -> None:
    """Others are not named so, for the option would not help."""
    put(
        root,
        apps_a=application({"path": "charts/web"}),
        apps_b=application({"repoURL": "https://a.b/c", "path": "."}, name="b"),
    )
    notes = Notes()
    documents = read_documents([root / "apps"], notes=notes)
    assert names(documents) == ["Application argocd/shop", "Application argocd/b"]
    assert [note.text for note in notes.all()] == [
        "not rendered, although what they take is in this checkout; --helm renders it: Application shop"
    ]
    assert not (helm / "words").exists()


def test_outside_of_git_nothing_is_this_checkout(tmp_path: Path) -> None:
    """So nobody knows which repository the files are of."""
    (tmp_path / "app.yaml").write_text(application({"path": "charts/web"}))
    documents, notes = rendered(tmp_path / "app.yaml")
    assert len(documents) == 1
    assert "because its file is in no checkout of git" in notes[0]
