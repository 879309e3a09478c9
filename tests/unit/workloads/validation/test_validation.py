"""Each case is judged as Kubernetes' own code judges it, at the same paths (docs/spec/workloads.md, W-1 to W-98)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from cutlist import validate
from cutlist.core.errors import Place, Problem, Problems
from cutlist.documents.document import Document
from cutlist.workloads.validation.kinds import KINDS, check_object
from tests.unit.workloads.validation.cases import CASES, TABLES, Case, Table
from tests.unit.workloads.validation.mutations import answers as answers_to_mutations
from tests.unit.workloads.validation.mutations import mutations
from tests.unit.workloads.validation.objects import OBJECTS, changed
from tests.unit.workloads.validation.record import MINORS, answers

ANSWERS: Final = {minor: answers(minor) for minor in MINORS}
MANIFEST: Final = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    metadata:
      labels: {app: a b}
    spec:
      containers:
      - {name: main, image: nginx,
         resources: {requests: {
           cpus: 1,
           memory: "-1"}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
"""
SAID_TWICE: Final[Mapping[str, Collection[str]]] = {
    "wrong generated name": ["metadata.name"],
    "resource with two slashes": ["spec.containers[0].resources.requests[a/b/c]"],
    "quota's name of a resource": ["spec.containers[0].resources.requests[requests.example.com/gpu]"],
    "fraction of a GPU": ["spec.containers[0].resources.requests[nvidia.com/gpu]"],
    "half a huge page": ["spec.containers[0].resources.requests[hugepages-2Mi]"],
    "huge pages without size": ["spec.containers[0].resources.requests[hugepages-big]"],
    "limit above the pod's": ["spec.resources.requests"],
    "selector of a Job": ["spec.template.metadata.labels"],
}
"""What the API server says again of members that it filled in itself from those that are wrong (W-82)."""

WITHOUT_ANSWER: Final = {"job spec/completions #8", "job spec/completions #9"}
"""On which the API server's code panics: a Job with a success policy and no completions."""

ACCEPTED: Final = {"token without account"}
"""What admission fixes before it is validated, where the recorded code has no admission (W-56)."""


def problems_of(manifest: dict[str, Any], minor: int | None = None) -> list[Problem]:
    problems = Problems()
    assert check_object(Document(Place("web.yaml", 1), manifest, {}), minor, problems)
    return problems.found


def paths_of(manifest: dict[str, Any], minor: int | None = None) -> set[str]:
    return {problem.place.path for problem in problems_of(manifest, minor)}


def is_undecodable(problems: Collection[Problem]) -> bool:
    return any(problem.layer == "schema" for problem in problems)


def agrees(case: Case, minor: int) -> bool:
    """Some cases are accepted, and of some a part is said once."""
    said, problems = ANSWERS[minor][case.name], problems_of(case.manifest, minor)
    if case.name in ACCEPTED:
        return problems == [] != said
    return is_said(said, problems, SAID_TWICE.get(case.name, ()))


def is_said(said: Collection[str] | None, problems: Collection[Problem], twice: Collection[str] = ()) -> bool:
    """What the API server cannot decode it gives no path; unknown fields it names alone."""
    paths = {problem.place.path for problem in problems}
    if said is None:
        return is_undecodable(problems)
    if is_undecodable(problems):
        return bool(said) and set(said) <= paths
    return paths == set(said) - set(twice)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: " to ".join((next(iter(table)), [*table][-1])))
def test_objects_are_judged_as_by_an_api_server(table: Table, minor: int) -> None:
    """The answers are those of Kubernetes 1.35.1 and 1.37.2."""
    cases = [case for case in CASES if case.statement in table]
    assert cases
    assert [f"{case.statement} {case.name}" for case in cases if not agrees(case, minor)] == []


