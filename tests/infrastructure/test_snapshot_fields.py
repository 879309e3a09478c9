"""The list of fields that a snapshot keeps: nothing beside it survives, and nothing that counts is missing from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place, Problems
from cutlist.documents.document import Document
from cutlist.workloads.gangs.declared import DeclaredGangs
from cutlist_live.allowed import NAMES, PLAIN, Allowed, Members, Names, kept
from cutlist_live.fields import ANNOTATIONS
from cutlist_live.kinds import KINDS
from tests.conformance import devices, disrupt, schedule, test_devices, test_disrupt_vectors, test_schedule_vectors
from tests.conformance.judges import disrupt as disrupt_judge
from tests.recorded import VECTORS
from tests.unit.planning.manifests import deployment, plan_of, pool

MANY = 20
"""The least number of recorded clusters of which a snapshot leaves something out."""
_BY_KIND = {(k.group, k.kind): k for k in KINDS}
_words = st.text("abcdefgh/.-", min_size=1, max_size=6)
_scalars = st.none() | st.booleans() | st.integers(-9, 9) | _words
_anything = st.recursive(_scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3))


def _manifests(allowed: Allowed) -> st.SearchStrategy[Any]:
    """Values of the listed shape with foreign members everywhere, and now and then something else altogether."""
    if not isinstance(allowed, Members):
        return (
            st.dictionaries(_words | st.sampled_from(["karpenter.sh/do-not-disrupt", "helm.sh/hook"]), _anything, max_size=4)
            | _anything
        )
    listed = {name: st.deferred(lambda member=member: _manifests(member)) for name, member in allowed.members.items()}
    one = st.tuples(st.fixed_dictionaries({}, optional=listed), st.dictionaries(_words, _anything, max_size=2))
    member = one.map(lambda both: {**both[1], **both[0]})
    return member | st.lists(member, max_size=2) | _anything


def _strangers(allowed: Allowed, value: Any, path: str = "") -> Iterator[str]:
    """Paths of a value that are not on the list."""
    if isinstance(value, list):
        for one in value:
            if isinstance(one, list) or (isinstance(one, dict) and allowed == PLAIN):
                yield path
            else:
                yield from _strangers(allowed, one, path)
    elif isinstance(value, dict):
        for name, member in value.items():
            if isinstance(allowed, Members) and name in allowed.members:
                yield from _strangers(allowed.members[name], member, f"{path}.{name}")
            elif not isinstance(allowed, Names) or not allowed.has(name) or isinstance(member, dict | list):
                yield f"{path}.{name}"


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), _manifests(kind.fields))))
def test_no_field_beside_the_list_survives(drawn):
    """Whatever an API server sends: what is written has listed members only, and plain values at the ends."""
    kind, sent = drawn
    found = kept(kind.fields, sent)
    assert list(_strangers(kind.fields, found)) == []


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), _manifests(kind.fields))))
def test_what_was_kept_is_kept_again(drawn):
    """A snapshot of a snapshot is the same."""
    kind, sent = drawn
    once = kept(kind.fields, sent)
    assert kept(kind.fields, once) == once


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("karpenter.sh/do-not-disrupt", True),
        ("karpenter.k8s.aws/ec2nodeclass-hash", True),
        ("compatibility.karpenter.sh/v1beta1-kubelet-conversion", True),
        ("controller.kubernetes.io/pod-deletion-cost", True),
        ("pv.kubernetes.io/bind-completed", True),
        ("kubectl.kubernetes.io/last-applied-configuration", False),
        ("evil-karpenter.sh/token", False),
        ("karpenter.sh", False),
        ("helm.sh/hook-weight", False),
    ],
)
def test_annotations_are_kept_by_name(name, is_kept):
    """Karpenter's own and those that change an answer; a name that merely looks like one is not."""
    assert kept(ANNOTATIONS, {name: "x"}) == ({name: "x"} if is_kept else {})


def test_null_and_empty_stay_what_they_are():
    """A container status with empty resources means something else than one without."""
    allowed = Members({"resources": Members({"requests": NAMES}), "gone": PLAIN})
    assert kept(allowed, {"resources": {}, "gone": None}) == {"resources": {}, "gone": None}


