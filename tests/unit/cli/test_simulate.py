"""`cutlist simulate`: curves in, a week out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.sample import POOLS, SNAPSHOT, WORKLOADS

FILES = [str(POOLS), str(WORKLOADS)]
DEMO = str(SNAPSHOT)


def run(*arguments: str):
    named = [argument for file in FILES for argument in ("-f", file)]
    return CliRunner().invoke(main, ["simulate", *named, "--region", "us-west-2", "--days", "0.1", *arguments])


def trace(tmp_path, *lines: str) -> str:
    path = tmp_path / "week.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_answer_has_totals_series_and_commands(tmp_path):
    """The replicas of the curve count from the start on; the trainer of the example never gets a node."""
    result = run("--trace", trace(tmp_path, "time,deployment/web", "0,12", "1h,30"), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["start"] == "2026-01-05T00:00:00Z"
    assert {"usd", "nodeHours", "evictions", "pods", "pending", "pendingSeconds", "neverRan"} < {*data["total"]}
    assert [hour["pods"] for hour in data["series"]] == pytest.approx([12, 30, 30], abs=0.6)
    assert data["total"]["pending"] == 1
    assert data["commands"][0]["decision"] == "launch"


CREATED = {"NodeClaim": {"name": "general-a"}, "requests": {"cpu": "12", "memory": "24Gi", "pods": "6"}}
LOG = [
    {"time": "2026-03-02T12:00:00Z", "message": "created nodeclaim", **CREATED},
    {"time": "2026-03-02T13:00:00Z", "message": "deleted nodeclaim", "NodeClaim": {"name": "general-a"}},
]


def test_karpenters_log_is_a_trace_that_needs_no_workloads(tmp_path):
    """The run begins with the log; its six pods of two cores run for an hour."""
    (tmp_path / "karpenter.log").write_text("\n".join(map(json.dumps, LOG)))
    arguments = ["-f", FILES[0], "--region", "us-west-2", "--days", "0.1", "-o", "json"]
    named = ["--trace", f"karpenter={tmp_path / 'karpenter.log'}"]
    result = CliRunner().invoke(main, ["simulate", *arguments, *named])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["start"], data["total"]["pods"], data["total"]["pending"]) == ("2026-03-02T12:00:00Z", 6, 0)
    assert [hour["pods"] for hour in data["series"]] == pytest.approx([5.9, 0.1, 0], abs=0.1)


def test_what_is_missing_of_a_cluster_is_all_named():
    """NodePools alone are no cluster: either workloads or nodes have to be there."""
    result = CliRunner().invoke(main, ["simulate", "-f", FILES[0], "--region", "us-west-2"])
    assert result.exit_code == 2
    message = " ".join(result.stderr.split())
    assert "neither a workload nor a node is in the input, only 1 EC2NodeClass, 1 NodePool allowed: Deployments" in message
    assert "Nodes with their NodeClaims and pods" in message
    assert "Found 1 problem." in message


def test_a_snapshot_is_where_it_begins():
    """The nodes and pods that run are there, and consolidation goes on with them."""
    result = run("--from", DEMO)
    assert result.exit_code == 0, result.output
    assert re.search(r"starting with [0-9]+ nodes and [0-9]+ pods", " ".join(result.stdout.split()))
    assert "delete" in result.stdout


STATEFUL = """
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gp3}
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: db, resources: {requests: {cpu: "1", memory: 2Gi}}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: gp3, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
"""


def test_pods_that_scale_up_adds_to_a_stateful_set_run(tmp_path):
    """Their claims do not exist before them. C-37."""
    (tmp_path / "db.yaml").write_text(STATEFUL)
    named = ["--trace", trace(tmp_path, "time,statefulset/db", "0,1", "20m,4", "1h,1", "90m,4")]
    arguments = ["-f", FILES[0], "-f", str(tmp_path / "db.yaml"), "--region", "us-west-2", "--days", "0.1", "-o", "json"]
    result = CliRunner().invoke(main, ["simulate", *arguments, *named])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["total"]["pods"], data["total"]["pending"], data["unplaced"]) == (6, 0, [])


def test_a_form_of_traces_that_is_misspelt_is_named(tmp_path):
    result = run("--trace", f"alibabba-2018={trace(tmp_path, 'M1,3')}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean alibaba-2018?" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("time,deployment/wob", "0,3"), "did you mean deployment/web?"),
        (("time,deployment/web", "0,some"), "week.csv:2"),
        (("time,deployment/web", "9h,3"), "--trace: no value is within the run, from "),
    ],
    ids=["another workload", "no number", "after the run"],
)
def test_mistakes_in_a_trace_are_named(tmp_path, lines, message):
    result = run("--trace", trace(tmp_path, *lines))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in "".join(result.stderr.split("\n"))


OBJECTS = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  maxReplicas: 40
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 500m}}}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report}
spec:
  schedule: "*/30 * * * *"
  jobTemplate:
    spec:
      parallelism: 3
      completions: 3
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: i, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}
"""


JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: import}
spec:
  parallelism: 6
  completions: 6
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: i, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}
"""


def written(tmp_path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def test_autoscalers_cron_jobs_and_jobs_change_the_number_of_pods(tmp_path):
    """Ten cores at half a core each are twenty pods, three more of a Job from half past on, six of another at first.

    A Job that has finished makes none.
    """
    ended = JOB.replace("import", "old") + "status: {conditions: [{type: Complete, status: 'True'}]}"
    jobs = written(tmp_path, "jobs.yaml", f"{JOB}---{ended}")
    objects = written(tmp_path, "objects.yaml", OBJECTS)
    cpu = trace(tmp_path, "time,workload,cpu", "0,deployment/web,10")
    durations = written(tmp_path, "durations.csv", "workload,duration\ncronjob/report,10m\njob/import,30m\n")
    result = run("-f", objects, "-f", jobs, "--trace", cpu, "--durations", durations, "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert [hour["pods"] for hour in data["series"]] == pytest.approx([23.2, 21, 21], abs=0.4)
    assert data["notes"] == []


def test_what_is_assumed_of_the_demand_is_noted(tmp_path):
    objects = written(tmp_path, "objects.yaml", OBJECTS)
    result = run("-f", objects, "--trace", trace(tmp_path, "time,workload,queue", "0,deployment/web,10"), "--typical", "web")
    assert result.exit_code == 0, result.output
    shown = " ".join(result.stdout.split())
    assert "pods of 1 workload are assumed to run for 10 minutes, such as those of cronjob/report" in shown
    assert "no autoscaler looks at these curves: queue of deployment/web" in shown


def test_metrics_without_a_curve_keep_pods_from_being_removed(tmp_path):
    """C-8: half a core in use asks for one pod, but the other metric cannot be read."""
    queue = "{type: Pods, pods: {metric: {name: queue}, target: {type: AverageValue, averageValue: 5}}}"
    both = written(tmp_path, "objects.yaml", OBJECTS.replace("metrics: [", f"metrics: [{queue}, "))
    result = run("-f", both, "--trace", trace(tmp_path, "time,workload,cpu", "0,deployment/web,500m"))
    assert result.exit_code == 0, result.output
    shown = " ".join(result.stdout.split())
    assert "no curve of queue of deployment/web: an autoscaler without one of its metrics never scales down" in shown


STATEFUL_SET = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  ordinals: {start: 2}
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: main, image: i, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}
"""


