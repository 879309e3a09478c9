"""Workflows and runs of tasks: the pods of the steps that run together and request the most."""

from __future__ import annotations

import pytest

from tests.unit.workloads.reading import notes, read
from tests.unit.workloads.test_pod_kinds import counts, of, only, sizes

SMALL = "{name: small, container: {image: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}}"
LARGE = "{name: large, script: {image: a, source: b, resources: {requests: {cpu: 2, memory: 4Gi}}}}"
ODD = "{name: odd, container: {image: a, resources: {requests: {cpu: 100m, memory: 64Gi}}}}"


def workflow(main: str, more: str = "", *templates: str) -> str:
    listed = ", ".join((f"{{name: main, {main}}}", *(templates or (SMALL, LARGE))))
    return of("argoproj.io/v1alpha1", "Workflow", f"{{entrypoint: main, templates: [{listed}], {more}}}")


def task(cpu: str = "1", more: str = "") -> str:
    return f"taskSpec: {{steps: [{{name: s, image: a, computeResources: {{requests: {{cpu: {cpu}}}}}}}]{more}}}"


def run_of(*tasks: str, more: str = "", last: str = "") -> str:
    spec = f"{{pipelineSpec: {{tasks: [{', '.join(tasks)}], finally: [{last}]}}, {more}}}"
    return of("tekton.dev/v1", "PipelineRun", spec)


@pytest.mark.parametrize(
    ("main", "more", "expected"),
    [
        ("container: {image: a}", "", {"workflow/web-main": 1}),
        ("steps: [[{name: a, template: small}], [{name: b, template: large}]]", "", {"workflow/web-large": 1}),
        (
            "steps: [[{name: a, template: large}, {name: b, template: small}], [{name: c, template: large}]]",
            "",
            {"workflow/web-large": 1, "workflow/web-small": 1},
        ),
        ("steps: [[{name: a, template: small, withItems: [x, y, z]}]]", "", {"workflow/web-small": 3}),
        ("steps: [[{name: a, template: small, withSequence: {count: '4'}}]]", "", {"workflow/web-small": 4}),
        ("steps: [[{name: a, template: small}]]", "onExit: large", {"workflow/web-large": 1}),
        ("steps: [[{name: a, template: small}]]", "parallelism: 1", {"workflow/web-small": 1}),
        ("steps: [[{name: a, template: small}]]", "suspend: true", {"workflow/web-small": 0}),
        (
            "dag: {tasks: [{name: a, template: small}, {name: b, template: large, depends: a}, "
            "{name: c, template: large, depends: 'a.Succeeded'}, {name: d, template: small, dependencies: [b, c]}]}",
            "",
            {"workflow/web-large": 2},
        ),
        (
            "dag: {tasks: [{name: a, template: small}, {name: b, template: large}]}",
            "",
            {"workflow/web-large": 1, "workflow/web-small": 1},
        ),
    ],
)
def test_a_workflow_is_planned_at_the_steps_that_request_the_most(main: str, more: str, expected: dict[str, int]) -> None:
    """Steps of one group and tasks that do not wait for each other run together."""
    workloads = read(workflow(main, more))
    assert counts(workloads) == expected
    assert workloads.not_understood == ()


def test_steps_of_steps_run_as_their_template_says() -> None:
    """While one branch is at any of its steps."""
    inner = "{name: inner, steps: [[{name: a, template: small}], [{name: b, template: large}]]}"
    main = "dag: {tasks: [{name: a, template: inner}, {name: b, template: small}]}"
    assert counts(read(workflow(main, "", inner, SMALL, LARGE))) == {"workflow/web-large": 1, "workflow/web-small": 1}


def test_the_pods_of_a_workflow_are_placed_as_it_says() -> None:
    """A template's own placing counts before the workflow's; sidecars are part of the pod."""
    one = "{requests: {cpu: 1}}"
    main = f"container: {{image: a, resources: {one}}}, sidecars: [{{name: s, image: b, resources: {one}}}]"
    group = only(
        read(workflow(f"{main}, nodeSelector: {{a: own}}", "nodeSelector: {a: all, b: all}, tolerations: [{operator: Exists}]"))
    )
    assert sizes(group) == {"cpu": "2"}
    assert (dict(group.pod.node_selector), len(group.pod.tolerations)) == ({"a": "own"}, 1)


@pytest.mark.parametrize(
    ("main", "more"),
    [
        ("steps: [[{name: a, template: small, when: '{{x}} == y'}]]", ""),
        ("steps: [[{name: a, template: small, withParam: '{{x}}'}]]", ""),
        ("steps: [[{name: a, templateRef: {name: b, template: c}}]]", ""),
        ("steps: [[{name: a, template: gone}]]", ""),
        ("steps: [[{name: a, template: main}]]", ""),
        ("steps: [[{name: a, template: large}], [{name: b, template: odd}]]", ""),
        ("steps: [[{name: a, template: small, withItems: [x, y]}]]", "parallelism: 1"),
        ("container: {image: a, resources: {requests: {cpu: '{{workflow.parameters.cpu}}'}}}", ""),
        ("container: {image: a}", "podSpecPatch: 'x: y'"),
        ("container: {image: a}", "volumeClaimTemplates: [{metadata: {name: w}}]"),
        ("dag: {tasks: [{name: a, template: small}, {name: b, template: large, depends: 'a || a.Failed'}]}", ""),
        ("dag: {tasks: [{name: a, template: small, dependencies: [b]}, {name: b, template: large, dependencies: [a]}]}", ""),
        ("http: {url: x}", ""),
    ],
)
def test_a_workflow_whose_spec_does_not_say_its_pods_is_named(main: str, more: str) -> None:
    workloads = read(workflow(main, more, SMALL, LARGE, ODD))
    assert workloads.groups == ()
    (unknown,) = workloads.not_understood
    assert "depends on results" in unknown.why


