"""Curves of replicas and metrics, and the files that have them."""

from __future__ import annotations

import json
from pathlib import Path

from cutlist.core.errors import Problems
from cutlist.simulation.demand.curve_files import read_curves
from cutlist.simulation.demand.curves import Curve, DemandCurves, check_workloads
from cutlist.simulation.events import HOUR, MINUTE
from cutlist.simulation.outside_events import ReplicasSet

WEB, API = "deployment/web", "shop/deployment/api"


SERIES = [
    ({"__name__": "kube_deployment_status_replicas", "deployment": "web"}, WEB),
    ({"__name__": "kube_statefulset_replicas", "statefulset": "db", "namespace": "shop"}, "shop/statefulset/db"),
    ({"deployment": "api", "namespace": "shop"}, API),
    ({"deployment": "api", "namespace": "monitoring", "exported_namespace": "shop"}, API),
    ({"workload": "agent", "workload_type": "statefulset"}, "statefulset/agent"),
]


def curves_of(folder: Path, text: str, name: str = "week.csv", metric: str = "", start: float | None = None) -> DemandCurves:
    problems = Problems()
    (folder / name).write_text(text)
    curves = read_curves([f"{metric}={folder / name}" if metric else str(folder / name)], problems, start)
    problems.raise_if_any()
    return curves


def mistakes_of(folder: Path, text: str, name: str = "week.csv") -> list[str]:
    problems = Problems()
    (folder / name).write_text(text)
    read_curves([str(folder / name)], problems)
    return [str(problem).replace(f"{folder}/", "") for problem in problems.ordered()]


def test_a_table_has_a_row_for_each_instant_and_workload(tmp_path):
    curves = curves_of(
        tmp_path,
        "time,workload,replicas,cpu\n"
        "2026-11-16T09:00:00Z,deployment/web,14,\n"
        "2026-11-16T08:00:00Z,deployment/web,12,3500m\n"
        "2026-11-16T10:00:00+01:00,shop/deployment/api,,2\n",
    )
    assert curves.events() == (ReplicasSet(0, WEB, 12), ReplicasSet(HOUR, WEB, 14))
    assert curves.start == 1794816000
    assert curves.usage(WEB, 0) == {"cpu": 3500}
    assert curves.usage(API, 0) == {"cpu": 2000}
    assert curves.workloads == (WEB, API)


def test_a_table_may_have_a_column_for_each_workload_and_times_since_the_start(tmp_path):
    curves = curves_of(tmp_path, f"time,{API},{WEB}\n0,4,1\n90m,4,12\n6000,,2\n")
    assert curves.events() == (
        ReplicasSet(0, WEB, 1),
        ReplicasSet(0, API, 4),
        ReplicasSet(90 * MINUTE, WEB, 12),
        ReplicasSet(100 * MINUTE, WEB, 2),
    )


def test_what_was_before_the_start_holds_at_the_start(tmp_path):
    text = "time,deployment/web\n2026-11-16T08:00:00Z,3\n2026-11-16T08:30:00Z,5\n2026-11-16T09:30:00Z,7\n"
    assert curves_of(tmp_path, text, start=1794819600.0).events() == (ReplicasSet(0, WEB, 5), ReplicasSet(HOUR // 2, WEB, 7))


def test_a_range_query_has_a_curve_for_each_series(tmp_path):
    """NaN is a gap; equal values in a row are one step."""
    values = [[100, "3"], [160, "NaN"], [220, "3"], [280.5, "5"]]
    for labels, workload in SERIES:
        result = [{"metric": labels, "values": values}]
        text = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})
        steps = (ReplicasSet(0, workload, 3), ReplicasSet(180_500, workload, 5))
        assert curves_of(tmp_path, text, "q.json").events() == steps
        assert curves_of(tmp_path, text, "q.json", "queue").usage(workload, 200_000) == {"queue": 5000}


def test_series_beside_those_of_replicas_count_for_nothing(tmp_path):
    """As a query of everything of a Deployment answers."""
    names = ("kube_deployment_status_observed_generation", "kube_deployment_status_replicas", "kube_deployment_spec_paused")
    result = [{"metric": {"__name__": name, "deployment": "web"}, "value": [100, str(n)]} for n, name in enumerate(names)]
    text = json.dumps({"resultType": "vector", "result": result})
    assert curves_of(tmp_path, text, "q.json").events() == (ReplicasSet(0, WEB, 1),)
    assert curves_of(tmp_path, json.dumps({"resultType": "vector", "result": result[2:]}), "q.json", "paused").metrics


