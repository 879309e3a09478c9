"""Releases and Kustomizations of Flux whose GitRepository is the checkout of their file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading
from cutlist.verbs.validate.answer import validate
from tests.unit.delivery.checkouts import ADDRESS, CHART, checkout, names, rendered, words

REPOSITORY = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: own, namespace: flux-system}\n"
    "spec: {url: 'ssh://git@git.example.com/shop/deploy', ref: {branch: main}}\n"
)
SOURCE = {"kind": "GitRepository", "name": "own", "namespace": "flux-system"}
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n"
WEB = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    "spec: {replicas: '${count}', template: {spec: {nodeSelector: {zone: '${region:=us}-${letter}'}}}}\n"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = checkout(tmp_path / "deploy", {**CHART, "flux/own.yaml": REPOSITORY})
    monkeypatch.chdir(root)
    return Path()


def release(chart: Any = None, **spec: Any) -> str:
    """Return a HelmRelease as JSON; `chart` are members of its chart's spec."""
    whole = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"chart": {"spec": {"chart": "./charts/web", "sourceRef": SOURCE, **(chart or {})}}, **spec},
    }
    return json.dumps(whole)


def kustomization(name: str = "apps", **spec: Any) -> str:
    """Return a Kustomization of Flux as JSON."""
    whole = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": "flux-system"},
        "spec": {"interval": "10m", "prune": True, "sourceRef": {"kind": "GitRepository", "name": "own"}, **spec},
    }
    return json.dumps(whole)


def flux(root: Path, *texts: str) -> Path:
    """Write objects beside the GitRepository, and return their folder."""
    for number, text in enumerate(texts):
        (root / f"flux/{number}.yaml").write_text(text)
    return root / "flux"


def only_note(*paths: Path) -> str:
    (note,) = rendered(*paths)[1]
    return note


def test_a_release_gets_its_name_namespace_and_values(root: Path, helm: Path) -> None:
    """Values of ConfigMaps and Secrets come first, in their order, and its own last."""
    secret = base64.b64encode(b"cpu: 250m\nzone: b\n").decode()
    own = release(
        targetNamespace="team",
        install={"crds": "Skip"},
        valuesFrom=[
            {"kind": "ConfigMap", "name": "settings", "valuesKey": "web.yaml"},
            {"kind": "Secret", "name": "settings"},
            {"kind": "Secret", "name": "none", "optional": True},
        ],
        values={"zone": "c"},
        releaseName="shop",
    )
    config = CONFIG + 'data: {web.yaml: "cpu: 1\\nreplicas: 3"}\n'
    hidden = CONFIG.replace("ConfigMap", "Secret") + f"data: {{values.yaml: {secret}}}\n"
    documents, notes = rendered(flux(root, own, config, hidden))
    assert words(helm)[:6] == ["template", "shop", "./charts/web", "--namespace", "team", "--values"]
    assert "--include-crds" not in words(helm)
    assert json.loads((helm / "values").read_text()) == {"cpu": "250m", "replicas": 3, "zone": "c"}
    assert notes == []
    assert names(documents)[-1] == "Deployment team/shop-web"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["charts/web/values-prod.yaml"], {"replicas": 6}),
        (["charts/web/values.yaml", "charts/web/values-prod.yaml"], {"replicas": 6, "zone": "", "cpu": "500m"}),
    ],
)
def test_files_of_values_take_the_place_of_the_charts_own(root: Path, helm: Path, files: list[str], expected: object) -> None:
    """GO-23: in a copy of the chart, whose own file counts only if it is among them."""
    (helm / "helm").write_text(f'#!/bin/sh\ncat "$3/values.yaml" > {helm}/values\necho "$3" > {helm}/chart\n')
    rendered(flux(root, release({"valuesFiles": files})))
    assert json.loads((helm / "values").read_text()) == expected
    assert not (helm / "chart").read_text().startswith("./charts")


