"""`cutlist diff`: two sides in, what is different out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from pulumi_cutlist.program.offline import Mode

from cutlist import plan, read_inputs
from cutlist_cli import main
from tests.infrastructure.projects import recorded
from tests.sample import SHOP, WORKLOADS
from tests.unit.cli.test_disrupt import CLUSTER, POOLS, named

_PROJECT = Path(__file__).resolve().parents[3]
APP = WORKLOADS
REGION = ("--region", "us-west-2")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, arguments), *REGION])


def answer(*arguments: str | Path) -> dict[str, Any]:
    result = run(*arguments, "-o", "json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def edited(tmp_path):
    """The pools of the docs without machines of category c."""
    file = tmp_path / "edited.yaml"
    file.write_text(POOLS.read_text().replace("[c, m, r]", "[m, r]"))
    return file


@pytest.fixture
def snapshot(tmp_path):
    """The cluster of the docs with its NodePool and class, as `cutlist snapshot` writes it."""
    file = tmp_path / "cluster.yaml"
    file.write_text(POOLS.read_text() + "\n---\n" + CLUSTER.read_text())
    return file


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose branch `main` has the pools of the docs; it is the working directory."""
    folder = tmp_path / "repo" / "karpenter"
    folder.mkdir(parents=True)
    (folder / "pools.yaml").write_text(POOLS.read_text())
    monkeypatch.chdir(folder.parent)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*identity, "commit", "-q", "-m", "pools"]):
        subprocess.run(["git", *command], check=True)
    return folder.parent


# --- plans


def test_equal_sides_are_the_same():
    """Nothing changes, and the exit code says so."""
    result = run(POOLS, POOLS, "-f", APP, "--strict")
    assert result.exit_code == 0
    assert "No change" in result.stdout


def test_what_changes_of_nodes_and_price_comes_first(tmp_path):
    """On-demand instead of spot: other nodes at another price, in JSON as numbers; with --strict the exit code is 1."""
    costlier = tmp_path / "costlier.yaml"
    costlier.write_text(POOLS.read_text().replace("[spot, on-demand]", "[on-demand]"))
    data = answer(POOLS, costlier, "-f", APP)
    assert not data["same"]
    assert data["pricePerHourChange"] > 0
    assert {change["capacityType"] for change in data["nodes"]} == {"spot", "on-demand"}
    result = run(POOLS, costlier, "-f", APP, "--strict")
    assert result.exit_code == 1
    assert "+$" in result.stdout


def test_stored_plans_are_compared_without_a_region(tmp_path, edited):
    """Two files of `cutlist plan -o json` are enough; they tell the same difference as the manifests."""
    files = []
    for name, pools in (("a.json", POOLS), ("b.json", edited)):
        made = CliRunner().invoke(main, ["plan", "-f", str(pools), "-f", str(APP), *REGION, "-o", "json"])
        files.append(tmp_path / name)
        files[-1].write_text(made.stdout)
    stored = CliRunner().invoke(main, ["diff", *map(str, files), "-o", "json"])
    found, direct = json.loads(stored.stdout), answer(POOLS, edited, "-f", APP)
    assert (found["nodes"], found["pending"]) == (direct["nodes"], direct["pending"])


def test_a_pod_that_starts_to_wait_is_reported(tmp_path):
    """A limit too small for the workloads leaves pods pending."""
    small = tmp_path / "small.yaml"
    small.write_text(POOLS.read_text().replace("cpu: 1000", "cpu: 1"))
    data = answer(POOLS, small, "-f", APP)
    assert data["pending"]
    assert all(one["change"] == "added" for one in data["pending"])
    assert "Pending" in run(POOLS, small, "-f", APP).stdout


def test_standard_input_counts_on_both_sides(edited):
    """What a chart renders to is piped in once and has the same workloads for OLD and NEW."""
    arguments = ["diff", str(POOLS), str(edited), "-f", "-", *REGION, "-o", "json"]
    piped = json.loads(CliRunner().invoke(main, arguments, input=APP.read_text()).stdout)
    assert piped["after"]["totals"]["pods"] == piped["before"]["totals"]["pods"] == 12
    assert piped["nodes"] == answer(POOLS, edited, "-f", APP)["nodes"]


# --- nodes that are replaced


# K-172 D-68
@pytest.mark.slow
def test_an_edit_says_which_nodes_it_replaces_by_which_rule_and_when(edited):
    """Two nodes are of category c: the empty one goes at once, the protected one only by its age."""
    drift = answer(POOLS, edited, "--cluster", CLUSTER)["drift"]
    assert [(one["nodeClaim"], one["reason"], one["members"]) for one in drift["replaced"]] == [
        ("general-1x11", "RequirementsDrifted", ["spec.template.spec.requirements"]),
        ("general-3x31", "RequirementsDrifted", ["spec.template.spec.requirements"]),
    ]
    assert [(turn["node"], turn["budget"], turn["starts"], turn["expires"]) for turn in drift["order"]] == [
        ("ip-10-0-3-31", "Empty", "2026-01-05T11:40:00Z", False),
        ("ip-10-0-1-11", "Drifted", "2026-02-04T08:00:00Z", True),
    ]
    assert run(POOLS, edited, "--cluster", CLUSTER, "--strict").exit_code == 1


# D-67
def test_an_edit_of_what_drifts_nothing_replaces_no_node(tmp_path):
    """Limits, weight and budgets leave all nodes as they are."""
    file = tmp_path / "limits.yaml"
    file.write_text(POOLS.read_text().replace("cpu: 1000", "cpu: 500"))
    result = run(POOLS, file, "--cluster", CLUSTER, "--strict")
    assert result.exit_code == 0
    assert "drift    0 of 4 nodes" in result.stdout


# D-70
def test_another_image_replaces_all_nodes_one_after_the_other(tmp_path):
    """A tenth of four is one node at a time; the two protected ones have no turn before they expire."""
    file = tmp_path / "image.yaml"
    file.write_text(POOLS.read_text().replace("v20260625", "v20260714"))
    found = answer(POOLS, file, "--cluster", CLUSTER)["drift"]
    assert {one["reason"] for one in found["replaced"]} == {"AMIDrift"}
    assert [turn["node"] for turn in found["order"]][:2] == ["ip-10-0-3-31", "ip-10-0-1-12"]
    text = run(POOLS, file, "--cluster", CLUSTER).stdout
    assert "4 of 4 nodes" in text
    assert "expire   2 nodes before drift gets to them" in text


def test_what_only_the_account_knows_is_reported_as_such(tmp_path):
    """Other subnets may be found or not."""
    file = tmp_path / "subnets.yaml"
    file.write_text(
        POOLS.read_text().replace(
            "subnetSelectorTerms:\n    - tags: {karpenter.sh/discovery: shop}", "subnetSelectorTerms:\n    - tags: {a: b}"
        )
    )
    text = run(POOLS, file, "--cluster", CLUSTER).stdout
    assert "perhaps  4 more nodes: only the account can tell" in text
    assert "4 nodes may drift by spec.subnetSelectorTerms (SubnetDrift)" in " ".join(text.split())


def test_a_node_pool_that_is_removed_takes_its_nodes_with_it(tmp_path, snapshot):
    """The cluster still has the NodePool; the new files do not: all its nodes are deleted, regardless of budgets."""
    renamed = tmp_path / "renamed.yaml"
    renamed.write_text(POOLS.read_text().replace("  name: general", "  name: other"))
    data = answer(POOLS, renamed, "--cluster", snapshot)
    (gone,) = data["drift"]["deleted"]
    assert (gone["nodePool"], len(gone["nodeClaims"])) == ("general", 4)
    assert not data["same"]
    text = " ".join(run(POOLS, renamed, "--cluster", snapshot).stdout.split())
    assert "deleted 4 nodes at once, as NodePool general is removed, regardless of budgets" in text
    assert (
        "**4 nodes deleted at once** with NodePool `general`"
        in run(POOLS, renamed, "--cluster", snapshot, "-o", "markdown").stdout
    )


def test_a_node_pool_of_the_cluster_that_no_file_has_stays(tmp_path, snapshot, edited):
    """Files of one team say nothing about the NodePools of another."""
    other = tmp_path / "other.yaml"
    other.write_text(POOLS.read_text().replace("  name: general", "  name: other"))
    data = answer(other, other, "--cluster", snapshot)
    assert (data["drift"]["deleted"], data["drift"]["replaced"], data["drift"]["nodes"]) == ([], [], 4)


def test_both_controllers_are_looked_at(tmp_path, edited):
    """A NodePool of EKS Auto Mode beside those of self-managed Karpenter does not keep anybody from an answer."""
    auto = tmp_path / "auto.yaml"
    auto.write_text(
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: auto}\nspec:\n  template:\n    spec:\n"
        "      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}\n      requirements: []\n"
    )
    data = answer(POOLS, edited, "-f", auto, "--cluster", CLUSTER)
    assert [one["nodeClaim"] for one in data["drift"]["replaced"]] == ["general-1x11", "general-3x31"]
    assert len(data["drift"]["order"]) == 2


def test_a_cluster_beside_a_proposal_shows_what_runs_against_what_would_run(snapshot, edited):
    """Four nodes run; all their pods would get new ones, and the nodes of category c are replaced."""
    data = answer(snapshot, edited)
    assert data["before"]["totals"]["nodes"] == 4
    assert 0 < data["after"]["totals"]["nodes"] < 4
    assert data["pricePerHourChange"] < 0
    assert [one["nodeClaim"] for one in data["drift"]["replaced"]] == ["general-1x11", "general-3x31"]


def test_two_clusters_are_compared_by_what_runs(snapshot, tmp_path):
    """A node that is missing in the second is one node less."""
    objects = [
        o for o in yaml.safe_load_all(snapshot.read_text()) if o["metadata"]["name"] not in ("ip-10-0-3-31", "general-3x31")
    ]
    later = tmp_path / "later.yaml"
    later.write_text(yaml.safe_dump_all(objects))
    data = answer(snapshot, later)
    assert [(c["change"], c["instanceType"]) for c in data["nodes"]] == [("removed", "c6a.large")]


# --- forms


def test_a_comment_has_the_nodes_that_are_replaced_below_the_change(edited):
    """Under 60 lines, with the rules by NodePool; the first sentence says which, when, and which only by their age."""
    result = run(POOLS, edited, "-f", APP, "--cluster", CLUSTER, "-o", "markdown")
    lines = result.stdout.splitlines()
    assert lines[2].startswith(
        "**2 of 4 nodes are replaced, from 2026-01-05 11:40:00Z on for at least 20s, but 1 goes only when it expires, "
        "from 2026-02-04 08:00:00Z on: the budget of NodePool general allows 10% at a time."
    )
    assert "**2 of 4 nodes replaced** (`general`: RequirementsDrifted), at least 20s, 1 node not before expiry." in lines
    assert "because" not in result.stdout  # all pods fit on nodes that run, and money says nothing of that
    assert len(lines) < 60
    assert (
        "No node is replaced by this (4 nodes looked at)." in run(POOLS, POOLS, "--cluster", CLUSTER, "-o", "markdown").stdout
    )


def test_yaml_says_what_json_says(edited):
    """Word for word."""
    written = run(POOLS, edited, "--cluster", CLUSTER, "-o", "yaml").stdout
    assert yaml.safe_load(written) == answer(POOLS, edited, "--cluster", CLUSTER)


# --- revisions


def test_a_revision_of_git_is_the_old_side(repository):
    """Against `main` nothing has changed; then a limit leaves pods pending."""
    assert run("--git", "main", "karpenter", "-f", APP, "--strict").exit_code == 0
    pools = repository / "karpenter" / "pools.yaml"
    pools.write_text(pools.read_text().replace("cpu: 1000", "cpu: 1"))
    result = run("--git", "main", "karpenter", "-f", APP, "--strict")
    assert result.exit_code == 1
    assert "From karpenter at main to karpenter" in result.stdout


def test_mistakes_of_a_revision_name_it(repository):
    """What is wrong in the old file is reported with its revision; a file that was not there then is missing there."""
    (repository / "karpenter" / "pools.yaml").write_text("kind: [")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qam", "broken"], check=True)
    (repository / "karpenter" / "pools.yaml").write_text(POOLS.read_text())
    result = run("--git", "main", "karpenter", "-f", APP)
    assert result.exit_code == 2
    assert "main:karpenter/pools.yaml" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--git", "nosuch", "karpenter"], "this repository has no revision 'nosuch'"),
        (["--git", "--help", "karpenter"], "this repository has no revision '--help'"),
        (["--git", "main", "a", "b"], "--git takes one side"),
        (["karpenter"], "OLD and NEW are needed"),
    ],
)
def test_what_is_asked_wrongly_is_said(repository, arguments, said):
    """Revisions that are not there, and too many or too few sides."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_outside_of_a_repository_there_is_no_revision(tmp_path, monkeypatch):
    """Git says why."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    result = run("--git", "main", POOLS)
    assert result.exit_code == 2
    assert "not a git repository" in result.stderr