def test_claims_of_a_snapshot_have_a_size_and_a_price():
    """What the driver makes of a claim depends on its size and on parameters of its class."""
    # VL-9, VL-10
    parameters = {"type": "gp3", "iops": "4000", "kmsKeyId": "arn:aws:kms:us-west-2:1:key/a"}
    written = [
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "fast"},
            "provisioner": "ebs.csi.aws.com",
            "volumeBindingMode": "WaitForFirstConsumer",
            "parameters": parameters,
        },
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "data", "namespace": "default"},
            "spec": {"storageClassName": "fast", "resources": {"requests": {"storage": "50Gi"}}},
        },
    ]
    (made, claim) = (_reduced(one) for one in written)
    assert made["parameters"] == {"type": "gp3", "iops": "4000"}
    using = "volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]"
    documents = yaml.safe_dump_all([made, claim], explicit_start=True)
    (volume,) = plan_of(pool(), f"\n{documents}", deployment(replicas=1, extra=using)).volumes
    assert (volume.type, volume.gib, volume.iops, volume.unpriced) == ("gp3", 50, 4000, "")


GROUPS = [
    {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "alone", "namespace": "default"},
        "spec": {"schedulingPolicy": {"basic": {}}},
    },
    {
        "apiVersion": "scheduling.k8s.io/v1alpha1",
        "kind": "Workload",
        "metadata": {"name": "train", "namespace": "default"},
        "spec": {"podGroups": [{"name": "a", "policy": {"basic": {}}}, {"name": "b", "policy": {"gang": {"minCount": 2}}}]},
    },
]


def test_groups_of_a_snapshot_can_be_read_again():
    """Also those whose pods are bound one by one: an empty policy says so."""
    # GA-1 GA-9
    written = [_reduced(group) for group in GROUPS]
    assert written == GROUPS
    problems = Problems()
    declared = DeclaredGangs.read([Document(Place("s.yaml", 1), group, {}) for group in written], problems)
    assert (problems.found, len(declared.needs), len(declared.independent)) == ([], 1, 2)


def _reduced(raw: Any) -> Any:
    """A scenario whose cluster objects are what a snapshot keeps of them, in every step."""
    if isinstance(raw, list):
        return [_reduced(one) for one in raw]
    if not isinstance(raw, dict):
        return raw
    group, _, version = str(raw.get("apiVersion", "v1")).rpartition("/")
    kind = _BY_KIND.get((group, raw.get("kind", ""))) if "metadata" in raw else None
    if kind is not None:
        return kind.kept(raw, version)
    return {name: _reduced(member) for name, member in raw.items()}


def _reduced_file(path: Path, folder: Path) -> Path | None:
    """Write a scenario with what a snapshot keeps of it; None where that is all of it, so that nothing can be missing."""
    raw = json.loads(path.read_text())
    kept_alone = _reduced(raw)
    if kept_alone == raw:
        return None
    file = folder / path.name
    file.write_text(json.dumps(kept_alone))
    return file


def _scheduling_differences(path: Path, answer: Any) -> list[str]:
    return test_schedule_vectors.differences(path, answer)


def _disruption_differences(path: Path, answer: Any) -> list[str]:
    recorded = test_disrupt_vectors.recorded(path)
    return disrupt_judge.compare(recorded, json.loads(json.dumps(answer)), messages=True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("vectors", "answer", "differences"),
    [
        pytest.param(test_disrupt_vectors, disrupt.answer, _disruption_differences, id="disruption"),
        pytest.param(test_schedule_vectors, schedule.answer, _scheduling_differences, id="scheduling"),
    ],
)
def test_answers_need_no_other_field(vectors, answer, differences, tmp_path, monkeypatch):
    """Every recorded cluster, reduced to what a snapshot keeps, is answered as Karpenter answered the whole one."""
    monkeypatch.setenv("CUTLIST_VECTORS", str(VECTORS))
    reduced = {
        path: file
        for name, path in vectors.RECORDED.items()
        if name not in vectors.PENDING and path.is_relative_to(VECTORS) and (file := _reduced_file(path, tmp_path)) is not None
    }
    assert len(reduced) > MANY
    assert [path.name for path, file in reduced.items() if differences(path, answer(file))] == []


@pytest.mark.thorough
def test_claims_and_devices_need_no_other_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of the recorded scenarios with claims: slices, their counters, allocations, statuses of pods."""
    monkeypatch.setenv("CUTLIST_VECTORS", str(test_devices.ROOT))
    files = {name: _reduced_file(path, tmp_path) for name, path in test_devices.RECORDED.items()}
    reduced = {name: file for name, file in files.items() if file is not None}
    assert len(reduced) > MANY
    assert [name for name, file in reduced.items() if test_devices.differences(name, devices.answer(file))] == []