@pytest.mark.slow
@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("minor", MINORS)
def test_objects_with_one_member_changed_are_judged_as_by_an_api_server(minor: int) -> None:
    """Each member of each base object in turn."""  # W-17 W-18 W-54 W-84 to W-95
    recorded = answers_to_mutations(f"1.{minor}")
    asked = [mutation for mutation in mutations() if mutation.name not in WITHOUT_ANSWER]
    assert [mutation.name for mutation in asked] == list(recorded)
    wrong = []
    for mutation in asked:
        said, problems = recorded[mutation.name], problems_of(mutation.manifest, minor)
        if said and mutation.manifest["apiVersion"] == "resource.k8s.io/v1beta1":
            said, problems = list(map(common_path, said)), [moved(problem) for problem in problems]
        if not is_said(said, problems):
            wrong.append(mutation.name)
    assert wrong == []


def common_path(path: str) -> str:
    """A path without what only v1 or only v1beta1 has in it: the API server mixes both in one answer."""
    return path.replace(".exactly", "").replace(".basic", "")


def moved(problem: Problem) -> Problem:
    """A problem at the path that both versions have in common."""
    return replace(problem, place=replace(problem.place, path=common_path(problem.place.path)))


@pytest.mark.parametrize(
    ("kind", "version", "minor", "allowed"),
    [
        ("ResourceClaim", "resource.k8s.io/v1", 33, "resource.k8s.io/v1beta2, resource.k8s.io/v1beta1"),
        ("ResourceSlice", "resource.k8s.io/v1", 31, "Kubernetes 1.32 and later"),
        ("PodGroup", "scheduling.k8s.io/v1beta1", 36, "scheduling.k8s.io/v1alpha2"),
        ("Workload", "scheduling.k8s.io/v1alpha2", 35, "scheduling.k8s.io/v1alpha1"),
    ],
)
def test_a_version_of_an_api_is_refused_before_the_kubernetes_that_brought_it(
    kind: str, version: str, minor: int, allowed: str
) -> None:
    """W-7: with the versions that the cluster has, or the first Kubernetes with any."""
    (problem,) = problems_of({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}}, minor)
    assert (problem.place.path, problem.allowed, problem.layer) == ("apiVersion", allowed, "schema")


def test_earlier_versions_of_groups_have_their_names_checked() -> None:
    """W-98: what else they hold has another form."""
    group = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": {"name": "A"}}
    assert paths_of({**group, "spec": {"schedulingPolicy": {}}}, 36) == {"metadata.name"}


def test_mistakes_of_v1beta1_are_at_the_paths_of_the_file() -> None:
    """W-84: the API server names some by the path that they would have in v1."""
    claim = {"requests": [{"name": "gpu", "deviceClassName": "GPU", "selectors": [{}]}]}
    manifest = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim", "metadata": {"name": "a"}}
    assert paths_of({**manifest, "spec": {"devices": claim}}) == {
        "spec.devices.requests[0].deviceClassName",
        "spec.devices.requests[0].selectors[0].cel",
    }
    device = {"name": "A", "basic": {"attributes": {"a": {}}}}
    pool = {"name": "a", "resourceSliceCount": 1}
    spec = {"driver": "a", "nodeName": "a", "pool": pool, "devices": [device]}
    assert paths_of({**manifest, "kind": "ResourceSlice", "spec": spec}) == {
        "spec.devices[0].name",
        "spec.devices[0].basic.attributes[a]",
    }


@pytest.mark.parametrize(("minor", "refused", "taken"), [(35, 602, 243), (37, 642, 203)])
def test_each_answer_is_of_a_case_and_each_case_has_a_name_of_its_own(minor: int, refused: int, taken: int) -> None:
    assert [case.name for case in CASES] == list(ANSWERS[minor])
    assert Counter(bool(paths or paths is None) for paths in ANSWERS[minor].values()) == {True: refused, False: taken}


