"""Check everything that a stack's program registers, and its plan, against the rules; offline."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cutlist.core.errors import CutlistError, InputError, Problem, UnfinishedError
from cutlist.core.setting import Edge
from cutlist.core.shapes import Below
from cutlist.documents.folders import Reading
from cutlist.policy.gates import judge, read_gates
from cutlist.policy.registry import known_rules
from cutlist.policy.rules.tokens import NODE_PLAN
from cutlist.settings.planning import RECURSIVE
from cutlist.verbs.gate.answer import GateResult, raise_if_nothing_judged
from pulumi_cutlist.errors import ProgramCrash
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.stack import stack_file
from pulumi_cutlist.stack.gate_keys import GATE_DEFAULTS, GATES, json_value, stray_keys
from pulumi_cutlist.stack.judge import JudgedPlans, gates_at, judged_plans
from pulumi_cutlist.stack.runs import StackRuns

if TYPE_CHECKING:
    from cutlist.documents.revisions import RevisionCopy
    from cutlist.planning.model import Plan
    from cutlist.policy.gates import AnyRule, Gates
    from cutlist.policy.rules import Profile, Resource
    from pulumi_cutlist.recorded.recording import Recording
    from pulumi_cutlist.stack.preview import Preview
    from pulumi_cutlist.stack.stack_file import StackFile

_TO_ITS_END: Final = "a program that runs to its end"


def gate_stack(
    project_dir: Path,
    stack: str,
    today: date,
    before: Plan | None = None,
    time_limit: float | None = None,
    profile: Profile | None = None,
    *,
    allow_empty: bool = False,
    base: RevisionCopy | None = None,
    runs: StackRuns | None = None,
) -> GateResult:
    """Return what the gates of a stack say of everything that its program registers, and of its plan. The program may take
    `time_limit` seconds. A profile comes before that of the stack's gates.

    `base` is the project's folder as it was: the gates, Figures, PodKinds and settings of then count, and what the change does
    to them is said. `runs` keeps what programs registered for who needs it as well.

    Raises InputError for a project or stack that is not there, for a program that ends with an exception, and for one that
    registers nothing that a rule is about, unless that is allowed. What else is wrong is a violation, not an error.
    """
    with stack_file.working_in(project_dir):
        file = stack_file.load(Path(), stack)
    runs = StackRuns() if runs is None else runs
    chosen = gates_at(base, file, lambda of: gates_of_stack(of, known_rules(), profile), project_dir)
    gates = chosen.gates
    try:
        previewed = runs.preview(project_dir, stack, time_limit)
    except ProgramCrash:
        raise
    except InputError as error:
        unread = tuple(problem for problem in error.problems if problem.is_unread)
        return GateResult(judge((), gates, today, error.problems), unread=unread)
    except UnfinishedError as error:
        return GateResult(judge((), gates, today, [Problem(file.at(), str(error), _TO_ITS_END)]))
    except CutlistError as error:
        unfinished = Problem(file.at(), f"the program ends with an error: {error}", _TO_ITS_END)
        return GateResult(judge((), gates, today, [unfinished]))
    resources = _resources(previewed, project_dir)
    left_out = [*_made_elsewhere(previewed.recording), *_left_out(file)]
    try:
        judged = judged_plans(previewed.made, _run_at(base, runs, stack, time_limit), base)
    except InputError as error:
        return GateResult(judge((), gates, today, error.problems))
    resources = _held_against(_as_judged(resources, judged), before)
    further = (*chosen.said, *judged.said)
    report = judge(resources, gates, today, left_out=left_out, further=further, snapshots=judged.snapshots)
    raise_if_nothing_judged(report, file.at(), (), allow_empty=allow_empty)
    by_name = {each.name: each.plan for each in judged.plans}
    return GateResult(report, tuple(by_name.get(each.name, each.plan) for each in previewed.made))


def _resources(previewed: Preview, project_dir: Path) -> list[Resource]:
    """Return what a program registers, with the plan of its plain objects where it makes none. These are where it has them."""
    planned = None if previewed.registered is None else previewed.registered.resource
    inputs = (read if planned is None else replace(read, node_pools=(), node_classes=()) for _, read in previewed.planned)
    resources = recorded_resources(previewed.recording, inputs, project_dir)
    return resources if planned is None else [*resources, planned]


def _run_at(base: RevisionCopy | None, runs: StackRuns, stack: str, time_limit: float | None) -> Preview | None:
    """Return what the program registered at the base; None without a base, or for one that failed there."""
    if base is None:
        return None
    try:
        with base.working():
            return runs.preview(Path(), stack, time_limit)
    except CutlistError:
        return None


def _as_judged(resources: list[Resource], judged: JudgedPlans) -> list[Resource]:
    """Return the resources with the figures of the plans by which a stack is judged.

    Of several plans of one name the most expensive counts.
    """
    by_price = sorted(judged.plans, key=lambda each: each.plan.totals.price_per_hour or 0)
    answers = {each.name: each.answer.registered for each in by_price}
    return [
        replace(resource, data={**resource.data, **answers[resource.name]})
        if resource.type == NODE_PLAN and resource.name in answers
        else resource
        for resource in resources
    ]


def _made_elsewhere(recording: Recording) -> list[str]:
    """Return a sentence on each component whose resources only an engine shows, since its program runs elsewhere."""
    own = ("kubernetes:", "cutlist:")  # the former's are read here as far as they can be
    remote = [r for r in recording.resources.values() if r.request.remote and not r.type.startswith(own)]
    return sorted(f"what the component {r.name} of type {r.type} makes is shown only by an engine" for r in remote)


def gates_of_stack(file: StackFile, rules: tuple[AnyRule, ...], profile: Profile | None = None) -> Gates:
    """Return the gates that a stack file has, over the environments that its project defines."""
    key, defaults = (f"{file.project}:{name}" for name in (GATES, GATE_DEFAULTS))
    stray = [
        Problem(file.at(other), f"{other} is not read by project {file.project}", meant, meant)
        for other, meant in stray_keys(file.config, file.project, file.declared)
    ]
    gates = read_gates(
        json_value(file.config.get(key)),
        rules,
        Below(file.document, file.at(key).path),
        json_value(file.config.get(defaults)),
        Below(file.document, file.at(defaults).path),
        profile,
    )
    return replace(gates, mistakes=(*gates.mistakes, *stray))


def _left_out(file: StackFile) -> list[str]:
    """Return what only an engine can add to the configuration of a stack."""
    where = file.at().source
    opened = f"{where} imports the environment {file.opened}, which only an engine can open: what it adds is not judged here"
    return [opened] if file.opened else []


def _held_against(resources: list[Resource], before: Plan | None) -> list[Resource]:
    """Return the resources with the price of another earlier plan in the figures of plans."""
    if before is None:
        return resources
    price = {"before": before.totals.price_per_hour}
    return [
        replace(resource, data={**resource.data, "measures": {**resource.data["measures"], **price}})
        if resource.type == NODE_PLAN
        else resource
        for resource in resources
    ]


def own_sources(project_dir: Path, stack: str, profile: Profile | None = None) -> tuple[tuple[str, ...], Reading, Gates]:
    """Return the files and folders with a stack's own objects, relative to its project, how they are read, and the gates of the
    stack. Nothing is rendered: only objects in files can be repaired."""
    with stack_file.working_in(project_dir):
        file = stack_file.load(Path(), stack)
        gates = gates_of_stack(file, known_rules(), profile)
    listed = json_value(file.config.get(f"{file.project}:nodePools"))
    paths = tuple(path for path in listed if isinstance(path, str)) if isinstance(listed, list) else ()
    recursive = file.config.get(f"{file.project}:{RECURSIVE.spelled(Edge.STACK)}") == "true"
    return paths, Reading(recursive=recursive), gates