# --- stacks


@pytest.fixture
def stacks(monkeypatch):
    """The project itself, with its stacks."""
    monkeypatch.chdir(_PROJECT)


@pytest.fixture
def imported_sdks():
    """Import what the programs of stacks use: each of the processes that are forked for them would do so otherwise."""
    recorded("dev", Mode.PREVIEW)


@pytest.mark.thorough
@pytest.mark.slow
def test_stacks_are_compared_by_the_plans_of_their_programs(stacks, imported_sdks):
    """A stack is like itself; a plan of it that was stored is like it as well; a file of its NodePools alone is not."""
    result = run("dev", "dev", "--strict")
    assert result.exit_code == 0, result.output
    data = answer("dev", "stacks/dev/node-pools.yaml")
    assert data["old"] == "dev"
    assert data["before"]["totals"]["nodes"] > 0
    assert data["after"]["totals"]["nodes"] == 0


def test_a_stack_that_is_not_there_is_reported(stacks):
    """With the stacks that are."""
    result = run("nosuch", "dev")
    assert result.exit_code == 2
    assert "nosuch" in result.stderr


def test_without_what_runs_stacks_the_message_says_what_to_install(monkeypatch):
    """The core alone knows no stacks."""
    monkeypatch.setitem(sys.modules, "pulumi_cutlist.stack.preview", None)
    monkeypatch.chdir(_PROJECT)
    result = run("dev", "dev")
    assert result.exit_code == 2
    assert "pip install 'cutlist[kubernetes]'" in " ".join(result.stderr.split())


def test_a_program_with_several_plans_is_refused(monkeypatch):
    """Which of them is meant is undetermined."""
    monkeypatch.setattr("pulumi_cutlist.stack.preview.planned", lambda project, name, time_limit: ((), ()))
    monkeypatch.chdir(_PROJECT)
    result = run("dev", "dev")
    assert result.exit_code == 2
    assert "the program of stack dev makes 2 plans" in result.stderr


@pytest.fixture
def project(monkeypatch, tmp_path):
    """A project with two stacks, and folders of the same names, whose plans are those of other pools than the folders hold."""
    names = ("dev", "prod")
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    for name in names:
        (tmp_path / f"Pulumi.{name}.yaml").write_text("config: {}\n")
        (tmp_path / name).mkdir()
        (tmp_path / name / "pools.yaml").write_text(POOLS.read_text())

    def planned(_project: Path, name: str, _time_limit: float | None) -> Any:
        pools = tmp_path / f"of-{name}.yaml"
        pools.write_text(POOLS.read_text().replace("cpu: 1000", f"cpu: {names.index(name) + 1}000"))
        inputs = read_inputs([pools, APP], region="us-west-2")
        return ((plan(inputs), inputs),)

    monkeypatch.setattr("pulumi_cutlist.stack.preview.planned", planned)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _limits(*arguments: str | Path) -> list[tuple[str, str]]:
    return [(field["before"], field["after"]) for one in answer(*arguments)["objects"] for field in one["fields"]]


def test_names_of_stacks_are_stacks_even_where_folders_have_these_names(project):
    """The answer says what it compared; folders are written as paths."""
    assert _limits("dev", "prod") == [("1000", "2000")]
    assert "Stacks dev and prod of the project in this folder" in run("dev", "prod").stdout
    assert _limits("./dev", "./prod") == []
    assert answer("./dev", "./prod")["compared"] is None


def test_a_folder_beside_the_name_of_no_stack_is_a_folder(project):
    """Only two stacks make a name that is also a folder's a stack."""
    (project / "next").mkdir()
    (project / "next" / "pools.yaml").write_text(POOLS.read_text().replace("cpu: 1000", "cpu: 7"))
    assert _limits("dev", "next") == [("1000", "7")]
    result = run("dev", "prod", "--watch")
    assert result.exit_code == 2
    assert "dev is a stack" in result.stderr


# --- bad input