def test_a_cron_workflow_is_planned_at_one_run() -> None:
    spec = f"{{schedule: '0 * * * *', workflowSpec: {{entrypoint: small, templates: [{SMALL}]}}}}"
    assert counts(read(of("argoproj.io/v1alpha1", "CronWorkflow", spec))) == {"cronworkflow/web-small": 1}


def test_a_workflow_that_has_finished_has_no_pods() -> None:
    finished = workflow("container: {image: a}") + "\nstatus: {phase: Succeeded, finishedAt: '2026-01-05T00:00:00Z'}"
    assert counts(read(finished)) == {"workflow/web-main": 0}


def test_a_workflow_with_a_generated_name_is_named_by_its_beginning() -> None:
    assert counts(read(workflow("container: {image: a}").replace("name: web", "generateName: web-", 1))) == {
        "workflow/web-main": 1
    }


def test_requests_of_the_steps_of_a_task_add_up() -> None:
    """They are containers of one pod; a step's own amounts count before those of the template, and sidecars besides."""
    steps = "[{name: a, computeResources: {requests: {cpu: 2}}}, {name: b}]"
    shared = "stepTemplate: {computeResources: {requests: {cpu: 1, memory: 1Gi}}}"
    more = f"{shared}, sidecars: [{{name: c, computeResources: {{requests: {{cpu: 1}}}}}}]"
    workloads = read(
        of("tekton.dev/v1", "TaskRun", f"{{taskSpec: {{steps: {steps}, {more}}}, podTemplate: {{nodeSelector: {{a: b}}}}}}")
    )
    group = only(workloads)
    assert (group.workload, group.count, sizes(group)) == ("taskrun/web-pod", 1, {"cpu": "4", "memory": "2Gi"})
    assert dict(group.pod.node_selector) == {"a": "b"}
    assert "Tekton adds" in " ".join(notes(workloads)["other-kind-counted"])


def test_the_requests_of_a_whole_task_replace_those_of_its_steps() -> None:
    spec = f"{{{task('8')}, computeResources: {{requests: {{cpu: 3}}}}}}"
    assert sizes(only(read(of("tekton.dev/v1", "TaskRun", spec)))) == {"cpu": "3"}


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (run_of(f"{{name: a, {task()}}}", f"{{name: b, {task()}}}"), {"pipelinerun/web-a": 1, "pipelinerun/web-b": 1}),
        (run_of(f"{{name: a, {task()}}}", f"{{name: b, runAfter: [a], {task('2')}}}"), {"pipelinerun/web-b": 1}),
        (
            run_of(f"{{name: a, {task('2')}}}", f"{{name: b, params: [{{name: p, value: $(tasks.a.results.r)}}], {task()}}}"),
            {"pipelinerun/web-a": 1},
        ),
        (run_of(f"{{name: a, {task()}}}", last=f"{{name: z, {task('4')}}}"), {"pipelinerun/web-z": 1}),
    ],
)
def test_a_pipeline_is_planned_at_the_tasks_that_request_the_most(run: str, expected: dict[str, int]) -> None:
    """A task that uses a result of another one waits for it; what comes at the end runs alone."""
    assert counts(read(run)) == expected


@pytest.mark.parametrize(
    "run",
    [
        run_of("{name: a, taskRef: {name: t}}"),
        run_of(f"{{name: a, matrix: {{params: []}}, when: [x], {task()}}}"),
        run_of(f"{{name: a, {task()}}}", more="workspaces: [{name: w, volumeClaimTemplate: {spec: {}}}]"),
        run_of(f"{{name: a, {task()}}}", more="taskRunSpecs: [{pipelineTaskName: a}]"),
        run_of(f"{{name: a, {task('$(params.cpu)')}}}"),
        of("tekton.dev/v1", "TaskRun", "{taskRef: {name: t}}"),
        of("tekton.dev/v1", "TaskRun", f"{{{task()}, stepSpecs: [{{name: s}}]}}"),
    ],
)
def test_a_run_whose_spec_does_not_say_its_pods_is_named(run: str) -> None:
    workloads = read(run)
    assert (workloads.groups, len(workloads.not_understood)) == ((), 1)


def test_a_workflow_that_is_not_counted_is_named_by_the_beginning_of_its_name() -> None:
    workloads = read(workflow("http: {url: x}").replace("name: web", "generateName: web-", 1))
    assert [(unknown.kind, unknown.name) for unknown in workloads.not_understood] == [("Workflow", "web-")]
