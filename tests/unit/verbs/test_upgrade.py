"""The upgrade gate: what changes between two versions of Karpenter, and what stands in the way."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.hashes import hash_version
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.charts.notes import NOTES, Subject, When
from cutlist.infrastructure.charts.upgrade import ChartDelta, changes_between
from cutlist.verbs.upgrade.answer import upgrade
from cutlist_cli import main

VERSIONS = st.builds(KarpenterVersion, st.just(1), st.integers(0, 15), st.integers(0, 3))


def texts(before: str, after: str, subject: Subject) -> list[str]:
    return [delta.text for delta in upgrade(before, after).of(subject)]


# I-54
def test_a_minor_upgrade_lists_crds_and_settings():
    assert texts("1.12.0", "1.14.1", Subject.CRDS) == [
        "upgrade the chart karpenter-crd to 1.14.1 before the controller",
        "capacitybuffers.autoscaling.x-k8s.io is new",
    ]
    assert texts("1.12.0", "1.14.1", Subject.SETTINGS) == [
        "settings.amiRefreshInterval is new",
        "settings.subnetRefreshInterval is new",
        "settings.featureGates.capacityBuffer is new",
    ]


# I-54
def test_permissions_that_are_joined_come_first():
    """What the role has to be granted before is worked out with the policies, and stands above everything else."""
    needed = ChartDelta(Subject.PERMISSIONS, "ec2:DescribeInstanceStatus (F1)", when=When.FIRST)
    found = changes_between(KarpenterVersion(1, 11, 3), KarpenterVersion(1, 12, 0), permissions=[needed], obstacles=["no"])
    assert found.of(Subject.PERMISSIONS) == (needed,)
    assert found.obstacles == ("no",)
    assert next(iter(Subject)) is Subject.PERMISSIONS


def test_settings_that_are_removed_say_what_took_their_place():
    removed = texts("0.37.8", "1.0.14", Subject.SETTINGS)
    assert "logConfig.logLevel.controller is removed; it is logLevel" in removed
    assert "settings.assumeRoleARN is removed" in removed
    assert "controller.metrics.port was 8000 and is 8080" in texts("0.37.8", "1.0.14", Subject.DEFAULTS)


def test_what_is_to_be_done_first_comes_first():
    for subject in Subject:
        order = [list(When).index(delta.when) for delta in upgrade("0.33.0", "1.14.1").of(subject)]
        assert order == sorted(order)


def test_a_hash_version_that_changes_is_a_change():
    edits, hashes = texts("1.11.3", "1.12.0", Subject.HASHES)
    assert edits.startswith("make edits of the EC2NodeClass only once all its NodeClaims carry v5")
    assert hashes.startswith("the hash of EC2NodeClass was v4 and is v5")
    assert texts("1.12.0", "1.14.1", Subject.HASHES) == []


def test_the_hash_versions_of_today_are_those_that_are_written():
    """Plans and comparisons write those of the table."""
    for baseline in BASELINES:
        assert hash_version(EC2NodeClass.KIND, baseline.release).version == baseline.ec2_node_class_hash
        assert hash_version("NodePool", baseline.release).version == baseline.node_pool_hash


@pytest.mark.parametrize(
    ("before", "after", "stops"),
    [
        ("0.31.5", "0.32.10", []),
        ("0.31.5", "1.14.1", ["0.32.10", "0.37.8", "1.0.14"]),
        ("0.32.10", "1.14.1", ["0.37.8", "1.0.14"]),
        ("0.33.0", "1.0.14", []),
        ("0.36.0", "1.2.0", ["1.0.14"]),
        ("1.0.0", "1.14.1", []),
    ],
)
def test_an_upgrade_stops_where_objects_can_be_converted(before, after, stops):
    answer = upgrade(before, after)
    assert [str(stop) for stop in answer.stops] == stops
    assert bool(answer.obstacles) == bool(stops)
    steps = [delta.text.split(":")[0] for delta in answer.of(Subject.API) if delta.text.startswith("stop at ")]
    assert steps == [f"stop at {stop}" for stop in stops]


def test_a_withdrawn_version_is_an_obstacle():
    assert "withdrawn" in upgrade("1.7.0", "1.8.4").obstacles[0]
    assert upgrade("1.8.4", "1.8.5").obstacles == ()


# I-54 I-29
@pytest.mark.parametrize(
    ("before", "after", "granted"),
    [
        ("1.6.8", "1.7.0", ["iam:ListInstanceProfiles"]),
        ("1.10.2", "1.11.0", ["ec2:CreateFleet", "ec2:DescribePlacementGroups", "ec2:RunInstances"]),
        ("1.11.3", "1.12.0", ["arc-zonal-shift:GetManagedResource", "ec2:DescribeInstanceStatus"]),
        ("1.12.0", "1.14.1", []),
        ("1.14.0", "1.14.1", []),
    ],
)
def test_permissions_are_granted_before_the_controller_asks(before, after, granted):
    found = upgrade(before, after).of(Subject.PERMISSIONS)
    assert sorted(delta.text.split()[1] for delta in found) == granted
    assert all(delta.when is When.FIRST for delta in found)


def test_permissions_of_versions_that_are_not_known_are_not_guessed():
    [permissions] = upgrade("0.37.8", "1.0.14").of(Subject.PERMISSIONS)
    assert "compare the policies of 0.37.8 and 1.0.14 yourself" in permissions.text


# I-3
def test_a_pair_that_does_not_fit_is_an_obstacle():
    """With the smallest version that fits; a version of Kubernetes that is not known is a mistake instead."""
    [obstacle] = upgrade("1.5.0", "1.6.8", "1.35").obstacles
    assert "does not fit Kubernetes 1.35" in obstacle
    assert "1.9.0" in obstacle
    assert upgrade("1.12.0", "1.14.1", "1.36").obstacles == ()
    with pytest.raises(InputError, match="kubernetes"):
        upgrade("1.12.0", "1.14.1", "1.99")


def cited(before: str, after: str) -> str:
    return "\n".join(delta.cited for delta in upgrade(before, after).deltas)


def test_each_behaviour_of_a_release_is_a_change_with_its_statements():
    """But for what the API server does by itself."""
    deltas = upgrade("1.14.1", "1.15.2").of(Subject.BEHAVIOUR)
    for behaviour in set(Behaviour) - {Behaviour.API_SERVER_NAMES_FORMATS}:
        [delta] = [delta for delta in deltas if delta.text.endswith(f": {behaviour.text}")]
        assert delta.statements == behaviour.statements
    assert "API server 1.37" not in cited("1.14.1", "1.15.2")


# VA15-120
def test_a_provider_on_the_same_core_is_a_release_of_its_own():
    """1.15.2 knows the devices of more instance types than 1.15.1, and nothing else."""
    [delta] = upgrade("1.15.1", "1.15.2").of(Subject.BEHAVIOUR)
    assert delta.text.startswith("1.15.2: The provider knows the GPUs of 60 instance types")
    assert {delta.subject for delta in upgrade("1.15.1", "1.15.2").deltas} == {
        *(Subject.BEHAVIOUR, Subject.CONTROLLER, Subject.CRDS),
    }


# V15-64 V15-65 VA15-110
@pytest.mark.parametrize(("old", "new"), list(pairwise(BASELINES)))
def test_each_gate_and_flag_of_a_release_is_a_change(old, new):
    settings = " ".join(texts(str(old), str(new), Subject.SETTINGS))
    gates = (new.feature_gates | new.aws_feature_gates) - (old.feature_gates | old.aws_feature_gates)
    for name in gates | (new.flags - old.flags):
        assert name in settings


def test_every_statement_on_installing_the_release_is_named():
    """Settings, permissions and metrics of the two pages; two of them are of tests and the queue."""
    named = cited("1.14.1", "1.15.1")
    rows = [(f"V15-{n}", n) for n in range(60, 80)] + [(f"VA15-{n}", n) for n in (*range(100, 103), *range(110, 120))]
    spans = [(a, int(b), int(c)) for a, b, c in re.findall(r"\b(VA?15)-(\d+) to VA?15-(\d+)", named)]
    silent = {
        name
        for name, number in rows
        if not re.search(rf"\b{name}\b", named)
        and not any(name.startswith(f"{letter}-") and first <= number <= last for letter, first, last in spans)
    }
    assert silent == {f"{letter}-{number}" for letter, number in (("VA15", 117), ("VA15", 119))}


# V15-67 V15-76 V15-77 V15-78 V15-79
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("V15-67", ["VerticalPodAutoscalers decide nothing"]),
        ("V15-76", ["consolidation_policy and termination_mode", "nodepool", "dynamic_resources"]),
        ("V15-77", ["terminate-first decisions, reboots and writes of pod-deletion-cost"]),
        ("V15-78", ["the reason in lower case: change dashboards and alerts", "may be terminate-first or reboot"]),
        ("V15-79", ["firstAvailable are resolved", "mode All needs a device", "at most 32"]),
        ("VA15-68", ["Nitro Enclaves do not share the availability"]),
        ("VA15-82", ["the start prices are newer"]),
        ("VA15-90", ["types carry GPUs and EFA behind gates"]),
        ("VA15-115", ["shown by the class as InstanceProfileNotFound"]),
    ],
)
def test_what_decides_nothing_here_is_a_change_all_the_same(statement, words):
    """Metrics of users' own dashboards, and devices that plans leave alone."""
    deltas = [d for d in upgrade("1.14.1", "1.15.1").of(Subject.BEHAVIOUR) if statement in d.statements.split(", ")]
    assert [word for word in words if word not in deltas[-1].text] == []
    assert not any(statement in d.statements for d in upgrade("1.15.0", "1.15.1").deltas)