def test_missing_files_of_values_may_be_passed_over(root: Path, helm: Path) -> None:
    """GO-23: otherwise the release is not rendered."""
    files = ["charts/web/values.yaml", "charts/web/none.yaml"]
    rendered(flux(root, release({"valuesFiles": files, "ignoreMissingValuesFiles": True})))
    assert words(helm)[1] == "web"
    assert "charts/web/none.yaml of its valuesFiles is not in this checkout" in only_note(
        flux(root, release({"valuesFiles": files}))
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            release(postRenderers=[{"kustomize": {"patches": [{}]}}]),
            "only kustomize applies spec.postRenderers, and --kustomize runs it",
        ),
        (release(suspend=True), "it is suspended"),
        (release(dependsOn=[{"name": "x"}]), "it waits for the HelmRelease x, which is not in the input"),
        (release(kubeConfig={"secretRef": {"name": "x"}}), "it is for another cluster, which spec.kubeConfig names"),
        (release({"sourceRef": {"kind": "HelmRepository", "name": "x"}}), "HelmRepository x, its source, is not in the input"),
        (release({"sourceRef": {**SOURCE, "name": "x"}}), "GitRepository x, its source, is not in the input"),
        (
            release(valuesFrom=[{"kind": "Secret", "name": "x"}]),
            "Secret x, which spec.valuesFrom[0] names, is not in the input",
        ),
        (kustomization(path="./apps", patches=[{}]), "only kustomize applies spec.patches, and --kustomize runs it"),
        (kustomization(path="./apps", suspend=True), "it is suspended"),
        (
            kustomization(path="./apps", dependsOn=[{"name": "x"}]),
            "it waits for the Kustomization x, which is not applied here",
        ),
        (
            kustomization(path="./apps", postBuild={"substituteFrom": [{"kind": "ConfigMap", "name": "vars"}]}),
            "ConfigMap vars, which spec.postBuild.substituteFrom[0] names, is not in the input",
        ),
    ],
)
def test_what_only_flux_knows_is_named_with_the_command(root: Path, text: str, why: str) -> None:
    """GO-3, GO-4, GO-21: the object stays among the others."""
    (root / "apps").mkdir()
    documents, (note,) = rendered(flux(root, text))
    assert len(documents) == 2
    what, _, command = note.partition("; this renders it: ")
    assert what.endswith(f", because {why}")
    assert command.startswith(("helm template web ", "flux build kustomization apps ", "cutlist plan -f flux --kustomize"))


def test_the_repository_of_another_checkout_is_elsewhere(root: Path) -> None:
    """By its address, whatever its spelling."""
    (root / "flux/own.yaml").write_text(REPOSITORY.replace("shop/deploy", "shop/other"))
    note = only_note(flux(root, release()))
    assert (
        "its source, git ssh://git@git.example.com/shop/other at main, is elsewhere; this renders it: cutlist plan -f " in note
    )


def test_a_kustomization_takes_its_folder_and_all_below(root: Path, helm: Path) -> None:
    """Releases in it are rendered in turn; what it takes is not read by itself, and it may hold itself."""
    folder = flux(root, kustomization(path="./flux"), kustomization("apps2", path="./apps"))
    (root / "apps/deep").mkdir(parents=True)
    (root / "apps/deep/release.yaml").write_text(release())
    (root / "apps/config.yaml").write_text(CONFIG)
    documents, notes = rendered(folder, root / "apps", recursive=True)
    assert sorted(names(documents)) == [
        "ConfigMap shop/settings",
        "CustomResourceDefinition -/things.example.com",
        "Deployment shop/web-web",
        "GitRepository flux-system/own",
        "PodDisruptionBudget default/web-web",
    ]
    assert notes == []
    assert words(helm)[1:5] == ["web", "./charts/web", "--namespace", "shop"]


def test_what_flux_changes_is_changed(root: Path) -> None:
    """The namespace of all, labels and annotations of the objects, and variables, which may become numbers."""
    (root / "apps").mkdir()
    (root / "apps/web.yaml").write_text(WEB)
    (root / "apps/off.yaml").write_text(
        CONFIG.replace("namespace: shop", "labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}")
        + "data: {a: '${count}'}\n"
    )
    spec: dict[str, Any] = {
        "path": "apps",
        "targetNamespace": "team",
        "commonMetadata": {"labels": {"team": "a"}},
        "postBuild": {
            "substitute": {"count": "7", "letter": "b"},
            "substituteFrom": [{"kind": "ConfigMap", "name": "vars", "optional": True}],
        },
    }
    off, web = (d.data for d in rendered(flux(root, kustomization(**spec)))[0][1:])
    assert off["data"] == {"a": "${count}"}
    assert web["metadata"] == {"name": "web", "namespace": "team", "labels": {"team": "a"}}
    assert web["spec"]["replicas"] == 7
    assert web["spec"]["template"]["spec"]["nodeSelector"] == {"zone": "us-b"}


