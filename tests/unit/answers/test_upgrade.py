"""The upgrade gate: what changes between two versions of Karpenter, and what stands in the way."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cutlist.answers.upgrade import upgrade
from cutlist.api import nodepool_hash
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.charts.notes import NOTES, hash_version
from cutlist.infrastructure.charts.upgrade import Delta, Subject, changes_between
from cutlist_cli import main

VERSIONS = st.builds(KarpenterVersion, st.just(1), st.integers(0, 14), st.integers(0, 3))


def texts(before: str, after: str, subject: Subject) -> list[str]:
    return [delta.text for delta in upgrade(before, after).of(subject)]


# I-54
def test_a_minor_upgrade_tells_crds_and_settings():
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
    needed = Delta(Subject.PERMISSIONS, "ec2:DescribeInstanceStatus (F1)", is_first=True)
    found = changes_between(KarpenterVersion(1, 11, 3), KarpenterVersion(1, 12, 0), permissions=[needed], obstacles=["no"])
    assert found.of(Subject.PERMISSIONS) == (needed,)
    assert found.obstacles == ("no",)
    assert next(iter(Subject)) is Subject.PERMISSIONS


def test_settings_that_are_gone_say_what_took_their_place():
    gone = texts("0.37.8", "1.0.14", Subject.SETTINGS)
    assert "logConfig.logLevel.controller is removed; it is logLevel" in gone
    assert "settings.assumeRoleARN is removed" in gone
    assert "controller.metrics.port was 8000 and is 8080" in texts("0.37.8", "1.0.14", Subject.DEFAULTS)


def test_what_is_to_do_first_is_told_first():
    for subject in Subject:
        order = [delta.is_first for delta in upgrade("0.33.0", "1.14.1").of(subject)]
        assert order == sorted(order, reverse=True)


def test_a_hash_version_that_changes_is_told():
    [told] = texts("1.11.3", "1.12.0", Subject.HASHES)
    assert told.startswith("the hash of EC2NodeClass was v4 and is v5")
    assert texts("1.12.0", "1.14.1", Subject.HASHES) == []


def test_the_hash_versions_of_today_are_those_that_are_written():
    """The table ends with what plans and comparisons write."""
    today = KarpenterVersion(1, 14, 1)
    assert hash_version(EC2NodeClass.KIND, today) == DEFAULT.ec2_node_class_hash
    assert hash_version("NodePool", today) == nodepool_hash.HASH_VERSION_OF_LINE


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
    found = upgrade(before, after)
    assert [str(stop) for stop in found.stops] == stops
    assert bool(found.obstacles) == bool(stops)


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
    assert all(delta.is_first for delta in found)


def test_permissions_of_versions_that_are_not_known_are_not_guessed():
    [told] = upgrade("0.37.8", "1.0.14").of(Subject.PERMISSIONS)
    assert "compare the policies of 0.37.8 and 1.0.14 yourself" in told.text


# I-3
def test_a_pair_that_does_not_fit_is_an_obstacle():
    """With the smallest version that fits; a version of Kubernetes that is not known is a mistake instead."""
    [obstacle] = upgrade("1.5.0", "1.6.8", "1.35").obstacles
    assert "does not fit Kubernetes 1.35" in obstacle
    assert "1.9.0" in obstacle
    assert upgrade("1.12.0", "1.14.1", "1.36").obstacles == ()
    with pytest.raises(InputError, match="--kubernetes"):
        upgrade("1.12.0", "1.14.1", "1.99")


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
    assert [problem.place.path for problem in caught.value.problems] == ["--from", "--to"]
    with pytest.raises(InputError, match=r"--to: 1.12.0 is older than 1.14.1"):
        upgrade("1.14.1", "1.12.0")


def run(*arguments: str):
    return CliRunner().invoke(main, ["upgrade", *arguments])


# I-54
def test_the_command_prints_what_changes():
    done = run("--from", "1.12.0", "--to", "1.14.1", "--width", "100")
    assert done.exit_code == 0
    assert "  first  upgrade the chart karpenter-crd to 1.14.1 before the controller\n" in done.stdout
    assert done.stdout.endswith("1 thing to do first, 4 changes to know of.\n")


def test_the_command_ends_with_one_when_it_cannot_be_done():
    done = run("--from", "0.32.10", "--to", "1.14.1", "-o", "json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["stops"] == ["0.37.8", "1.0.14"]
    assert found["obstacles"] == ["go by way of 0.37.8, then 1.0.14, with the CRDs of each, and convert all objects there"]
    assert {"subject": "API versions", "text": "v1beta1 is served no more", "first": True} in found["changes"]


def test_the_command_says_when_nothing_changes():
    assert run("--from", "1.14.1", "--to", "v1.14.1").stdout.endswith("Nothing changes.\n")
    assert run("--from", "1.14.1", "--to", "1.14").exit_code == 2
