"""Several environments in one repository: the command of each, all in one table, and a project file that says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cutlist.documents.contents import environments_in
from cutlist.documents.folders import Reading
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")
_SYNC = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: flux-system, namespace: flux-system}}
spec: {{interval: 10m, path: ./clusters/{0}, prune: true, sourceRef: {{kind: GitRepository, name: flux-system}}}}
"""


def test_only_an_overlay_that_kustomize_alone_renders_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: the command of each overlay works as it is written."""
    (tmp_path / "base").mkdir()
    (tmp_path / "base/all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    (tmp_path / "base/kustomization.yaml").write_text("resources: [all.yaml]\n")
    patches = {"dev": "{op: add, path: /spec/replicas, value: 4}", "prod": "{op: test, path: /kind, value: Deployment}"}
    for name, operation in patches.items():
        (tmp_path / "overlays" / name).mkdir(parents=True)
        text = f'resources: [../../base]\npatches: [{{target: {{kind: Deployment}}, patch: "[{operation}]"}}]\n'
        (tmp_path / "overlays" / name / "kustomization.yaml").write_text(text)
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    lines = [line.strip() for line in answer.text.splitlines()]
    assert "allowed: cutlist plan -f overlays/dev" in lines
    assert "allowed: cutlist plan -f overlays/prod --kustomize" in lines


def test_files_above_the_environments_belong_to_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: without the folder that they are in, which has the other environment too."""
    (tmp_path / "pools.yaml").write_text(NODE_CLASS + "---" + pool())
    for name, replicas in (("dev", 1), ("prod", 3)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "web.yaml").write_text(deployment("web", replicas=replicas))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert "allowed: cutlist plan -f pools.yaml -f prod -R" in answer.text
    prod = run_in(tmp_path, monkeypatch, "plan", "-f", "pools.yaml", "-f", "prod", "-R", *EUROPE, "-o", "json")
    assert prod.pods() == {"deployment/web": 3}


def test_objects_beside_overlays_belong_to_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: unless they lie on the side of one cluster, and are not in another."""
    write(tmp_path / "pools.yaml", NODE_CLASS + "---" + pool())
    write(tmp_path / "base/web.yaml", deployment("web"))
    write(tmp_path / "base/kustomization.yaml", "resources: [web.yaml]\n")
    for name, count in (("dev", 1), ("prod", 3)):
        text = f"resources: [../../../base]\nreplicas: [{{name: web, count: {count}}}]\n"
        write(tmp_path / f"clusters/{name}/apps/kustomization.yaml", text)
        write(tmp_path / f"clusters/{name}/own/batch.yaml", deployment(f"batch-{name}"))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    commands = [of["command"] for of in answer.data["environments"]]
    assert commands == [f"cutlist plan -f pools.yaml -f clusters/{name}/apps" for name in ("dev", "prod")]
    assert [of["totals"]["pods"] for of in answer.data["environments"]] == [1, 3]


def test_clusters_of_flux_whose_names_begin_alike_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-26: a Kustomization that applies `clusters/prod` applies nothing of `clusters/prod-eu`."""
    for name in ("prod", "prod-eu"):
        write(tmp_path / f"clusters/{name}/flux-system/gotk-sync.yaml", _SYNC.format(name))
        write(tmp_path / f"clusters/{name}/web.yaml", deployment(name))
    write(tmp_path / "clusters/prod/pools.yaml", "---\n".join((NODE_CLASS, pool())))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "clusters/prod: is one of 2 environments" in answer.text
    assert "clusters/prod-eu: is one of 2 environments" in answer.text