def test_a_cluster_cut_off_in_the_middle_is_reported(tmp_path, edited):
    """A file that ends in the middle of an object is not a cluster."""
    file = tmp_path / "cluster.yaml"
    file.write_text(CLUSTER.read_text()[:4321])
    result = run(POOLS, edited, "--cluster", file)
    assert result.exit_code == 2
    assert "is not YAML" in " ".join(result.stderr.split())


def test_claims_without_nodes_and_nodes_without_claims_are_looked_at_all_the_same(tmp_path, edited):
    """A claim whose node is not there drifts and has no turn; a node without a claim does not belong to Karpenter."""
    objects = list(yaml.safe_load_all(CLUSTER.read_text()))
    gone = [named(objects, "Node", "ip-10-0-1-11"), named(objects, "NodeClaim", "general-3x31")]
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all([o for o in objects if o not in gone]))
    drift = answer(POOLS, edited, "--cluster", file)["drift"]
    assert drift["nodes"] == 3
    assert [(turn["nodeClaim"], turn["why"]) for turn in drift["order"]] == [
        ("general-1x11", "Nodeclaim does not have an associated node")
    ]


def test_a_stored_plan_has_no_nodes_to_replace(tmp_path):
    """A plan does not tell the objects that decide."""
    made = CliRunner().invoke(main, ["plan", "-f", str(POOLS), "-f", str(APP), *REGION, "-o", "json"])
    file = tmp_path / "plan.json"
    file.write_text(made.stdout)
    result = run(file, POOLS, "--cluster", CLUSTER)
    assert result.exit_code == 2
    assert "a plan does not hold the NodePools" in " ".join(result.stderr.split())


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("form", ["text", "markdown", "json", "yaml"])
def test_hostile_names_do_nothing_to_a_terminal_or_a_comment(tmp_path, edited, form):
    """A node whose name would colour the screen, and a pool that would be markup, are spelled out."""
    objects = list(yaml.safe_load_all(CLUSTER.read_text()))
    for kind, name in (("Node", "ip-10-0-3-31"), ("NodeClaim", "general-3x31")):
        named(objects, kind, name)["metadata"]["name"] = "\x1b[31m<b>\u202ered"
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all(objects))
    text = run(POOLS, edited, "--cluster", file, "-o", form).stdout
    assert not re.search(r"[\x1b\u202e]", text)
    assert "<b>" not in text or form != "markdown"


@pytest.mark.parametrize("width", [80, 120, 200])
def test_no_line_is_wider_than_the_page(width, edited):
    """The text fits its width."""
    text = run(POOLS, edited, "-f", APP, "--cluster", CLUSTER, "--width", str(width)).stdout
    assert max(map(len, text.splitlines())) <= width


_CLASS_REF = "      nodeClassRef"


def test_changed_fields_are_listed_without_a_cluster(edited):
    """With their values, and the rule by which nodes drift."""
    text = " ".join(run(POOLS, edited, "--width", "200").stdout.split())
    path = "spec.template.spec.requirements[karpenter.k8s.aws/instance-category].values"
    assert f'{path}: ["c", "m", "r"] -> ["m", "r"] some nodes (RequirementsDrifted)' in text
    edit = "NodePool general: requirement karpenter.k8s.aws/instance-category c, m, r to m, r some nodes (RequirementsDrifted)"
    assert edit in " ".join(run(POOLS, edited, "-f", APP, "--width", "200").stdout.split())
    (change,) = answer(POOLS, edited, "-f", APP)["objects"]
    (field,) = change["fields"]
    assert (change["name"], field["path"], field["rule"], field["nodes"]) == ("general", path, "RequirementsDrifted", "some")


def test_sides_without_workloads_say_so_first(edited):
    """There is no plan to compare: no word that it stays the same."""
    text = run(POOLS, edited).stdout
    assert text.startswith("No workload is on either side: only objects are compared.\n")
    assert "No change" not in text
    assert "nodes, price" not in text
    assert run(POOLS, POOLS).stdout.splitlines()[-1] == "No change: the objects are as before."


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_sides_of_different_scope_say_so_first(form, edited, tmp_path):
    """One side has the workloads, so that all nodes would seem to go."""
    (tmp_path / "both").mkdir()
    for file in (POOLS, APP):
        (tmp_path / "both" / file.name).write_text(file.read_text())
    result = run(tmp_path / "both", edited, "-o", form, *(("--width", "200") if form == "text" else ()))
    assert result.exit_code == 0, result.output
    said = "The sides differ in scope"
    first = result.stdout.partition("<h1>")[0] if form == "html" else result.stdout.splitlines()[0]
    assert said in first
    scope = answer(tmp_path / "both", edited)["scope"]
    assert (scope["old"]["workloads"], scope["new"]["workloads"]) == (True, False)