def test_an_exposition_has_a_sample_in_each_line(tmp_path):
    """As a dump of Prometheus writes it, or kube-state-metrics with times; wanted replicas count first."""
    curves = curves_of(
        tmp_path,
        "# HELP kube_deployment_spec_replicas wanted\n"
        'kube_deployment_spec_replicas{namespace="shop",deployment="api"} 3 1763280000000\n'
        '{__name__="kube_deployment_spec_replicas", namespace="shop", deployment="api"} 4 1763280060000\n'
        'kube_deployment_status_replicas{namespace="shop",deployment="api"} 9 1763280000000\n'
        'kube_statefulset_status_replicas{statefulset="db"} 2 1763280000\n'
        'kube_pod_info{pod="a\\"b"} 1 1763280000000\n',
        "dump.txt",
    )
    assert curves.events() == (
        ReplicasSet(0, API, 3),
        ReplicasSet(0, "statefulset/db", 2),
        ReplicasSet(MINUTE, API, 4),
    )


VECTOR = '{"resultType":"vector","result":[{"metric":%s}]}'
MISTAKES = [
    ("time,deployment/web\nsoon,1\n", "week.csv:2: 'soon' is not a time"),
    ("time,deployment/web\n1767571200000,1\n", "week.csv:2: '1767571200000' is not a time"),
    ("time,deployment/web\n1900-01-01T00:00:00Z,1\n", "week.csv:2: '1900-01-01T00:00:00Z' is not a time"),
    ('kube_deployment_spec_replicas{deployment="a"} 3 -5\n', "week.csv:1: -5 is not an instant; allowed: seconds since 1970"),
    (
        '{"resultType":"vector","result":[{"metric":{"deployment":"a"},"value":[NaN,"2"]}]}',
        "week.csv result[0]: nan is not an instant",
    ),
    ("time,deployment/web\n-1h,1\n", "week.csv:2: '-1h' is not a time"),
    ("time,deployment/web\n1h,2.5\n", "week.csv:2: 2.5 is not a number of replicas; allowed: whole numbers"),
    (
        "time,deployment/web\n1h,1000001\n",
        "week.csv:2: 1000001 replicas are more than a simulation follows; allowed: at most 1,000,000",
    ),
    ("time,deployment/web\n1h,-1\n", "week.csv:2: -1 is negative; allowed: 0 or more"),
    ("time,deployment/web\n1h,many\n", "week.csv:2: 'many' is not a number; allowed: whole numbers"),
    ("time,deployment/web\n1h\n", "week.csv:2: is not a row of the table: 2 columns are expected"),
    ("time,deployment/web\n1h,1,2\n", "week.csv:2: is not a row of the table: 2 columns are expected"),
    ("time,deployment/web\n1h,1\n60m,2\n", "week.csv:3: deployment/web has two values of replicas at this instant: 1 and 2"),
    ("time,web\n1h,1\n", "week.csv:1: column 'web' is not a workload; allowed: such as deployment/web"),
    ("time,workload,replicas\n1h,web,1\n", "week.csv:2: 'web' is not a workload"),
    ("time,workload,a b\n1h,deployment/web,1\n", "week.csv:1: 'a b' is not the name of a column"),
    ("time,deployment/web,deployment/web\n1h,1,1\n", "week.csv:1: has the column 'deployment/web' twice"),
    ("workload,replicas\ndeployment/web,1\n", "week.csv:1: has the columns workload, replicas; allowed: time, workload"),
    ("", "week.csv:1: has no columns"),
    ("time,deployment/web\n", "week.csv: contains no curve"),
    ('{"data": {}}', "week.csv: is not the answer of a Prometheus query"),
    (
        '{"resultType":"vector","result":[{"metric":{"pod":"a"},"value":[1,"2"]}]}',
        "week.csv result[0]: no label names a workload",
    ),
    (
        '{"resultType":"vector","result":[{"metric":{"deployment":"a"},"value":[1,"x"]}]}',
        "week.csv result[0]: 'x' is not a number",
    ),
    (
        VECTOR % '{"__name__":"kube_deployment_status_replicas_unavailable","deployment":"a"},"value":[1,"0"]',
        "week.csv result[0]: kube_deployment_status_replicas_unavailable is not a series of replicas",
    ),
    ('kube_deployment_status_replicas{deployment="web"} 3\n', "week.csv:1: is not a sample"),
    ("kube_deployment_status_replicas{deployment=web} 3 100\n", "week.csv:1: is not a sample"),
]


def test_a_mistake_is_named_with_its_place(tmp_path):
    for text, mistake in MISTAKES:
        first, *others = mistakes_of(tmp_path, text)
        assert first.startswith(mistake)
        assert others == []


def test_a_workload_that_the_input_does_not_have_is_a_problem():
    problems = Problems()
    check_workloads(DemandCurves(replicas={"deployment/wbe": Curve((0,), (1000,))}), [WEB, API], "week.csv", problems)
    (problem,) = problems.ordered()
    assert str(problem).startswith("week.csv: deployment/wbe is not one of the workloads; allowed: deployment/web, ")
    assert problem.nearest == WEB


def test_a_curve_holds_until_its_next_value():
    curve = Curve((-5, 10, 30), (1, 2, 2))
    assert list(curve.steps()) == [(0, 1), (10, 2)]
    assert [curve.value_at(at) for at in (-9, 0, 9, 10, 99)] == [1, 1, 1, 2, 2]