@pytest.mark.parametrize("options", [(), ("--helm",), ("--helm", "--kustomize")], ids=" ".join)
def test_clusters_that_are_bootstrapped_alike_are_two(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-26: bootstrapping gives each the same Kustomization, in its own kustomization, and the last would count."""
    for name, replicas in (("prod", 9), ("stage", 2)):
        write(tmp_path / f"clusters/{name}/flux-system/gotk-sync.yaml", _SYNC.format(name))
        write(tmp_path / f"clusters/{name}/flux-system/kustomization.yaml", "resources: [gotk-sync.yaml]\n")
        write(tmp_path / f"clusters/{name}/all.yaml", "---\n".join((NODE_CLASS, pool(), deployment("web", replicas=replicas))))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *options, *EUROPE)
    lines = [line.strip() for line in answer.text.splitlines()]
    for name in ("prod", "stage"):
        assert f"allowed: cutlist plan -f clusters/{name} -R --helm --kustomize" in lines


def overlays(folder: Path, *parts: str, cpu: int = 1) -> None:
    """Write overlays for dev and prod of parts of a cluster, each with a base of its own."""
    for part in parts:
        write(folder / part / "base/all.yaml", deployment(Path(part).name, cpu=str(cpu)))
        write(folder / part / "base/kustomization.yaml", "resources: [all.yaml]\n")
        for name, count in (("dev", 1), ("prod", 3)):
            text = f"resources: [../../base]\nreplicas: [{{name: {Path(part).name}, count: {count}}}]\n"
            write(folder / part / f"overlays/{name}/kustomization.yaml", text)


def test_overlays_of_several_parts_are_one_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-24: by the name that they have in common."""
    overlays(tmp_path, "apps/web", "apps/api")
    monkeypatch.chdir(tmp_path)
    found = environments_in(["."], Reading(recursive=True))
    assert [(of.name, of.holds, of.files) for of in found] == [
        (name, "2 Deployment", (f"apps/api/overlays/{name}", f"apps/web/overlays/{name}")) for name in ("dev", "prod")
    ]


def test_overlays_that_make_one_object_in_different_forms_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-24: as clusters of several regions do, whatever their names."""
    overlays(tmp_path, "eu/web")
    overlays(tmp_path, "us/web", cpu=2)
    monkeypatch.chdir(tmp_path)
    found = environments_in(["."], Reading(recursive=True))
    assert [of.name for of in found] == [f"{region}/web/overlays/{name}" for region in ("eu", "us") for name in ("dev", "prod")]


def test_kustomizations_that_run_nothing_are_no_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-9: such as the settings of a part beside the overlay that has others."""
    overlays(tmp_path, "web")
    for name in ("a", "b"):
        settings = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: web}}\ndata: {{name: {name}}}\n"
        write(tmp_path / f"settings/{name}/all.yaml", settings)
        write(tmp_path / f"settings/{name}/kustomization.yaml", "resources: [all.yaml]\n")
    monkeypatch.chdir(tmp_path)
    assert [of.name for of in environments_in(["."], Reading(recursive=True))] == ["web/overlays/dev", "web/overlays/prod"]


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def rows(data: dict[str, Any]) -> dict[str, Any]:
    """The environments of an answer by name."""
    return {of["name"]: of for of in data["environments"]}