def test_replicas_of_a_nodepool_are_compared_with_none_but_not_with_workloads(tmp_path):
    """Nodes without a pod are a change of their own; beside the nodes of pods they tell nothing."""
    static = tmp_path / "static.yaml"
    static.write_text(POOLS.read_text().replace("  limits:\n    cpu: 1000\n    memory: 1000Gi", "  replicas: 2"))
    alone = run(POOLS, static).stdout
    assert "2 more nodes" in " ".join(alone.split())
    assert "differ in scope" not in alone
    (tmp_path / "both").mkdir()
    for file in (POOLS, APP):
        (tmp_path / "both" / file.name).write_text(file.read_text())
    assert run(static, tmp_path / "both", "--width", "200").stdout.startswith("The sides differ in scope")


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_no_change_is_never_said_above_nodes_that_are_replaced(form):
    """The pods get the same nodes in both plans, and those that run are replaced anyway."""
    result = run(POOLS, SHOP / "next", "-f", APP, "--cluster", CLUSTER, "-o", form)
    assert result.exit_code == 0, result.output
    assert "4 of 4 nodes" in result.stdout
    assert "No change" not in result.stdout


def test_an_edit_that_drifts_nodes_is_a_difference_without_a_cluster(tmp_path):
    """--strict is 1 though the plan stays the same; an edit that no node drifts by is not a difference."""
    drifting, harmless = tmp_path / "drifting.yaml", tmp_path / "harmless.yaml"
    drifting.write_text(POOLS.read_text().replace(_CLASS_REF, f"      expireAfter: 719h\n{_CLASS_REF}"))
    harmless.write_text(POOLS.read_text().replace("spec:\n  template", "spec:\n  weight: 7\n  template"))
    assert harmless.read_text() != POOLS.read_text() != drifting.read_text()
    assert run(POOLS, drifting, "-f", APP, "--strict").exit_code == 1
    assert run(POOLS, harmless, "-f", APP, "--strict").exit_code == 0


def test_nodes_of_a_file_without_nodes_are_refused(edited):
    result = run(POOLS, edited, "--cluster", APP)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no node of Karpenter is in the input" in " ".join(result.stderr.split())


def test_plans_of_nothing_are_refused(tmp_path):
    """Of plans in files there are no objects to compare either; where it is allowed, the first line says so."""
    empty = tmp_path / "empty.json"
    made = CliRunner().invoke(main, ["plan", "-f", str(POOLS), *REGION, "-o", "json", "--allow-empty"])
    empty.write_text(made.stdout)
    refused = run(empty, empty)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "neither plan has any pods" in " ".join(refused.stderr.split())
    lines = run(empty, empty, "--allow-empty").stdout.splitlines()
    assert lines[0] == "Neither side has a pod: there is nothing to compare."
    assert "objects" not in " ".join(lines)


def test_replicas_of_a_workload_that_one_side_lacks_count_for_the_other(tmp_path):
    """A new workload is planned with the chosen number; the old side is as it is written."""
    new = tmp_path / "new.yaml"
    new.write_text(f"{APP.read_text()}\n---\n{APP.read_text().split('---')[0].replace('web', 'api')}")
    written, chosen = (answer(APP, new, "-f", POOLS, *more) for more in ((), ("--replicas", "api=30")))
    before, after = ([side[when]["totals"]["pods"] for side in (written, chosen)] for when in ("before", "after"))
    assert (before[1] - before[0], after[1] - after[0]) == (0, 30 - 12)


def test_replicas_of_a_workload_that_no_side_has_are_refused():
    """A misspelt name is still a mistake."""
    result = run(POOLS, POOLS, "-f", APP, "--replicas", "wbe=3")
    assert result.exit_code == 2
    assert result.stderr.count("no workload 'wbe' with replicas is in the input") == 1
    assert "did you mean" in result.stderr