# V15-1 V15-74 V15-75 VA15-66
def test_a_patch_release_that_is_known_by_itself_has_its_changes():
    """Those of 1.14.3, which 1.15 has too; from 1.14.3 on they are not changes."""
    patch = texts("1.14.1", "1.14.3", Subject.BEHAVIOUR)
    assert [text.split()[1] for text in patch] == ["classes", "a", "CapacityBuffers", "minValues", "SpotMaxPriceTooLow"]
    assert set(patch) < set(texts("1.14.1", "1.15.0", Subject.BEHAVIOUR))
    assert not set(patch) & set(texts("1.14.3", "1.15.0", Subject.BEHAVIOUR))
    assert upgrade("1.14.1", "1.14.3").notes == ()


# VA15-20 VA15-24
def test_a_hash_version_that_is_bumped_replaces_no_node():
    after, delta = upgrade("1.14.1", "1.15.1").of(Subject.HASHES)
    assert after.when is When.AFTER
    assert delta.text.startswith("the hash of EC2NodeClass was v5 and is v6: no node is replaced for that alone.")
    assert "the new hash on those that are not drifted" in delta.text
    assert delta.statements == "VA15-20 to VA15-24"


# VA15-113 VA15-114
def test_a_permission_that_a_gate_needs_need_not_be_granted_first():
    permissions = upgrade("1.14.1", "1.15.1").of(Subject.PERMISSIONS)
    assert [delta.when for delta in permissions] == [When.NOTHING, When.NOTHING]
    assert "ec2:RebootInstances" in permissions[1].text
    assert "RebootForRepair" in permissions[1].text


