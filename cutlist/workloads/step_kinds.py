"""Pods of Argo's Workflows and of Tekton's runs: those of the steps that run at one time and request the most.

Steps that wait for each other never run together. If one set of steps that may run together requests at least as much of
everything as every other set, its pods are planned. If there is no such set, or steps come from elsewhere or depend on results,
the object is only named.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.core.shapes import Report
from cutlist.workloads.concurrent_steps import Manifest, Moment, UndecidedError, peak_of, side_by_side, together
from cutlist.workloads.pod_sets import value_at
from cutlist.workloads.ruled_pods import PLACING, PodsOf

_DEPTH: Final = 8
_PARAMETER: Final = re.compile(r"\{\{|\$\(")
_OF_WORKFLOW: Final = (
    "podSpecPatch",
    "templateDefaults",
    "workflowTemplateRef",
    "volumeClaimTemplates",
    "hooks",
    "synchronization",
)
_OF_TEMPLATE: Final = ("podSpecPatch", "synchronization", "daemon", "hooks", "http", "plugin", "resource", "data")
_OF_STEP: Final = ("when", "withParam", "templateRef", "hooks", "inline")
_OF_TASK: Final = ("when", "matrix", "taskRef", "pipelineRef", "pipelineSpec")
_OF_RUN: Final = ("taskRunSpecs", "stepSpecs", "sidecarSpecs", "status")
_TASK_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_RESULT_OF: Final = re.compile(r"\$\(tasks\.([A-Za-z0-9_-]+)\.")
_SUCCEEDED: Final = (".Succeeded", ".Daemoned")


def argo_pods(spec: Manifest, _report: Report) -> Iterator[PodsOf | None]:
    """Yield the pods of a Workflow that run at one time, or None if its spec leaves them open."""
    yield from _decided(lambda: _Workflow(spec, "spec").pods(spec.get("suspend") is True))


def argo_cron_pods(spec: Manifest, _report: Report) -> Iterator[PodsOf | None]:
    """Yield the pods of one Workflow of a CronWorkflow."""
    workflow = spec.get("workflowSpec")
    if not isinstance(workflow, Mapping):
        yield None
        return
    yield from _decided(lambda: _Workflow(workflow, "spec.workflowSpec").pods(spec.get("suspend") is True))


def tekton_task_pods(spec: Manifest, _report: Report) -> Iterator[PodsOf | None]:
    """Yield the pod of a TaskRun that contains its task."""

    def made() -> list[PodsOf]:
        _nothing_of(spec, (*_OF_RUN, "taskRef"))
        pod = _task_pod(spec.get("taskSpec"), spec.get("podTemplate"), spec.get("computeResources"))
        return [PodsOf("pod", 1, pod, "spec.taskSpec")]

    yield from _decided(made)


def tekton_pipeline_pods(spec: Manifest, _report: Report) -> Iterator[PodsOf | None]:
    """Yield the pods of a PipelineRun that run at one time, if it contains its tasks."""
    yield from _decided(lambda: _pipeline(spec))


def _decided(pods: Callable[[], Iterable[PodsOf]]) -> Iterator[PodsOf | None]:
    try:
        yield from pods()
    except UndecidedError:
        yield None


class _Workflow:
    """A Workflow: its templates, and which of their pods may run together."""

    def __init__(self, spec: Manifest, path: str) -> None:
        _nothing_of(spec, _OF_WORKFLOW)
        self.spec, self.path = spec, path
        self.templates = {str(t.get("name")): t for t in _mappings(spec.get("templates"))}

    def pods(self, suspended: bool) -> list[PodsOf]:
        """Return the pods that run at one time and request the most."""
        moments = self._moments(str(self.spec.get("entrypoint")), 0)
        if self.spec.get("onExit"):
            moments = [*moments, *self._moments(str(self.spec["onExit"]), 0)]
        specs = {name: self._pod(name) for name in {n for moment in moments for n in moment}}
        peak = peak_of(moments, specs)
        most = self.spec.get("parallelism")
        if most is not None and (not isinstance(most, int) or peak.total() > most):
            raise UndecidedError
        at = {name: number for number, name in enumerate(self.templates)}
        return [
            PodsOf(name, count, specs[name], f"{self.path}.templates[{at[name]}]", suspended)
            for name, count in sorted(peak.items())
        ]

    def _moments(self, name: str, depth: int) -> list[Moment]:
        template = self.templates.get(name)
        if template is None or depth > _DEPTH:
            raise UndecidedError
        _nothing_of(template, _OF_TEMPLATE)
        if "steps" in template or "dag" in template:
            _nothing_of(template, ("parallelism",))
        if "steps" in template:
            groups = (group if isinstance(group, list) else [group] for group in template["steps"] or ())
            return [moment for group in groups for moment in together([self._of_step(s, depth) for s in _mappings(group)])]
        if "dag" in template:
            tasks = {str(task.get("name")): task for task in _mappings(value_at(template, "dag.tasks"))}
            after = {task: _waited_for(tasks[task]) for task in tasks}
            moments = {task: self._of_step(tasks[task], depth) for task in tasks}
            return [m for chosen in side_by_side(after) for m in together([moments[task] for task in chosen])]
        if "suspend" in template:
            return [Counter()]
        return [Counter([name])]

    def _of_step(self, step: Manifest, depth: int) -> list[Moment]:
        _nothing_of(step, _OF_STEP)
        moments, copies = self._moments(str(step.get("template")), depth + 1), _copies(step)
        # Each copy goes through these moments at its own pace, so which of them coincide is open.
        if copies != 1 and len(moments) > 1:
            raise UndecidedError
        return [Counter({name: count * copies for name, count in moment.items()}) for moment in moments]

    def _pod(self, name: str) -> Manifest:
        template = self.templates[name]
        main = template.get("container") or template.get("script")
        containers = _mappings(value_at(template, "containerSet.containers")) or ([main] if isinstance(main, Mapping) else [])
        if not containers:
            raise UndecidedError
        named = [{"name": f"main-{n}" if n else "main", **_only_resources(c)} for n, c in enumerate(containers)]
        sidecars = [{"name": str(c.get("name")), **_only_resources(c)} for c in _mappings(template.get("sidecars"))]
        inits = [{"name": str(c.get("name")), **_only_resources(c)} for c in _mappings(template.get("initContainers"))]
        volumes = [*_mappings(self.spec.get("volumes")), *_mappings(template.get("volumes"))]
        placing = {**_placing(self.spec), **_placing(template)}
        priority = template.get("priorityClassName") or self.spec.get("podPriorityClassName")
        placing |= {"priorityClassName": priority} if priority else {}
        return _known({**placing, "containers": [*named, *sidecars], "initContainers": inits, "volumes": volumes})


def _waited_for(task: Manifest) -> set[str]:
    """Return the tasks of a DAG for which a task waits."""
    depends, listed = task.get("depends"), task.get("dependencies") or ()
    if depends is None:
        return set(map(str, listed))
    names = set()
    for part in str(depends).split("&&"):
        text = part.strip().strip("()").strip()
        bare = next((text.removesuffix(end) for end in _SUCCEEDED if text.endswith(end)), text)
        if _TASK_NAME.fullmatch(bare) is None:
            raise UndecidedError
        names.add(bare)
    return names


def _copies(step: Manifest) -> int:
    items, count = step.get("withItems"), value_at(step, "withSequence.count")
    if isinstance(items, list):
        return len(items)
    if step.get("withSequence") is not None or items is not None:
        if not str(count).isdecimal():
            raise UndecidedError
        return int(str(count))
    return 1


def _pipeline(spec: Manifest) -> list[PodsOf]:
    _nothing_of(spec, (*_OF_RUN, "pipelineRef"))
    if any(
        set(workspace) & {"persistentVolumeClaim", "volumeClaimTemplate"} for workspace in _mappings(spec.get("workspaces"))
    ):
        raise UndecidedError  # Tekton adds a pod that keeps those with a shared volume together
    template = value_at(spec, "taskRunTemplate.podTemplate") or spec.get("podTemplate")
    specs: dict[str, Manifest] = {}
    places: dict[str, str] = {}
    after: dict[str, set[str]] = {}
    for member in ("tasks", "finally"):
        for number, task in enumerate(_mappings(value_at(spec, f"pipelineSpec.{member}"))):
            _nothing_of(task, _OF_TASK)
            name = str(task.get("name"))
            specs[name] = _task_pod(task.get("taskSpec"), template, None)
            places[name] = f"spec.pipelineSpec.{member}[{number}]"
            if member == "tasks":
                after[name] = {*map(str, task.get("runAfter") or ()), *_RESULT_OF.findall(json.dumps(task, default=str))}
    finals = Counter(name for name in specs if name not in after)
    peak = peak_of([*map(Counter, side_by_side(after)), *([finals] if finals else [])], specs)
    return [PodsOf(name, count, specs[name], places[name]) for name, count in sorted(peak.items())]


def _task_pod(task: Any, pod_template: Any, resources: Any) -> Manifest:
    """Return the pod of a task: one container for each step. Their requests add up although they run one after the other."""
    steps = _mappings(value_at(task, "steps"))
    if not steps or any("ref" in step for step in steps):
        raise UndecidedError
    shared = _step_resources(value_at(task, "stepTemplate"))
    containers = []
    for number, step in enumerate(steps):
        own = _step_resources(step)
        amounts = {kind: {**(shared.get(kind) or {}), **(own.get(kind) or {})} for kind in ("requests", "limits")}
        if isinstance(resources, Mapping):  # of all steps together
            amounts = {} if number else dict(resources)
        containers.append({"name": f"step-{number}", "resources": amounts})
    sidecars = enumerate(_mappings(value_at(task, "sidecars")))
    others = [{"name": f"sidecar-{number}", "resources": _step_resources(sidecar)} for number, sidecar in sidecars]
    placing = _placing(pod_template) if isinstance(pod_template, Mapping) else {}
    volumes = [*_mappings(value_at(task, "volumes")), *_mappings(value_at(pod_template, "volumes"))]
    return _known({**placing, "containers": [*containers, *others], "volumes": volumes})


def _step_resources(step: Any) -> Manifest:
    resources = value_at(step, "computeResources") or value_at(step, "resources") or {}
    return resources if isinstance(resources, Mapping) else {}


def _known(spec: Manifest) -> Manifest:
    """Return a pod spec without parameters in place of values."""
    if _PARAMETER.search(json.dumps(spec, default=str)):
        raise UndecidedError
    return {name: value for name, value in spec.items() if value}


def _nothing_of(data: Manifest, members: Iterable[str]) -> None:
    if any(data.get(member) for member in members):
        raise UndecidedError


def _only_resources(container: Manifest) -> dict[str, Any]:
    return {name: container[name] for name in ("resources", "restartPolicy") if container.get(name)}


def _placing(data: Manifest) -> dict[str, Any]:
    return {name: data[name] for name in PLACING if data.get(name) is not None}


def _mappings(value: Any) -> list[Manifest]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []
