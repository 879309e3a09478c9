"""Files of measured use, and the requests that objects get by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutlist.core.errors import Problems
from cutlist.core.quantity import nanos
from cutlist.documents.document import Document
from cutlist.documents.parsing import parse_documents
from cutlist.workloads.usage import Owner, Usage, UsagePolicy, read_usage, with_requests_of
from tests.unit.planning.manifests import deployment

EXACT = UsagePolicy(percentile=100, margin=0.0, least={})
WEB = (Owner("default", "web", "deployment"), "main")
VPA = "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: web}\nspec: {}\n"


def read(tmp_path: Path, name: str, text: str, resource: str = "") -> Usage:
    path = tmp_path / name
    path.write_text(text)
    problems = Problems()
    usage = read_usage([f"{resource}={path}" if resource else str(path)], problems)
    problems.raise_if_any()
    return usage


def mistakes(tmp_path: Path, name: str, text: str, resource: str = "") -> list[str]:
    path = tmp_path / name
    path.write_text(text)
    problems = Problems()
    read_usage([f"{resource}={path}" if resource else str(path)], problems)
    return [p.message for p in problems.found]


def documents(*texts: str) -> list[Document]:
    problems = Problems()
    found = parse_documents("\n---\n".join(texts), "app.yaml", problems)
    problems.raise_if_any()
    return list(found)


def series(pod: str, *values: str, container: str = "main", namespace: str = "default") -> dict[str, object]:
    labels = {"namespace": namespace, "pod": pod, "container": container}
    return {"metric": labels, "values": [[n, value] for n, value in enumerate(values)]}


def matrix(*of: dict[str, object]) -> str:
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": list(of)}})


def resources(document: Document, container: int = 0) -> dict[str, object]:
    return document.data["spec"]["template"]["spec"]["containers"][container]["resources"]


def test_a_percentile_and_a_margin_make_a_request():
    policy = UsagePolicy(percentile=90, margin=0.5, least={"cpu": nanos("10m")})
    samples = [nanos(f"{n}m") for n in range(1, 11)]
    assert policy.request("cpu", samples) == nanos("14m")  # the ninth of ten, by half more, rounded up
    assert policy.request("cpu", [nanos("1m")]) == nanos("10m")
    assert EXACT.request("memory", [nanos("1Mi") + 1]) == nanos("2Mi")


def test_a_table_has_a_sample_in_each_row(tmp_path):
    usage = read(
        tmp_path, "use.csv", "workload,container,cpu,memory\ndeployment/web,main,100m,1Gi\ndeployment/web,main,300m,\n"
    )
    assert usage.requests(EXACT) == {WEB: {"cpu": nanos("300m"), "memory": nanos("1Gi")}}


def test_the_answer_of_a_query_is_of_pods(tmp_path):
    usage = read(tmp_path, "cpu.json", matrix(series("web-7d9f8b7c6-x2x4z", "0.1", "0.25", "NaN")), "cpu")
    changed, changes, unknown = with_requests_of(documents(deployment()), usage.requests(EXACT))
    assert resources(changed[0])["requests"] == {"cpu": "250m", "memory": "1Gi"}
    assert [(c.workload, c.container, c.resource, c.before, c.after) for c in changes] == [
        ("deployment/web", "main", "cpu", nanos("1"), nanos("250m"))
    ]
    assert unknown == ()


def test_instants_count_as_well_and_sums_and_sandboxes_do_not(tmp_path):
    instant = {"metric": {"pod": "web-0", "container": "main"}, "value": [1, "2000000"]}
    others = [{"metric": {"pod": "web-0", "container": name}, "value": [1, "9"]} for name in ("", "POD")]
    text = json.dumps({"resultType": "vector", "result": [instant, *others, {"metric": {}, "value": [1, "9"]}]})
    usage = read(tmp_path, "memory.json", text, "memory")
    assert usage.requests(EXACT) == {(Owner("default", "web-0", is_pod=True), "main"): {"memory": nanos("2Mi")}}


def test_a_recommendation_is_taken_as_it_is(tmp_path):
    vertical = """
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
status: {recommendation: {containerRecommendations: [{containerName: main, target: {cpu: 25m, memory: 262144k}}]}}
"""
    assert read(tmp_path, "vpa.yaml", vertical).requests(UsagePolicy()) == {
        WEB: {"cpu": nanos("25m"), "memory": nanos("250Mi")}
    }


def test_pods_of_a_workload_count_with_the_largest(tmp_path):
    usage = read(tmp_path, "cpu.json", matrix(series("web-0", "0.1"), series("web-1", "0.4")), "cpu")
    changed, _, _ = with_requests_of(documents(deployment()), usage.requests(EXACT))
    assert resources(changed[0])["requests"]["cpu"] == "400m"


def test_a_pod_belongs_to_the_workload_with_the_longest_name(tmp_path):
    usage = read(tmp_path, "cpu.json", matrix(series("web-api-7d9f8b7c6-x2x4z", "0.3")), "cpu")
    changed, changes, _ = with_requests_of(documents(deployment("web"), deployment("web-api")), usage.requests(EXACT))
    assert [c.workload for c in changes] == ["deployment/web-api"]
    assert changed[0] == documents(deployment("web"), deployment("web-api"))[0]


def test_another_namespace_kind_or_container_is_not_meant(tmp_path):
    text = "namespace,workload,container,cpu\nshop,web,main,1m\ndefault,statefulset/web,main,2m\ndefault,web,sidecar,3m\n"
    given = documents(deployment())
    changed, changes, unknown = with_requests_of(given, read(tmp_path, "use.csv", text).requests(EXACT))
    assert (list(changed), changes, len(unknown)) == (given, (), 3)


def test_a_request_is_never_above_its_limit(tmp_path):
    limited = deployment().replace('requests: {cpu: "1"', 'limits: {cpu: "2"}, requests: {cpu: "1"')
    usage = read(tmp_path, "use.csv", "workload,cpu\nweb,5\n")
    changed, _, _ = with_requests_of(documents(limited), usage.requests(EXACT))
    assert resources(changed[0])["requests"]["cpu"] == "2000m"


@pytest.mark.parametrize(
    ("name", "text", "resource", "message"),
    [
        ("use.csv", "pod,cpu\nweb,1\n", "", "columns pod are unknown"),
        ("use.csv", "workload\nweb\n", "", "the columns workload and cpu or memory are missing"),
        ("use.csv", "workload,cpu\nweb,much\n", "", "'much' is not a quantity"),
        ("use.csv", "workload,cpu\nweb,-1\n", "", "-1 is negative"),
        ("use.csv", "workload,cpu\nweb,1,2\n", "", "is not a row of the table"),
        ("use.csv", "workload,cpu\n", "", "contains no measured use"),
        ("cpu.json", "[]", "cpu", "is not the answer of a Prometheus query"),
        ("cpu.json", '{"resultType": "matrix", "result": [{"metric": [], "values": []}]}', "cpu", "is not the answer"),
        ("cpu.json", '{"resultType": "scalar", "result": []}', "cpu", "is not the answer of a Prometheus query"),
        ("cpu.json", matrix(), "cpu", "contains no measured use"),
        ("vpa.yaml", VPA, "", "is not what a VerticalPodAutoscaler recommends"),
        ("vpa.yaml", "apiVersion: v1\nkind: Pod\n", "", "contains no measured use"),
    ],
)
def test_what_cannot_be_read_is_reported(tmp_path, name, text, resource, message):
    (found,) = mistakes(tmp_path, name, text, resource)
    assert found.startswith(message)


def test_a_missing_file_is_reported(tmp_path):
    problems = Problems()
    read_usage([str(tmp_path / "none.csv")], problems)
    assert "cannot be read" in problems.found[0].message