# VA15-2 VA15-11
def test_a_class_that_may_become_not_ready_is_checked_first():
    first = [delta for delta in upgrade("1.14.1", "1.15.1").of(Subject.BEHAVIOUR) if delta.when is When.FIRST]
    assert ["cutlist validate --karpenter 1.15" in delta.text for delta in first] == [True]


@pytest.mark.parametrize("old", [("--to", "1.15.1"), ("--to=v1.15.1",)])
def test_the_old_word_for_the_version_still_works(old):
    """A version is no file; the note goes to standard error, where it is in no answer's way."""
    done, new = run("--from", "1.14.1", *old, "-o", "json"), run("--from", "1.14.1", "--target", "1.15.1", "-o", "json")
    assert (done.exit_code, done.stdout) == (0, new.stdout)
    assert done.stderr == "note: --to names a file, as in other commands; write --target for the version to go to\n"
    assert new.stderr == ""


def test_an_upgrade_is_written_to_a_file(tmp_path):
    """In the form that its name ends in, as every answer is."""
    done = run("--from", "1.14.1", "--target", "1.15.1", "--to", str(tmp_path / "upgrade.md"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "upgrade.md").read_text() == run("--from", "1.14.1", "--target", "1.15.1", "-o", "markdown").stdout
    assert "Missing option '--target'" in run("--from", "1.14.1", "--to", "upgrade.md").stderr


@pytest.mark.parametrize("version", ["9.9.9", "1.16.0", "0.38.0", "0.0.1", "2.0.0"])
def test_a_version_that_is_not_known_is_refused_with_those_that_are(version):
    done = run("--from", version, "--target", "1.15.1")
    assert done.exit_code == 2
    assert f"--from: Karpenter {version} is not known" in done.stderr
    assert "allowed: 0.1 to 0.37, 1.0 to 1.15" in done.stderr
    assert run("--from", "1.14.1", "--target", version).exit_code == 2


@pytest.mark.parametrize(
    ("version", "note"),
    [
        ("1.14.0", "Karpenter 1.14.0 counts as 1.14.1, the first release of 1.14 known here"),
        ("1.14.2", "Karpenter 1.14.2 counts as 1.14.1, the latest release of 1.14 known here that is not after it"),
        (
            "1.15.7",
            "Karpenter 1.15.7 counts as 1.15.2 with core 1.15.0, the latest release of 1.15 known here that is not after it",
        ),
    ],
)
def test_a_patch_release_counts_as_one_that_is_known_with_a_note(version, note):
    assert upgrade("1.12.0", version).notes == (note,)
    shown = [run("--from", "1.12.0", "--target", version, "-o", form).stdout for form in ("text", "markdown", "json")]
    assert all(note in " ".join(text.split()) for text in shown)
    assert json.loads(shown[2])["notes"] == [note]


@given(VERSIONS)
def test_nothing_changes_between_a_version_and_itself(version):
    assert changes_between(version, version).deltas == ()


@given(st.lists(VERSIONS, min_size=3, max_size=3).map(sorted))
def test_two_upgrades_say_together_what_one_says(versions):
    """By way of a version in between nothing gets lost but what that version alone had, and nothing is invented."""
    first, between, last = versions
    lasting = (Subject.DEFAULTS, Subject.BEHAVIOUR)
    at_once = [d for d in changes_between(first, last).deltas if d.subject in lasting]
    in_steps = [
        d for d in (*changes_between(first, between).deltas, *changes_between(between, last).deltas) if d.subject in lasting
    ]
    assert sorted(in_steps, key=at_once.index) == at_once


def test_notes_are_in_the_order_of_versions():
    assert [note.since for note in NOTES] == sorted(note.since for note in NOTES)


def test_both_versions_are_read_before_anything_is_refused():
    with pytest.raises(InputError) as caught:
        upgrade("1.12", "newest")
    assert [problem.place.path for problem in caught.value.problems] == ["after", "before"]
    with pytest.raises(InputError, match=r"after: 1.12.0 is older than 1.14.1"):
        upgrade("1.14.1", "1.12.0")


def run(*arguments: str):
    return CliRunner().invoke(main, ["upgrade", *arguments])


# I-54
def test_the_command_prints_what_changes():
    done = run("--from", "1.12.0", "--target", "1.14.1", "--width", "100")
    assert done.exit_code == 0
    assert "  first  upgrade the chart karpenter-crd to 1.14.1 before the controller\n" in done.stdout
    assert done.stdout.endswith("1 thing to do first, 1 with the upgrade, 0 after it, 4 changes to know of.\n")


def test_the_command_ends_with_one_when_it_cannot_be_done():
    done = run("--from", "0.32.10", "--target", "1.14.1", "-o", "json")
    assert done.exit_code == 1
    data = json.loads(done.stdout)
    assert data["stops"] == ["0.37.8", "1.0.14"]
    assert data["obstacles"] == ["go by way of 0.37.8, then 1.0.14, with the CRDs of each, and convert all objects there"]
    served_no_more = {
        "subject": "API versions",
        "text": "v1beta1 is served no more",
        "first": True,
        "statements": "",
        "when": "first",
    }
    assert served_no_more in data["changes"]


def test_the_command_says_when_nothing_changes():
    assert run("--from", "1.14.1", "--target", "v1.14.1").stdout.endswith("Nothing changes: 1.14.1 is both versions.\n")
    assert run("--from", "1.14.1", "--target", "1.14").exit_code == 2


# VA15-11
def test_changes_as_markdown_have_boxes_for_what_is_to_do_first():
    shown = run("--from", "1.14.1", "--target", "1.15.1", "-o", "markdown").stdout
    assert shown.startswith("## Karpenter 1.14.1 to 1.15.1\n\n**2 things to do first, ")
    assert "\n### CRDs\n\n- [ ] first: upgrade the chart karpenter-crd to 1.15.1 before the controller\n" in shown
    assert [shown.count(f"- [ ] {when}: ") for when in ("first", "with", "after")] == [2, 1, 2]
    assert "\n\n\n" not in shown


def test_changes_as_json_have_their_statements():
    shown = json.loads(run("--from", "1.14.1", "--target", "1.15.1", "-o", "json").stdout)
    statements = {change["text"]: change["statements"] for change in shown["changes"]}
    assert statements["EC2NodeClass: spec.enclaveOptions.enabled is new"] == "VA15-50, VA15-116"
    assert statements["upgrade the chart karpenter-crd to 1.15.1 before the controller"] == ""