def test_amounts_are_those_that_flux_sends(root: Path) -> None:
    """GO-49: as Kubernetes prints them; an object with an amount that cannot be read stays as it is."""
    text = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: "
        "[{resources: {requests: {cpu: 0.5, memory: 1024Mi}, limits: {cpu: LIMIT}}}]}}}\n"
    )
    (root / "apps").mkdir()
    for limit, expected in (("1e3", {"cpu": "500m", "memory": "1Gi"}), ("much", {"cpu": 0.5, "memory": "1024Mi"})):
        (root / "apps/web.yaml").write_text(text.replace("LIMIT", limit))
        container = rendered(flux(root, kustomization(path="apps")))[0][1].data["spec"]["template"]["spec"]["containers"][0]
        assert container["resources"]["requests"] == expected


def test_secrets_that_flux_fills_in_are_in_no_message(root: Path) -> None:
    """They are written in base64, and stand in the objects in plain text."""
    (root / "apps").mkdir()
    (root / "apps/web.yaml").write_text(WEB.replace("${region:=us}", "${count-}"))
    (root / "apps/whole.yaml").write_text(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: whole}\nspec: {replicas: 1}\n"
    )
    hidden = base64.b64encode(b"hush-hush-hush").decode()
    source = CONFIG.replace("ConfigMap", "Secret").replace("shop", "flux-system") + f"data: {{count: {hidden}}}\n"
    spec: dict[str, Any] = {"path": "apps", "postBuild": {"substituteFrom": [{"kind": "Secret", "name": "settings"}]}}
    problems = validate([flux(root, kustomization(**spec), source)], reading=Reading(charts=Charts())).problems
    assert problems
    assert "hush" not in repr(problems)
    (root / "apps/web.yaml").write_text(WEB)
    problems = validate([root / "flux"], reading=Reading(charts=Charts())).problems
    assert any("spec.replicas" in str(problem) for problem in problems)
    assert "hush" not in repr(problems)


def test_without_post_build_nothing_is_substituted(root: Path) -> None:
    """GO-13: an object that needs what nobody fills in is open; what Flux cannot expand is refused."""
    (root / "apps").mkdir()
    (root / "apps/web.yaml").write_text(WEB)
    folder = flux(root, kustomization(path="apps"))
    documents, notes = rendered(folder)
    assert [document.name for document in documents if document.kind == "Deployment"] == []
    assert any("Deployment web" in note and "since spec.replicas is '${count}'" in note for note in notes)
    (root / "apps/web.yaml").write_text(WEB.replace("${count}", "${count/1/2}"))
    flux(root, kustomization(path="apps", postBuild={"substitute": {"count": "1"}}))
    assert rendered(folder)[0][1].data["spec"]["replicas"] == 2
    (root / "apps/web.yaml").write_text(WEB.replace("${count}", "${count-2}"))
    with pytest.raises(InputError, match=r"apps/web\.yaml:1: Flux cannot substitute its variables: missing closing brace"):
        rendered(folder)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (release({"chart": "./charts"}), "flux/0.yaml:1 spec.chart.spec.chart: charts holds no chart"),
        (kustomization(path="./nowhere"), "flux/0.yaml:1 spec.path: ./nowhere is not a folder of the checkout"),
    ],
)
def test_mistakes_are_shown_where_they_are(root: Path, text: str, expected: str) -> None:
    """At the member that names the folder."""
    with pytest.raises(InputError) as error:
        rendered(flux(root, text))
    assert [str(problem).partition(";")[0] for problem in error.value.problems] == [expected]


def test_an_address_has_many_spellings() -> None:
    """All of one repository are the same."""
    from cutlist.documents.delivery.checkout import plain_address

    spellings = (
        ADDRESS,
        "https://user:token@git.example.com/shop/deploy",
        "ssh://git@git.example.com:22/shop/deploy.git",
        "git@git.example.com:shop/deploy.git",
        "https://GIT.example.com/shop/deploy/",
    )
    assert {plain_address(spelling) for spelling in spellings} == {"git.example.com/shop/deploy"}