def test_without_a_version_the_rules_of_1_35_count_and_for_devices_those_of_1_37() -> None:
    """W-84: 1.35 ignores the fields of devices whose feature gates are off there."""
    both = dict.fromkeys((35, 37), changed("ResourceClaim", {"spec/devices/constraints": [{"distinctAttribute": "numa"}]}))
    assert [paths_of(manifest, minor) for minor, manifest in both.items()] == [
        {"spec.devices.constraints[0].matchAttribute"},
        {"spec.devices.constraints[0].distinctAttribute"},
    ]
    assert paths_of(both[35]) == paths_of(both[37], 37)
    owner = changed("Pod", {"metadata/ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "a"}]})
    assert paths_of(owner) == paths_of(owner, 35) != paths_of(owner, 37)


def test_each_kind_is_checked_and_its_plain_object_accepted() -> None:
    assert {kind for _, kind in KINDS} == set(OBJECTS)
    assert {kind: problems_of(changed(kind, {})) for kind in OBJECTS} == {kind: [] for kind in OBJECTS}


@pytest.mark.parametrize(
    ("kind", "changes", "path", "first"),
    [
        ("Pod", {"spec/hostnameOverride": "a"}, "spec.hostnameOverride", 34),
        ("Pod", {"spec/resources": {"limits": {"cpu": "1"}}}, "spec.resources", 32),
        ("Job", {"spec/managedBy": "example.com/a"}, "spec.managedBy", 30),
        ("Pod", {"spec/containers/0/restartPolicy": "Never"}, "spec.containers[0].restartPolicy", 35),
        ("HorizontalPodAutoscaler", {"spec/metrics": [], "spec/minReplicas": 0}, "spec.minReplicas", 37),
    ],
)
def test_a_field_is_refused_by_versions_before_the_one_that_brought_it(
    kind: str, changes: Mapping[str, Any], path: str, first: int
) -> None:
    """W-6."""
    manifest = changed(kind, changes)
    assert path in paths_of(manifest, first - 1)
    assert path not in paths_of(manifest, first)


@pytest.mark.parametrize(
    ("kind", "changes", "path", "first"),
    [
        ("StatefulSet", {"spec/serviceName": "Web"}, "spec.serviceName", 33),
        ("StatefulSet", {"spec/volumeClaimTemplates/0/spec": {}}, "spec.volumeClaimTemplates[0].spec.accessModes", 34),
        ("HorizontalPodAutoscaler", {"spec/scaleTargetRef/apiVersion": "v1"}, "spec.scaleTargetRef.apiVersion", 34),
    ],
)
def test_a_rule_counts_from_the_version_that_brought_it(kind: str, changes: Mapping[str, Any], path: str, first: int) -> None:
    """W-6."""
    manifest = changed(kind, changes)
    assert path in paths_of(manifest, first)
    assert path not in paths_of(manifest, first - 1)


def test_without_a_version_the_fields_of_all_known_versions_are_accepted() -> None:
    """W-6: also one that only versions up to 1.30 have."""
    old = changed("Pod", {"spec/resourceClaims": [{"name": "gpu", "source": {"resourceClaimName": "a"}}]})
    assert problems_of(old) == []
    (problem,) = (found for found in problems_of(old, 31) if found.layer == "schema")
    assert (problem.message, problem.allowed) == ("is not a field in this version", "Kubernetes up to 1.30")


def test_a_whole_number_may_be_written_with_a_fraction_of_nothing() -> None:
    """W-4: kubectl reads YAML, and sends 2 for 2.0."""
    assert problems_of(changed("Deployment", {"spec/replicas": 2.0})) == []


@pytest.mark.parametrize("version", ["extensions/v1beta1", "apps/v1beta2"])
def test_a_version_that_no_api_server_serves_is_refused(version: str) -> None:
    """W-7."""
    (problem,) = problems_of(changed("Deployment", {"apiVersion": version}))
    assert (problem.place.path, problem.allowed) == ("apiVersion", "apps/v1")


def test_an_unknown_field_has_the_nearest_name_and_stops_nothing_else() -> None:
    """W-1."""
    manifest = changed("Pod", {"spec/nodeSelectors": {"a": "b"}, "spec/containers/0/name": "Main"})
    unknown, name = problems_of(manifest)
    assert (unknown.place.path, unknown.nearest, unknown.layer) == ("spec.nodeSelectors", "nodeSelector", "schema")
    assert (name.place.path, name.nearest, name.layer) == ("spec.containers[0].name", "main", "rule")


def test_what_was_read_from_a_cluster_may_have_what_only_updates_add() -> None:
    """W-56, W-69: an ephemeral container and the selector of a Job."""
    pod = changed("Pod", {"metadata/uid": "1", "spec/ephemeralContainers": [{"name": "debug", "image": "busybox"}]})
    job = changed("Job", {"metadata/uid": "1", "spec/selector": {"matchLabels": {"controller-uid": "1"}}})
    assert problems_of(pod) == problems_of(job) == []


@pytest.mark.parametrize(
    ("kind", "lacking"),
    [
        ("Pod", ["spec/containers/0/image"]),
        ("DaemonSet", ["spec/template/spec/containers/0/image"]),
        ("PersistentVolumeClaim", ["spec/accessModes", "spec/resources"]),
        ("PersistentVolume", ["spec/accessModes", "spec/capacity", "spec/csi/volumeHandle"]),
    ],
)
def test_nothing_is_said_to_be_missing_from_what_a_snapshot_shortens(kind: str, lacking: Collection[str]) -> None:
    """W-82."""
    changes = dict.fromkeys(lacking, ...)
    assert problems_of(changed(kind, changes))
    assert problems_of(changed(kind, {**changes, "metadata/uid": "1"})) == []


def test_an_object_of_a_cluster_is_held_to_the_rules_all_the_same() -> None:
    assert paths_of(changed("Pod", {"metadata/uid": "1", "metadata/name": "Web"})) == {"metadata.name"}


ODD_VALUES: Final = ("x", 5, 1.5, True, None, [], [None], {}, {"a": None}, {5: "b"}, [{}], ["x"])


def _with_odd_members(value: Any, odd: Any) -> Iterator[Any]:
    """Copies of a value in which one member, at whatever depth, is an odd one."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield {**value, name: odd}
            yield from ({**value, name: changed_member} for changed_member in _with_odd_members(member, odd))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from ([*value[:index], new, *value[index + 1 :]] for new in (odd, *_with_odd_members(item, odd)))


@pytest.mark.parametrize("odd", ODD_VALUES, ids=repr)
def test_a_member_of_any_shape_is_judged(odd: Any) -> None:
    """Nothing raises, whatever stands where."""
    for kind in OBJECTS:
        plain = changed(kind, {})
        body = {name: member for name, member in plain.items() if name not in ("apiVersion", "kind")}
        for strange in _with_odd_members(body, odd):
            problems_of({**plain, **strange})


def test_an_object_of_another_kind_is_left_alone() -> None:
    problems = Problems()
    assert not check_object(Document(Place("web.yaml", 1), {"apiVersion": "v1", "kind": "Secret"}, {}), None, problems)
    assert not problems


def test_each_mistake_is_reported_once_and_at_its_line(tmp_path: Path) -> None:
    """What plans cannot read either is not said a second time; the line is that of what is written."""
    file = tmp_path / "web.yaml"
    file.write_text(MANIFEST, "utf-8")
    answer = validate([file])
    assert [(problem.place.line, problem.place.path) for problem in answer.problems] == [
        (4, "spec.selector"),
        (7, "spec.template.labels"),
        (7, "spec.template.metadata.labels"),
        (12, "spec.template.spec.containers[0].resources.requests[cpus]"),
        (13, "spec.template.spec.containers[0].resources.requests[memory]"),
    ]
    assert (answer.kinds, answer.passed_over) == ({"Deployment": 1, "Service": 1}, {"ConfigMap": 1})