def test_a_stateful_set_keeps_the_pods_and_the_ordinals_that_it_starts_with(tmp_path):
    """C-32: nothing changes until it has two more replicas, beside twelve pods of another."""
    db = written(tmp_path, "db.yaml", STATEFUL_SET)
    result = run("-f", db, "--trace", trace(tmp_path, "time,statefulset/db", "0,3", "1h,5"), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert [hour["pods"] for hour in data["series"]] == pytest.approx([15, 17, 17], abs=0.1)
    assert data["total"]["pods"] == 2


def test_curves_that_nothing_follows_are_no_demand(tmp_path):
    """Their name may be meant as a form of traces."""
    objects = written(tmp_path, "objects.yaml", OBJECTS)
    result = run("-f", objects, "--trace", trace(tmp_path, "time,workload,swarm", "0,deployment/web,10"))
    assert result.exit_code == 2
    shown = " ".join(result.stderr.split())
    assert "no autoscaler looks at any of these curves: swarm of deployment/web" in shown
    assert "metrics of the input's autoscalers (cpu), or a form of traces: karpenter, alibaba-gpu-2023" in shown


def test_curves_that_nothing_follows_are_left_out_where_the_user_says_so(tmp_path):
    objects = written(tmp_path, "objects.yaml", OBJECTS)
    swarm = trace(tmp_path, "time,workload,swarm", "0,deployment/web,10")
    result = run("-f", objects, "--trace", swarm, "--allow-empty", "-o", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["notes"] == [
        "pods of 1 workload are assumed to run for 10 minutes, such as those of cronjob/report",
        "no autoscaler looks at these curves: swarm of deployment/web",
        "1 autoscaler has no curve of a metric to follow, such as that of deployment/web: its replicas stay as they are",
    ]


@pytest.mark.parametrize(
    ("schedule", "note"),
    [
        ("0 0 30 2 *", "cronjob/report never starts a Job: no day matches its schedule"),
        ("0 9 7 1 *", "cronjob/report starts no Job within the run: it is due at 2026-01-07T09:00:00Z"),
    ],
    ids=["30 February", "after the run"],
)
def test_cron_jobs_that_start_no_job_are_noted(tmp_path, schedule, note):
    objects = written(tmp_path, "objects.yaml", OBJECTS.replace("*/30 * * * *", schedule))
    result = run("-f", objects, "--typical", "web", "--at", "2026-01-05T00:00:00Z", "-o", "json")
    assert result.exit_code == 0, result.output
    assert note in json.loads(result.stdout)["notes"]


@pytest.mark.parametrize(
    ("option", "table"),
    [
        ("--interruptions", "instance_type,zone,monthly\nm99.large,*,5%\n"),
        ("--shortages", "instance_type,zone,capacity_type,short\nm99.large,*,*,5%\n"),
    ],
)
def test_tables_of_types_that_the_region_lacks_are_refused(tmp_path, option, table):
    """They would have no effect. One such row among others is noted."""
    path = written(tmp_path, "table.csv", table)
    result = run(option, path)
    assert result.exit_code == 2
    assert "us-west-2 sells nothing that this file names, such as m99.large" in " ".join(result.stderr.split())
    row = table.splitlines()[1]
    elsewhere, sold = row.replace("m99.large,*", "*,us-west-9a"), row.replace("m99.large", "m7g.large")
    path = written(tmp_path, "more.csv", f"{table}{elsewhere}\n{sold}\n")
    result = run(option, path, "-o", "json")
    assert result.exit_code == 0
    assert [note for note in json.loads(result.stdout)["notes"] if "more.csv" in note] == [
        f"2 entries have no effect in {path}; not offered in us-west-2: anything in us-west-9a "
        "(zones: us-west-2a, us-west-2b, us-west-2c, us-west-2d), m99.large (did you mean m9g.large?)"
    ]


def test_mistakes_in_tables_of_the_demand_are_named(tmp_path):
    """All of them at once."""
    objects = written(tmp_path, "objects.yaml", OBJECTS)
    curves = trace(tmp_path, "time,workload,replicas,cpu", "0,deployment/web,3,10")
    durations = written(tmp_path, "durations.csv", "workload,duration\ncronjob/rep,10m\n")
    rates = written(tmp_path, "rates.csv", "instance_type,zone,monthly\n*,*,often\n")
    result = run("-f", objects, "--trace", curves, "--durations", durations, "--interruptions", rates)
    assert (result.exit_code, result.stdout) == (2, "")
    shown = " ".join(result.stderr.split())
    assert "deployment/web has curves of its replicas and of a metric of its autoscaler" in shown
    assert "cronjob/rep is not a Job or CronJob of the input" in shown
    assert "'often' is not a rate" in shown
    assert "Found 3 problems" in shown


def test_a_cluster_may_begin_without_nodes():
    """Batch workloads have no replicas on a Monday morning; their first pods come later."""
    result = run("--typical", "batch", "--days", "0.3", "-o", "json")
    answer = json.loads(result.stdout)
    assert (answer["commands"][0]["decision"], answer["commands"][0]["at"] > answer["start"]) == ("launch", True)


def test_a_typical_week_needs_workloads_that_it_could_change():
    """The snapshot has pods and no Deployment."""
    pools = ["-f", FILES[0], "--from", DEMO, "--region", "us-west-2"]
    result = CliRunner().invoke(main, ["simulate", *pools, "--typical", "web"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--typical: no workload of the input has replicas" in " ".join(result.stderr.split())


EVENTS = """
events:
  - {at: 2h, kind: Scaled, workload: deployment/web, replicas: 2}
  - {at: 10m, kind: ImageReleased, nodePools: [general]}
  - {at: 2026-01-05T00:30:00Z, kind: Applied, files: [edit.yaml]}
  - {at: 40m, kind: NodesFailed, nodePool: general, condition: Ready, status: Unknown, for: 20m}
  - {at: 50m, kind: CapacityLost, capacityType: spot, for: 5m}
  - {at: 51m, kind: NodesInterrupted, zone: us-west-2d}
  - {at: 80m, kind: Restarted, workload: deployment/web}
  - {at: 90m, kind: JobStarted, workload: job/import}
  - {at: 3h, kind: NodePoolsDeleted, nodePools: [general]}
"""


def test_events_of_a_file_happen_at_their_times(tmp_path):
    """The NodePool has another template from half past on, the workload fifteen pods, and two in the end."""
    edit = "\n---\n".join(Path(file).read_text("utf-8") for file in FILES).replace("replicas: 12", "replicas: 15")
    written(
        tmp_path,
        "edit.yaml",
        edit.replace("  limits:", "      expireAfter: 700h\n  limits:").replace("replicas: 12", "replicas: 15"),
    )
    files = "-f", written(tmp_path, "job.yaml", JOB), "--events", written(tmp_path, "events.yaml", EVENTS)
    result = run(
        *files,
        "--shortages",
        written(tmp_path, "s.csv", "instance_type,zone,capacity_type,short\n*,*,spot,20%\n"),
        "-o",
        "json",
    )
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    events = [(c["at"][11:19], c["decision"]) for c in data["commands"] if c["method"] == "event"]
    assert events == [
        ("00:10:00", "ImageReleased"),
        ("00:30:00", "ClusterEdited"),
        ("00:40:00", "NodesFailed"),
        ("00:50:00", "CapacityLost"),
        ("00:51:00", "NodesInterrupted"),
    ]
    drift = [c["at"][11:16] for c in data["commands"] if c["method"] == "drift"]
    assert "00:10" in drift
    assert any("00:30" <= at < "00:40" for at in drift)
    assert data["series"][2]["pods"] == pytest.approx(3, abs=1)
    assert "1 event is after the end" in data["notes"]
    assert any("NodeRepair is off" in note for note in data["notes"])
    assert any("NodesInterrupted at 2026-01-05T00:51:00Z: no node" in note for note in data["notes"])


BROKEN_EVENTS = """
events:
  - {at: 2h, kind: ImageReleased, nodePools: [generl]}
  - {at: soon, kind: Applied, files: [edit.yaml]}
  - {at: 2h, kind: Aplied, files: [edit.yaml]}
  - {at: 2h, kind: Applied, files: [missing.yaml]}
  - {at: 2h, kind: Applied, files: [service.yaml]}
  - {at: 8h, kind: NodesFailed, condition: Ready, status: Unknwn}
  - {at: 8h, kind: NodesFailed, condition: Redy, status: Unknown, zone: us-west-2x, instanceType: m5.larg}
  - {at: 10h, kind: CapacityLost, for: long}
  - {at: 2020-01-01T00:00:00Z, kind: Restarted, workload: deployment/wb}
  - {at: 1h, kind: JobStarted, workload: job/none, count: 2}
"""


def test_mistakes_in_events_are_named_by_line(tmp_path):
    written(tmp_path, "service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}]}")
    result = run("--events", written(tmp_path, "events.yaml", BROKEN_EVENTS))
    assert (result.exit_code, result.stdout) == (2, "")
    shown = "".join(result.stderr.split())  # lines are wrapped
    for line, text in (
        (3, "NodePool generl is not in the input"),
        (4, "'soon' is not a time"),
        (5, "'Aplied' is not a kind of event"),
        (8, "'Unknwn' is unknown allowed: False, Unknown, True"),
        (9, "'Redy' is not a known condition"),
        (9, "'us-west-2x' is not a known zone"),
        (9, "'m5.larg' is not a known instanceType did you mean m5.large"),
        (10, "'long' is not a duration"),
        (11, "it is before the start of the simulation"),
        (11, "deployment/wb is not in the input"),
        (12, "events[9].count: is not a field here"),
    ):
        assert f"events.yaml:{line}events[" in shown
        assert text.replace(" ", "") in shown
    assert "missing.yaml:cannotberead" in shown
    assert "aServicecannotbeappliedduringasimulation" in shown
    empty = run("--events", written(tmp_path, "empty.yaml", "events: []\n"))
    assert empty.exit_code == 2
    assert "at least one entry is needed" in " ".join(empty.stderr.split())


def test_static_node_pools_keep_their_replicas(tmp_path):
    """Three nodes from the start to the end, whatever runs there."""
    pools, text = tmp_path / "static.yaml", POOLS.read_text()
    pools.write_text(text.partition("  limits:")[0].replace("spec:\n  template:", "spec:\n  replicas: 3\n  template:"))
    options = "--region", "us-west-2", "--days", "0.1", "-o", "json"
    result = CliRunner().invoke(main, ["simulate", "-f", str(pools), "-f", FILES[1], *options])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert [sum(hour["nodes"].values()) if isinstance(hour["nodes"], dict) else None for hour in data["series"]]
    assert data["total"]["nodeHours"] == pytest.approx(3 * 2.4)


@pytest.mark.parametrize("days", ["1e9", "inf", "nan", "1e-9"])
def test_a_length_without_an_end_is_refused(days):
    """Nodes expire and are replaced in it, so that a run of any length costs time."""
    result = CliRunner().invoke(main, ["simulate", "-f", FILES[0], "--region", "us-west-2", "--days", days])
    assert (result.exit_code, "a second or more, at most 3,653" in result.stderr) == (2, True)


def test_more_pods_than_can_be_followed_are_refused(tmp_path):
    """A plan groups equal pods, while a simulation follows each."""
    file = tmp_path / "app.yaml"
    file.write_text(re.sub("replicas: [0-9]+", "replicas: 2000000", WORKLOADS.read_text()))
    result = CliRunner().invoke(main, ["simulate", "-f", FILES[0], "-f", str(file), "--region", "us-west-2"])
    assert result.exit_code == 2
    assert "2,000,000 pods are more than a simulation follows" in " ".join(result.stderr.split())


def test_more_pods_than_can_be_followed_together_are_refused(tmp_path):
    """Each workload alone has few enough."""
    file = tmp_path / "jobs.yaml"
    job = """apiVersion: batch/v1
kind: CronJob
metadata: {{name: job-{}}}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      parallelism: 1000000
      completions: 1000000
      template: {{spec: {{restartPolicy: Never, containers: [{{name: a, image: a, resources: {{requests: {{cpu: 1}}}}}}]}}}}
"""
    file.write_text("---\n".join(map(job.format, range(3))))
    result = CliRunner().invoke(main, ["simulate", "-f", FILES[0], "-f", str(file), "--region", "us-west-2"])
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "3,000,000 pods of all workloads together are more than a simulation follows allowed: at most 2,000,000" in said