CONTROLLER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: kustomize-controller, namespace: flux-system}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: manager, args: [--watch-all-namespaces]}]}
"""


@pytest.mark.parametrize(("further", "says"), [((), True), ((CONTROLLER,), False)])
def test_a_variable_without_a_value_names_what_that_assumes(root: Path, further: tuple[str, ...], says: bool) -> None:
    """GO-17: unless the controller is there, whose gates are known then; a default needs no assumption."""
    (root / "apps").mkdir()
    (root / "apps/all.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a${end}\ndata:\n  n: n${n:=1}${end}\n"
    )
    text = kustomization(path="./apps", postBuild={"substitute": {"known": "1"}})
    _, notes = rendered(flux(root, text, *further))
    assert [note for note in notes if "StrictPostBuildSubstitutions" in note and "apps (${end})" in note] == notes
    assert bool(notes) is says


@pytest.mark.parametrize(("host", "is_same"), [("github.com", True), ("gitlab.com", True), ("git.example.com", False)])
def test_only_some_hosts_take_names_in_any_case(host: str, is_same: bool) -> None:
    """A path of another host may be another repository."""
    from cutlist.documents.delivery.checkout import plain_address

    assert (plain_address(f"https://{host}/Shop/Deploy") == plain_address(f"git@{host}:shop/deploy.git")) is is_same


def test_a_work_tree_has_the_addresses_of_its_repository(tmp_path: Path) -> None:
    """Its own folder of git only names that of the repository."""
    from cutlist.documents.delivery.checkout import Checkout

    main = checkout(tmp_path / "main", {})
    state = main / ".git/worktrees/side"
    state.mkdir(parents=True)
    (state / "HEAD").write_text("ref: refs/heads/side\n")
    (state / "commondir").write_text("../..\n")
    side = tmp_path / "side/below"
    side.mkdir(parents=True)
    (tmp_path / "side/.git").write_text(f"gitdir: {state}\n")
    found = Checkout.around(str(side / "file.yaml"))
    assert found is not None
    assert (found.root, found.branch) == (str((tmp_path / "side").resolve()), "side")
    assert found.is_of(ADDRESS)


def test_a_folder_that_flux_builds_may_take_files_from_outside(root: Path) -> None:
    """GO-8: read by itself kustomize would refuse it; what the folder of the cluster makes of it is what Flux applies."""
    put_parts(root, takes=True)
    documents, notes = rendered(root / "flux", recursive=True)
    assert "ConfigMap shop/settings" in names(documents)
    assert notes == []


def test_a_folder_that_nothing_builds_is_refused_as_kustomize_refuses_it(root: Path) -> None:
    """No Kustomization of Flux takes it, so somebody runs kustomize, which reads no file outside."""
    put_parts(root, takes=False)
    with pytest.raises(InputError, match=r"settings\.yaml lies outside the folder of the kustomization"):
        rendered(root / "flux", recursive=True)


def test_what_an_open_kustomization_names_is_no_mistake(root: Path) -> None:
    """GO-1, GO-8: its source is not in the input, so it is open, and so is what only Flux builds of its folder."""
    put_parts(root, takes=True)
    (root / "flux/own.yaml").unlink()
    (root / "flux/parts/kustomization.yaml").write_text("resources: [../../shared/settings.yaml, web.yaml]\n")
    (root / "flux/parts/web.yaml").write_text(WEB)
    documents, notes = rendered(root / "flux", recursive=True)
    assert names(documents) == ["Kustomization flux-system/apps"]
    assert any("because GitRepository own, its source, is not in the input" in note for note in notes)
    assert names(collected(root / "flux")) == ["Kustomization flux-system/apps"]


def test_other_mistakes_of_what_an_open_kustomization_names_are_reported(root: Path) -> None:
    """Flux refuses a file that does not exist as well."""
    put_parts(root, takes=True)
    (root / "flux/own.yaml").unlink()
    (root / "flux/parts/kustomization.yaml").write_text("resources: [../../shared/settings.yaml, nothing.yaml]\n")
    with pytest.raises(InputError, match=r"nothing\.yaml does not exist"):
        rendered(root / "flux", recursive=True)


def collected(folder: Path) -> tuple[Document, ...]:
    """The objects below a folder without anything that is rendered."""
    problems = Problems()
    documents = collect_documents([folder], problems, None, Reading(recursive=True))
    problems.raise_if_any()
    return documents


def put_parts(root: Path, *, takes: bool) -> None:
    """Write a kustomization with a file from outside its folder, and a Kustomization of Flux that takes it, or another."""
    for name, text in (
        ("shared/settings.yaml", CONFIG),
        ("flux/parts/kustomization.yaml", "resources: [../../shared/settings.yaml]\n"),
        ("flux/sync.yaml", kustomization(path="./flux/parts" if takes else "./charts/web/crds")),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
