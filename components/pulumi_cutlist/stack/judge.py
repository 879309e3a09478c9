"""By what a stack is judged: its gates, and the plans of its NodePlans, without what the change brings to configure its judge.

A NodePlan is planned by the objects, Figures and settings that its program hands on, all of which may come with the change. So
it is planned again: with the documents and settings that the base has, and without what only a cluster has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cutlist.core.errors import CutlistError, InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.planning.document_inputs import inputs_of
from cutlist.policy.gates import Judgement
from cutlist.settings.planning import with_defaults
from cutlist.verbs.gate.edited_settings import edited_settings
from cutlist.verbs.gate.gate_changes import differing, gate_changes, not_there, of_judge, setting_changes
from cutlist.verbs.gate.live_state import live_outcomes, without_live_state
from cutlist.verbs.gate.own_documents import IN_STACK, NEVER, EditedSetting, JudgedBy, money_between
from cutlist.verbs.plan.answer import plan as make_plan
from pulumi_cutlist.plan import planned_answer
from pulumi_cutlist.stack import stack_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutlist.documents.document import Document
    from cutlist.documents.revisions import RevisionCopy
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from cutlist.policy.gates import Gates
    from cutlist.settings.planning import PlanSettings
    from pulumi_cutlist.node_plans.made import MadePlan
    from pulumi_cutlist.node_plans.request import PlanAnswer
    from pulumi_cutlist.stack.preview import Preview
    from pulumi_cutlist.stack.stack_file import StackFile


@dataclass(frozen=True, slots=True)
class StackGates:
    """The gates that judge a stack, and what a change does to them."""

    gates: Gates
    said: tuple[Judgement, ...] = ()


def gates_at(base: RevisionCopy | None, file: StackFile, read: Callable[[StackFile], Gates], project_dir: Path) -> StackGates:
    """Return the gates that judge a stack: those of its file at the base; as they are for a stack that was not there.

    `read` reads the gates of a stack's file.
    """
    now = read(file)
    if base is None:
        return StackGates(now)
    name = file.at().source
    with contextlib.chdir(project_dir):
        try:
            with base.working():
                then = read(stack_file.load(Path(), file.stack))
        except InputError:
            return StackGates(now, (not_there(name),))
    return StackGates(replace(then, mistakes=(*then.mistakes, *now.mistakes)), tuple(gate_changes(then, now, name)))


@dataclass(frozen=True, slots=True)
class JudgedPlan:
    """A plan by which a NodePlan is judged: what it is made from, the plan, and what a NodePlan of it registers."""

    name: str
    inputs: PlanInputs
    plan: Plan
    answer: PlanAnswer


@dataclass(frozen=True, slots=True)
class JudgedPlans:
    """The plans by which a stack is judged, what is to say of the change, and the inputs that are snapshots."""

    plans: tuple[JudgedPlan, ...] = ()
    said: tuple[Judgement, ...] = ()
    snapshots: tuple[str, ...] = ()


def judged_plans(made: Sequence[MadePlan], then: Preview | None, base: RevisionCopy | None) -> JudgedPlans:
    """Return the plans of a stack's NodePlans as a change may configure them: by the base, where it could be run `then`."""
    earlier = {each.name: each for each in then.made} if then is not None else None
    plans: list[JudgedPlan] = []
    said: list[Judgement] = []
    snapshots: list[str] = []
    for each in made:
        judged = _Judged(each, None if earlier is None else earlier.get(each.name), base, has_base=earlier is not None)
        plans += judged.plan()
        said += judged.said()
        snapshots += judged.changes.snapshots
    return JudgedPlans(tuple(plans), tuple(dict.fromkeys(said)), tuple(dict.fromkeys(snapshots)))


class _Judged:
    """One plan, its documents and settings as they count, and those of the change."""

    def __init__(self, made: MadePlan, then: MadePlan | None, base: RevisionCopy | None, *, has_base: bool) -> None:
        self._made, self._then = made, then
        folder = made.request.folder
        with contextlib.chdir(folder):
            is_edited = NEVER if base is None else base.is_edited
            self.changes = without_live_state(made.inputs.documents, made.request.sources, is_edited)
        documents = () if then is None else then.inputs.documents
        by = JudgedBy(base=documents) if has_base else JudgedBy(why=IN_STACK)
        self._counted = by.counted(self.changes.documents)
        self._edited: tuple[EditedSetting, ...] = ()
        if has_base and base is not None:
            before = then.inputs.settings if then is not None else with_defaults({})
            self._edited = edited_settings(with_defaults(before), with_defaults(made.inputs.settings), base, folder)

    def plan(self) -> Iterator[JudgedPlan]:
        """Yield the plan that is judged: the one that the program asked for, if everything of it counts."""
        counted = {each.name: each.counted for each in self._edited}
        is_as_asked = tuple(self._counted.documents) == self._made.inputs.documents and not counted
        if not is_as_asked:
            with contextlib.chdir(self._made.request.folder):
                inputs = self._inputs(self._counted.documents, counted)
                planned, answer = planned_answer(inputs, self._made.request.baseline)
            yield JudgedPlan(self._made.name, inputs, planned, answer)

    def said(self) -> Iterator[Judgement]:
        """Yield what the change does to what it is judged by."""
        counted = {each.name: each.counted for each in self._edited}
        with contextlib.chdir(self._made.request.folder):
            yield from live_outcomes(self.changes)
            yield from self._counted.outcomes(lambda documents: self._price(documents, counted))
            yield from setting_changes(self._edited, lambda edited: self._price(self._counted.documents, {**counted, **edited}))
        yield from self._of_cluster(counted)

    def _of_cluster(self, settings: Mapping[str, Any]) -> Iterator[Judgement]:
        """Yield what the program says of its cluster, such as feature gates of the controller, and said otherwise before. It
        counts, since the cluster changes with it."""
        if self._then is None:
            return
        before, now = self._then.inputs.known, self._made.inputs.known
        was, is_now = dict(_leaves(before)), dict(_leaves(now))
        names = [name for name in dict.fromkeys((*was, *is_now)) if was.get(name) != is_now.get(name)]
        with contextlib.chdir(self._made.request.folder):
            prices = [self._price(self._counted.documents, settings, known) for known in (before, now)] if names else []
        money = money_between(*prices) if names else ""
        for name in names:
            text = f"{differing(name, was.get(name), is_now.get(name))}{money}"
            yield of_judge(f"NodePlan/{self._made.name}", Place(), text, counts_as_is=True)
            money = ""

    def _inputs(
        self, documents: Sequence[Document], settings: Mapping[str, Any], known: Mapping[str, Any] | None = None
    ) -> PlanInputs:
        made = self._made.inputs
        chosen = {**made.settings, **settings}
        problems, figures = Problems(allow_empty=True), made.known if known is None else known
        return inputs_of(documents, cast("PlanSettings", chosen), problems, Notes(), made.source, figures)

    def _price(
        self, documents: Sequence[Document], settings: Mapping[str, Any], known: Mapping[str, Any] | None = None
    ) -> float | None:
        try:
            return make_plan(self._inputs(documents, settings, known)).totals.price_per_hour
        except CutlistError:
            return None


def _leaves(data: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of mappings within mappings, by their paths."""
    if not isinstance(data, Mapping):
        yield name, data
        return
    for key, value in data.items():
        yield from _leaves(value, f"{name}.{key}" if name else str(key))