def test_all_overlays_are_planned_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as its own command plans it."""
    words = ("plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words)
    assert answer.exit_code == 0
    for name, of in rows(answer.data).items():
        alone = run_in(FOLDER / "kustomize-overlays", monkeypatch, *of["command"].split()[1:], *EUROPE, "-o", "json")
        assert of["totals"] == alone.data["totals"], name
    assert answer.data["totals"]["nodes"] == sum(of["totals"]["nodes"] for of in answer.data["environments"]) == 4


def test_an_environment_is_chosen_by_the_last_part_of_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("plan", "-f", ".", "-R", *EUROPE, "-o", "json", "--environment")
    short = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "prod")
    assert short.pods() == {"app/deployment/web": 12, "app/deployment/worker": 4}
    assert run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "overlays/prod").text == short.text


def test_an_environment_that_is_not_there_has_a_near_name(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--environment", "prd")
    assert answer.exit_code == 2
    assert "there is no environment 'prd'" in answer.text
    assert "did you mean prod?" in answer.text


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """The root of a repository with two environments, of which one has a mistake."""
    (tmp_path / ".git").mkdir()
    for name, text in (
        ("good", deployment("web")),
        ("wrong", deployment("web", replicas=2).replace("replicas: 2", "replicas: x")),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), text)))
    return tmp_path


def test_an_environment_that_fails_is_a_row_and_not_the_end_of_the_others(
    several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run_in(several, monkeypatch, "plan", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 2
    assert rows(answer.data)["good"]["totals"]["pods"] == 1
    (problem,) = rows(answer.data)["wrong"]["problems"]
    assert (problem["file"], problem["path"]) == ("wrong/all.yaml", "spec.replicas")


def test_pending_pods_count_for_the_exit_code_only_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, cpu in (("small", "1"), ("large", "2000")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web", cpu=cpu))))
    words = ("plan", "-f", ".", "-R", *EUROPE, "--all")
    assert run_in(tmp_path, monkeypatch, *words).exit_code == 0
    assert run_in(tmp_path, monkeypatch, *words, "--strict").exit_code == 1


def test_files_of_one_environment_are_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "plan", "-f", "k8s", "-R", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 0
    (of,) = answer.data["environments"]
    assert (of["command"], of["complete"], len(of["open"])) == ("cutlist plan -f k8s -R", False, 2)
    assert run_in(FOLDER / "templates-tpl", monkeypatch, *of["command"].split()[1:], *EUROPE, "--strict").exit_code == 1


def test_environments_of_a_helmfile_are_rows_with_the_command_that_renders_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-6: Cutlist starts no helmfile."""
    answer = run_in(FOLDER / "helmfile", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 2
    assert rows(answer.data)["prod"]["problems"][0]["allowed"] == "helmfile -e prod template | cutlist plan -f -"


def test_environments_of_several_helmfiles_are_one_by_each_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-28: a name that a template makes is not one."""
    for name in ("web", "jobs"):
        environments = (
            "environments:\n  dev: {}\n  prod:\n    values: [x.yaml]\n  {{ .Environment.Name }}:\n    values: [y.yaml]\n"
        )
        write(tmp_path / f"{name}/helmfile.yaml.gotmpl", f"{environments}---\nreleases: []\n")
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    commands = {of["name"]: of["problems"][0]["allowed"] for of in answer.data["environments"]}
    both = "helmfile -f {0}/helmfile.yaml.gotmpl -e prod template"
    assert list(commands) == ["dev", "prod"]
    assert commands["prod"] == f"({both.format('jobs')}; {both.format('web')}) | cutlist plan -f -"


def test_what_is_shown_of_one_plan_cannot_be_combined_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "--summary")
    assert answer.exit_code == 2
    assert "--summary is about one plan" in answer.text


def test_environments_need_no_region_before_one_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may have its own."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R")
    assert "overlays/dev: is one of 2 environments" in answer.text
    assert "no region" not in answer.text


_STACK = "config:\n  shop:region: eu-west-1\n  shop:nodePools: [{}/pools.yaml]\n"


@pytest.fixture
def stacks(tmp_path: Path) -> Path:
    """The root of a repository with a Pulumi project: two stacks of Cutlist's own form, and one of another program."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/Pulumi.yaml").write_text("name: shop\nruntime: python\nstackConfigDir: stacks\n")
    for name in ("dev", "prod"):
        (tmp_path / "infra" / name).mkdir()
        (tmp_path / "infra" / name / "pools.yaml").write_text(f"{NODE_CLASS}---{pool()}")
        (tmp_path / "infra/stacks").mkdir(exist_ok=True)
        (tmp_path / f"infra/stacks/Pulumi.{name}.yaml").write_text(_STACK.format(name))
    (tmp_path / "infra/stacks/Pulumi.other.yaml").write_text("config:\n  aws:region: eu-west-1\n")
    return tmp_path


def test_stacks_of_pulumi_are_environments_with_their_previews(stacks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-28: those of Cutlist's own form; the folders with their objects are not environments besides."""
    answer = run_in(stacks, monkeypatch, "plan")
    assert answer.exit_code == 2
    assert "dev: is one of 2 environments, each a cluster by itself (stack of infra/Pulumi.yaml)" in " ".join(
        answer.text.split()
    )
    assert "allowed: cutlist preview --stack prod --project-dir infra" in answer.text


_POOLS = """
variable "size" { type = string }
resource "kubernetes_manifest" "pool" {
  manifest = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      replicas = var.size
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec     = { containers = [{ name = "web", image = "web", resources = { requests = { cpu = "1" } } }] }
      }
    }
  }
}
"""


@pytest.fixture
def variables(tmp_path: Path) -> Path:
    """The root of a repository with a configuration of Terraform that has a file of variables for each environment."""
    pytest.importorskip("hcl2")
    (tmp_path / ".git").mkdir()
    (tmp_path / "pools.yaml").write_text(f"{NODE_CLASS}---{pool()}")
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/main.tf").write_text(_POOLS)
    for name, size in (("dev", 1), ("prod", 5)):
        (tmp_path / f"infra/{name}.tfvars").write_text(f"size = {size}\n")
    return tmp_path


def test_files_of_variables_of_a_configuration_are_environments(variables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-27, F-11: each plans the same folders with its own values."""
    answer = run_in(variables, monkeypatch, "plan", *EUROPE)
    assert answer.exit_code == 2
    assert "allowed: cutlist plan -f . -f infra/prod.tfvars -R" in answer.text
    words = ("plan", "-f", ".", "-f", "infra/prod.tfvars", "-R", *EUROPE, "-o", "json")
    assert run_in(variables, monkeypatch, *words).pods() == {"deployment/web": 5}
    whole = run_in(variables, monkeypatch, "plan", *EUROPE, "--all", "-o", "json").data
    assert {name: of["totals"]["pods"] for name, of in rows(whole).items()} == {"dev": 1, "prod": 5}


def test_files_of_variables_below_a_configuration_are_environments(variables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-27, F-11: in a folder for all of them, or one for each: there each counts only when it is named."""
    for name, path in (("dev", "env/dev.tfvars"), ("prod", "env/prod/terraform.tfvars")):
        (variables / "infra" / path).parent.mkdir(parents=True, exist_ok=True)
        (variables / f"infra/{name}.tfvars").rename(variables / "infra" / path)
    answer = run_in(variables, monkeypatch, "plan", *EUROPE)
    assert "allowed: cutlist plan -f . -f infra/env/prod/terraform.tfvars -R" in answer.text
    for file, pods in (("env/dev.tfvars", 1), ("env/prod/terraform.tfvars", 5)):
        words = ("plan", "-f", ".", "-f", f"infra/{file}", "-R", *EUROPE, "-o", "json")
        assert run_in(variables, monkeypatch, *words).pods() == {"deployment/web": pods}


def test_named_variables_from_elsewhere_are_for_the_configuration_around_them(tmp_path: Path) -> None:
    """F-11: that of the nearest folder; where none is around them, each of those that are read."""
    pytest.importorskip("hcl2")
    from cutlist.core.errors import Problems
    from cutlist.documents.terraform.hcl.variable_files import given_in

    for folder in ("a/env", "a/b", "vars"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("a", "a/b"):
        (tmp_path / folder / "main.tf").write_text("")
    for number, file in enumerate(("a/env/x.tfvars", "vars/y.tfvars", "a/b/z.tfvars")):
        (tmp_path / file).write_text(f"v{number} = {number}\n")
    chosen = frozenset(str(path.resolve()) for path in tmp_path.rglob("*.tfvars"))
    assert given_in(str(tmp_path / "a"), chosen, Problems()) == {"v0": 0, "v1": 1}
    assert given_in(str(tmp_path / "a/b"), chosen, Problems()) == {"v1": 1, "v2": 2}
    assert given_in(str(tmp_path / "a"), frozenset(), Problems()) == {}


def test_files_of_variables_that_change_no_object_are_not_environments(
    variables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("dev", "prod"):
        (variables / f"infra/{name}.tfvars").write_text(f'size = 2\nowner = "{name}"\n')
    assert "environments" not in run_in(variables, monkeypatch, "plan", *EUROPE).text
    (variables / "infra/terraform.tfvars").write_text("size = 3\n")
    for name in ("dev", "prod"):
        (variables / f"infra/{name}.tfvars").write_text(f'owner = "{name}"\n')
    assert run_in(variables, monkeypatch, "plan", *EUROPE, "-o", "json").pods() == {"deployment/web": 3}


def test_clusters_of_one_snapshot_are_not_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-10: the files of one folder are one environment, and the later definition counts."""
    for name, replicas in (("first", 1), ("second", 2)):
        (tmp_path / f"{name}.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web", replicas=replicas))))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", *EUROPE, "--all", "-o", "json")
    (of,) = answer.data["environments"]
    assert of["totals"]["pods"] == 2


def test_values_of_a_chart_bring_what_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: NodePools in another folder belong to each environment."""
    files = {
        "nodes/pools.yaml": f"{NODE_CLASS}\n---\n{pool()}",
        "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
        "chart/values-dev.yaml": "replicas: 1\n",
        "chart/values-prod.yaml": "replicas: 9\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    for options in (("--helm",), ()):  # the first command has no options yet
        answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *options)
        assert answer.exit_code == 2
        said = " ".join(answer.text.split())
        assert "cutlist plan -f nodes -f chart -R --helm-values chart/values-dev.yaml" in said
        assert "cutlist plan -f nodes -f chart -R --helm-values chart/values-prod.yaml" in said


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("env/dev/values.yaml", "env/prod/values.yaml"), ("env/dev", "env/prod")),
        (("values/dev.yaml", "values/prod.yaml"), ("values/dev.yaml", "values/prod.yaml")),
    ],
)
def test_values_of_the_only_chart_may_lie_elsewhere(
    tmp_path: Path, files: tuple[str, ...], names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-29: as files next to each other, or in folders next to each other, with no members but the chart's."""
    written = {"chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n", "chart/values.yaml": "replicas: 1\n"}
    for path, text in {**written, **dict.fromkeys(files, "replicas: 2\n")}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R")
    assert answer.exit_code == 2
    assert [line.split(":")[0] for line in answer.text.splitlines() if " is one of 2" in line] == list(names)
    (tmp_path / files[0]).write_text("replicas: 2\nother: 1\n")
    assert " is one of 2" not in run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R").text


def test_a_list_of_environments_ends_with_the_command_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is one: other verbs answer for one environment."""
    for verb, says in (("plan", True), ("gate", True), ("suggest", True), ("validate", True), ("types", False)):
        answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, verb, "-f", ".", "-R")
        assert answer.exit_code == 2
        assert f"cutlist {verb} -f overlays/prod" in answer.text
        assert (f" {verb} --all` answers for all of them" in answer.text) == says


def test_the_command_of_an_environment_can_be_pasted_to_explain_the_same_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "explain", "-f", ".", "app/deployment/web", "-R", *EUROPE)
    (command,) = (line.strip() for line in answer.text.splitlines() if line.endswith("overlays/dev"))
    assert command == "allowed: cutlist explain app/deployment/web -f overlays/dev"
    words = command.removeprefix("allowed: cutlist ").split()
    assert run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, *EUROPE).exit_code == 0


def test_overlays_that_rename_the_same_workload_are_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-9: whatever names and namespaces they give it; together they would be a cluster that nobody has."""
    for name, text in (("base", deployment("web")), ("nodes", "---\n".join((NODE_CLASS, pool())))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text(text)
    (tmp_path / "base/kustomization.yaml").write_text("resources: [all.yaml]\n")
    for name in ("dev", "prod"):
        (tmp_path / f"overlays/{name}").mkdir(parents=True)
        text = f"resources: [../../base]\nnamespace: {name}\nnamePrefix: {name}-\n"
        (tmp_path / f"overlays/{name}/kustomization.yaml").write_text(text)
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "allowed: cutlist plan -f nodes -f overlays/dev" in answer.text
    dev = run_in(tmp_path, monkeypatch, "plan", "-f", "nodes", "-f", "overlays/dev", *EUROPE, "-o", "json")
    assert dev.pods() == {"dev/deployment/dev-web": 1}
    both = run_in(
        tmp_path, monkeypatch, "plan", "-f", "overlays/dev", "-f", "overlays/prod", "-f", "nodes", *EUROPE, "-o", "json"
    )
    assert both.pods() == {"dev/deployment/dev-web": 1, "prod/deployment/prod-web": 1}
