"""What a mistake says if there is nothing to plan: what there is instead, and what was not read and may hold it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError, Problem
from cutlist.core.notes import Notes
from cutlist.documents.collecting import read_documents
from cutlist.documents.folders import Reading
from cutlist.planning.absences import contents_in_words, require_workloads
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

POOLS = f"{NODE_CLASS}\n---\n{pool()}"


def absence(folder: Path, **files: str) -> Problem:
    """The mistake about a folder; two underscores in a name stand for a slash, one for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with pytest.raises(InputError) as raised:
        require_workloads(read_inputs([folder], region="us-west-2", recursive=True))
    (problem,) = raised.value.problems
    return problem


def test_pools_without_workloads_lead_to_the_command_about_pools(tmp_path: Path) -> None:
    problem = absence(tmp_path, pools_yaml=POOLS)
    assert problem.message == "no workload is in the input, only 1 EC2NodeClass, 1 NodePool"
    assert "`cutlist types` shows what the NodePools may launch" in problem.allowed


def test_what_is_not_read_is_a_list_below_the_mistake(tmp_path: Path) -> None:
    """One entry for each reason; files that hold no objects anyway are not among them."""
    chart, template = "name: web\nversion: 1.0.0\n", "kind: NodePool\nname: {{ .name }}\n"
    problem = absence(
        tmp_path, app_yaml=deployment(), charts__web__Chart_yaml=chart, pool_tpl=template, ci_yaml="steps: [build]\n"
    )
    assert problem.message == "no NodePool is in the input, only 1 Deployment"
    charts, templates = problem.details
    assert charts.startswith("not read, because they are Helm charts; --helm renders them")
    assert templates.endswith(f"pass what they render: {tmp_path}/pool.tpl")
    assert str(problem).count("ci.yaml") == 0


def test_releases_that_wait_for_others_are_counted_behind_the_reasons(tmp_path: Path) -> None:
    """Their mistakes follow from those of what they wait for, so only their number is given."""
    head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
    chart = "chart: {spec: {chart: ./c, sourceRef: {kind: GitRepository, name: x}}}"
    waiting = [f"{head}metadata: {{name: w{n}}}\nspec: {{dependsOn: [{{name: x{n}}}], {chart}}}\n" for n in range(4)]
    suspended = f"{head}metadata: {{name: z}}\nspec: {{suspend: true, {chart}}}\n"
    (tmp_path / ".git").mkdir()
    (tmp_path / "all.yaml").write_text("---\n".join((*waiting, suspended)))
    with pytest.raises(InputError) as raised:
        read_inputs([tmp_path], region="us-west-2", helm=True)
    first, more = raised.value.problems[0].details
    assert first.startswith("not rendered: HelmRelease z, because it is suspended")
    assert more == "and 4 more that are not rendered"


def test_files_without_objects_are_named_where_nothing_else_is(tmp_path: Path) -> None:
    problem = absence(tmp_path, app_yaml=deployment(), ci_yaml="steps: [build]\n")
    assert [detail.endswith("ci.yaml") for detail in problem.details] == [True]


def test_what_is_there_is_said_by_kind_and_not_at_length(tmp_path: Path) -> None:
    """Those on which plans depend come first, then those of which there are most."""
    kinds = ["NodePool", "Service", "Service", *(f"Kind{letter}" for letter in "ABCDEF")]
    (tmp_path / "all.yaml").write_text(
        "---\n".join(f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: n{index}}}\n" for index, kind in enumerate(kinds))
    )
    words = contents_in_words(read_documents([tmp_path]))
    assert words == ", only 1 NodePool, 2 Service, 1 KindA, 1 KindB, 1 KindC, 3 other kinds"


def test_workflows_of_ci_are_no_templates_of_objects(tmp_path: Path) -> None:
    """Their `${{ }}` is filled in by the CI, also where a step applies an object."""
    workflow = "jobs:\n  a:\n    env: {TOKEN: '${{ secrets.T }}'}\n    run: |\n      kind: NodePool\n"
    path = tmp_path / ".github" / "workflows"
    path.mkdir(parents=True)
    (path / "ci.yml").write_text(workflow)
    problem = absence(tmp_path, app_yaml=deployment())
    assert not any("templates" in detail for detail in problem.details)


def test_workflows_of_ci_are_counted_and_not_named_among_what_is_not_read(tmp_path: Path) -> None:
    """One of them is Cutlist's own. Other files without objects are named."""
    for name in (".github/workflows/cutlist.yml", "values.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("jobs: {}\n")
    (tmp_path / "app.yaml").write_text(deployment())
    notes = Notes()
    read_documents([tmp_path], reading=Reading(recursive=True), notes=notes)
    assert [note.text for note in notes.all() if note.code == "foreign-file"] == [
        f"not read, since they hold no objects of Kubernetes: {tmp_path / 'values.yaml'}"
    ]
    assert notes.ledger.closed().sentence == "3 files: 1 read, 2 of configuration"


def test_a_folder_without_objects_says_what_files_it_has(tmp_path: Path) -> None:
    """A configuration that makes only a network holds nothing to plan, which is not the same as an empty folder."""
    problem = absence(tmp_path, main_tf='resource "aws_vpc" "main" {}\n', README_md="# A network\n")
    assert (problem.message, problem.details) == ("contains no object", ("2 files: 0 read, 1 Terraform, 1 other",))


def test_resources_of_a_configuration_are_no_objects(tmp_path: Path) -> None:
    """A node group of a module is read too, and is not among the kinds."""
    pytest.importorskip("hcl2")
    groups = (
        'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  eks_managed_node_groups = { a = { min_size = 1 } }\n}\n'
    )
    assert absence(tmp_path, app_yaml=deployment(), main_tf=groups).message == "no NodePool is in the input, only 1 Deployment"
