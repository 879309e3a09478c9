"""Files that hold no manifests are recognised by their names and contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents, read_documents
from cutlist.documents.folders import Reading
from tests.unit.layouts import deployment

POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: x}\n"
RECURSIVE = Reading(recursive=True)


def account_of(folder: Path, **files: str) -> Notes:
    """The notes on a folder with these files; two underscores stand for a slash."""
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    notes = Notes()
    collect_documents([folder], Problems(allow_empty=True), reading=RECURSIVE, notes=notes)
    return notes


@pytest.mark.parametrize("suffix", ["tpl", "tftpl", "j2", "jinja", "gotmpl", "erb", "tmpl"])
def test_a_template_of_an_object_is_open(tmp_path: Path, suffix: str) -> None:
    """F-3."""
    notes = account_of(tmp_path, **{f"pool.yaml.{suffix}": POOL.replace("x", "{{ name }}"), "web.yaml": deployment("web")})
    (opened,) = notes.ledger.open
    assert (opened.what, opened.form) == (f"{tmp_path}/pool.yaml.{suffix}", "template")


def test_a_template_of_something_else_is_passed_over(tmp_path: Path) -> None:
    """F-3: no answer depends on it."""
    notes = account_of(tmp_path, **{"userdata.sh.tpl": "#!/bin/sh\necho ${name}\n", "web.yaml": deployment("web")})
    assert notes.ledger.open == ()
    assert notes.ledger.closed().sentence == "2 files: 1 read, 1 template"


CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-<your-cluster>
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: <your-cluster>}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: <your-cluster>}}]
"""


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("web__main.k", "import k8s.api.apps.v1 as apps\napps.Deployment {}\n", "kcl run web/main.k"),
        ("web__main.k", 'kind = "Deployment"\n', "kcl run web/main.k"),
        ("web__math.k", "import math\nx = 1\n", ""),
        ("web__pool.k", "import karpenter.v1 as karpenter\nkarpenter.NodePool {}\n", "kcl run web/pool.k"),
        ("pool.pkl", 'amends "karpenter/NodePool.pkl"\n', "pkl eval --format yaml pool.pkl"),
        (
            "web.pkl",
            'amends "package://pkg.pkl-lang.org/pkl-k8s/k8s@1.3.0#/api/apps/v1/Deployment.pkl"\n',
            "pkl eval --format yaml web.pkl",
        ),
        ("math.pkl", "x = 1\n", ""),
        ("pool.dhall", '{ apiVersion = "karpenter.sh/v1" }\n', "dhall-to-yaml --documents --file pool.dhall"),
        ("math.dhall", "{ x = 1 }\n", ""),
        ("pool.ncl", '{ kind = "NodePool" }\n', "nickel export --format yaml pool.ncl"),
        ("pool.cue", "pool: karpenter.#NodePool & {}\n", "cue export . --out yaml"),
        ("web__all.cue", 'web: {apiVersion: "apps/v1"}\n', "cue export ./web --out yaml"),
        ("live.cue", 'bundle: {apiVersion: "v1alpha1", instances: {}}\n', "timoni bundle build -f live.cue"),
        ("shop__templates__web.cue", 'web: {apiVersion: "apps/v1"}\n', "timoni build shop shop"),
    ],
)
def test_a_program_that_makes_objects_is_open_with_what_runs_it(
    name: str, text: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-3: KCL, CUE, and what Timoni installs of CUE: one module is one open part, however many files it has."""
    monkeypatch.chdir(tmp_path)
    module = {"shop__timoni.cue": 'timoni: apiVersion: "v1alpha1"\n'} if name.startswith("shop") else {}
    notes = account_of(Path(), **{name: text, "web.yaml": deployment("web"), **module})
    assert [of.command for of in notes.ledger.open] == ([f"{command} | cutlist plan -f -"] if command else [])


def test_a_placeholder_that_a_plan_needs_leaves_its_object_open(tmp_path: Path) -> None:
    """F-4: it is called a placeholder, not a wrong quantity."""
    text = deployment("web").replace("cpu: 250m", "cpu: <cpu>")
    assert "<cpu>" in text
    (opened,) = account_of(tmp_path, **{"web.yaml": text}).ledger.open
    path = "spec.template.spec.containers[0].resources.requests.cpu"
    assert opened.why == f"not whole: {path} is '<cpu>', a placeholder: fill it in"
    assert opened.form == "object with placeholders"


def test_a_placeholder_that_no_plan_needs_is_noted(tmp_path: Path) -> None:
    """F-4: the object is read, and the note says where to fill it in."""
    notes = account_of(tmp_path, **{"class.yaml": CLASS})
    assert notes.ledger.open == ()
    (note,) = (note.text for note in notes.all() if note.code == "placeholder")
    assert note.startswith("a placeholder: fill it in: spec.role of EC2NodeClass default, which is 'KarpenterNodeRole-<your")


def test_an_object_whose_number_is_filled_in_is_open(tmp_path: Path) -> None:
    """F-4: and it is not called a wrong number."""
    text = deployment("web").replace("spec:\n  selector", "spec:\n  replicas: ${REPLICAS}\n  selector")
    notes = account_of(tmp_path, **{"web.yaml": text})
    (opened,) = notes.ledger.open
    assert opened.why == "a template, since spec.replicas is '${REPLICAS}'; render it first, or give the variables"


def test_a_value_on_which_no_plan_depends_may_be_filled_in(tmp_path: Path) -> None:
    """F-4: so may the script of a container."""
    script = deployment("web").replace("image: demo/web", "image: demo/web, args: ['${HOME}']")
    node_class = CLASS.replace("KarpenterNodeRole-<your-cluster>", "${ROLE}")
    notes = account_of(tmp_path, **{"web.yaml": script, "class.yaml": node_class})
    assert notes.ledger.open == ()
    assert notes.ledger.objects == 2


def test_an_encrypted_object_other_than_a_secret_is_open(tmp_path: Path) -> None:
    """F-8."""
    text = deployment("web") + "sops: {mac: 'ENC[AES256_GCM,data:A]'}\n"
    (opened,) = account_of(tmp_path, **{"web.enc.yaml": text}).ledger.open
    assert opened.command == f"sops decrypt {tmp_path}/web.enc.yaml | cutlist plan -f -"


def test_an_object_inside_another_is_open(tmp_path: Path) -> None:
    """F-4: nobody says to which cluster it goes."""
    head = "apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nmetadata: {name: o}\n"
    inside = "spec: {forProvider: {manifest: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}}}\n"
    (opened,) = account_of(tmp_path, **{"o.yaml": head + inside}).ledger.open
    assert opened.what == f"Deployment web in Object o ({tmp_path}/o.yaml:1)"


def test_a_link_to_a_folder_is_passed_over(tmp_path: Path) -> None:
    """F-1: it is counted, although nothing in it is read."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/web.yaml").write_text(deployment("web"))
    (tmp_path / "here").mkdir()
    (tmp_path / "here/link").symlink_to(tmp_path / "elsewhere")
    notes = account_of(tmp_path / "here", **{"api.yaml": deployment("api")})
    assert notes.ledger.closed().sentence == "2 files: 1 read, 1 link to a folder"


def test_values_of_several_environments_are_not_one_plan(tmp_path: Path) -> None:
    """F-29: a chart with values of its own for each."""
    from cutlist.documents.folders import Charts

    notes = Notes()
    for name, text in {
        "Chart.yaml": "name: web\nversion: 1.0.0\n",
        "values-dev.yaml": "a: 1\n",
        "values-prod.yaml": "a: 2\n",
    }.items():
        (tmp_path / name).write_text(text)
    collect_documents([tmp_path], Problems(allow_empty=True), reading=Reading(charts=Charts()), notes=notes)
    commands = [environment.command for environment in notes.ledger.environments]
    assert commands == [f"cutlist plan -f {tmp_path} --helm-values {tmp_path}/values-{name}.yaml" for name in ("dev", "prod")]


def test_folders_with_the_same_object_are_environments(tmp_path: Path) -> None:
    """F-30: what is in a folder beside them belongs to each."""
    files = {"shared__class.yaml": POOL.replace("NodePool", "Other"), "envs__dev__web.yaml": deployment("web")}
    notes = account_of(tmp_path, **files, **{"envs__prod__a__web.yaml": deployment("web")})
    commands = [environment.command for environment in notes.ledger.environments]
    assert commands == [f"cutlist plan -f {tmp_path}/shared -f {tmp_path}/envs/{name} -R" for name in ("dev", "prod")]


def test_of_an_object_that_one_folder_has_twice_the_later_counts(tmp_path: Path) -> None:
    """F-10: nothing says that its files are of several clusters."""
    notes = account_of(tmp_path, **{"a.yaml": deployment("web"), "b.yaml": deployment("web", "  replicas: 9\n")})
    assert notes.ledger.environments == ()
    (note,) = notes.all()
    assert note.code == "defined-twice"
    (document,) = read_documents([tmp_path])
    assert document.data["spec"]["replicas"] == 9


def test_an_object_that_is_written_twice_in_one_form_needs_no_note(tmp_path: Path) -> None:
    """F-10: whichever counts, the answer is the same."""
    notes = account_of(tmp_path, **{"a.yaml": deployment("web"), "b.yaml": deployment("web")})
    assert notes.all() == ()
    assert len(read_documents([tmp_path])) == 1


def test_of_overlays_that_are_named_the_later_counts(tmp_path: Path) -> None:
    """F-10: `test_of_two_overlays_that_were_named_the_last_one_counts` has the note."""
    account_of(
        tmp_path,
        **{
            "base__kustomization.yaml": "resources: [web.yaml]\n",
            "base__web.yaml": deployment("web"),
            "dev__kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 1}]\n",
            "prod__kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 9}]\n",
        },
    )
    documents = read_documents([tmp_path / "dev", tmp_path / "prod"])
    assert [document.data["spec"]["replicas"] for document in documents] == [9]


def test_a_template_that_is_named_is_called_one(tmp_path: Path) -> None:
    """F-3: in place of the mistakes of its YAML."""
    path = tmp_path / "pool.yaml.j2"
    path.write_text("{% for x in y %}\nkind: NodePool\n{% endfor %}\n")
    with pytest.raises(InputError, match=r"pool\.yaml\.j2: is a template that is not rendered"):
        read_documents([path])


def test_a_kustomization_that_is_no_yaml_is_a_mistake(tmp_path: Path) -> None:
    """Kustomize reads it by its name; a template of one is passed over."""
    (tmp_path / "kustomization.yaml").write_text("resources: [web.yaml\n")
    with pytest.raises(InputError, match=r"kustomization\.yaml:\d: is not YAML"):
        read_documents([tmp_path])
