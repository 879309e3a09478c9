"""How long Jobs run."""

from __future__ import annotations

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.simulation.demand.durations import observed_durations, read_durations
from cutlist.simulation.events import MINUTE, SECOND


def read(folder, text):
    problems = Problems()
    (folder / "d.csv").write_text(text)
    return read_durations(str(folder / "d.csv"), problems), [str(p).replace(f"{folder}/", "") for p in problems.ordered()]


def test_a_table_has_a_duration_for_each_workload(tmp_path):
    assert read(tmp_path, "workload,duration\ncronjob/report,12m\nshop/job/sync,1.5s\n") == (
        {"cronjob/report": 12 * MINUTE, "shop/job/sync": 1500},
        [],
    )


def test_mistakes_are_named_by_line(tmp_path):
    header = "workload,duration\n"
    rows = [
        ("workload,seconds\n", "d.csv:1: has the columns workload, seconds; allowed: workload, duration"),
        (header, "d.csv: no duration is in it"),
        (f"{header}cronjob/a,soon\n", "d.csv:2: 'soon' is not a duration; allowed: such as 90s"),
        (f"{header}cronjob/a,0s\n", "d.csv:2: '0s' is not a duration"),
        (f"{header}cronjob/a\n", "d.csv:2: is not a row of the table"),
        (f"{header}cronjob/a,1s\ncronjob/a,2s\n", "d.csv:3: cronjob/a has another duration above"),
    ]
    for text, mistake in rows:
        (first, *others) = read(tmp_path, text)[1]
        assert first.startswith(mistake)
        assert others == []


JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: %s, namespace: shop%s}
spec: {completions: %s, parallelism: 2}
status: {startTime: "2026-01-05T02:00:00Z"%s}
"""


def test_earlier_jobs_say_how_long_a_pod_runs():
    """Four completions by two pods at a time are two turns; a Job that runs still says nothing."""
    own, ends = ", ownerReferences: [{kind: CronJob, name: report}]", ', completionTime: "2026-01-05T02:%s:00Z"'
    jobs = [("a", own, 4, ends % "20"), ("b", own, 2, ends % "12"), ("c", own, 2, ends % "40"), ("d", own, 2, "")]
    text = "---".join(JOB % job for job in [*jobs, ("sync", "", 1, ends % "01")])
    assert observed_durations(parse_documents(text, "f.yaml", Problems())) == {
        "shop/cronjob/report": 12 * MINUTE,
        "shop/job/sync": 60 * SECOND,
    }
