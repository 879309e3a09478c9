"""Runs a stack's own program offline: what it registers, what that costs, and the nodes that its workloads get."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from cutlist.catalog.embedded import chosen_regions, load_chosen
from cutlist.core.errors import Problems
from cutlist.verbs.plan.answer import plan, with_launches
from cutlist.verbs.plan.further_prices import with_further_prices
from pulumi_cutlist.day import today
from pulumi_cutlist.node_plans.made import MadePlan, counted_once
from pulumi_cutlist.node_plans.matching import is_hint
from pulumi_cutlist.program import offline, run
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.recorded.recording import STACK, Log
from pulumi_cutlist.recorded.registered_plan import RegisteredPlan, registered_plan
from pulumi_cutlist.recorded.resource_costs import bill_of
from pulumi_cutlist.stack import stack_file
from pulumi_cutlist.stack.lookup_keys import lookups_of

if TYPE_CHECKING:
    from cutlist.catalog.regions import AnyRegion
    from cutlist.infrastructure.costs import Bill
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan
    from pulumi_cutlist.lookups.account import Account
    from pulumi_cutlist.lookups.answers import Asked
    from pulumi_cutlist.lookups.context import Context
    from pulumi_cutlist.recorded.recording import Recording


@dataclass(frozen=True, slots=True)
class Preview:
    """What a stack's program registered, and the plans that it made.

    `config` has the settings that it ran with, by qualified key. `live` are regions of a catalogue's folder, by name.
    `day` is the one from which calendars count. `registered` is the plan of the objects that the program registers, where it
    makes none itself.
    """

    recording: Recording
    made: tuple[MadePlan, ...]
    config: Mapping[str, str]
    live: Mapping[str, AnyRegion] = field(default_factory=dict)
    day: date = field(default_factory=today)
    registered: RegisteredPlan | None = None

    @property
    def planned(self) -> tuple[tuple[Plan, PlanInputs], ...]:
        """Return the plans, with what each was made from."""
        return tuple((each.plan, each.inputs) for each in self.made)

    def with_catalog(self, folder: str | os.PathLike[str]) -> Preview:
        """Return the preview with the types and prices of a catalogue's folder, for the regions that it has.

        Raises InputError for a folder without a catalogue, or a damaged one.
        """
        live = {region: load_chosen(folder, region) for region in chosen_regions(folder)}

        def again(each: MadePlan) -> MadePlan:
            region = each.inputs.catalog
            inputs = replace(each.inputs, catalog=live.get(region.region, region))
            return replace(each, inputs=inputs, plan=plan(inputs))

        return replace(self, made=tuple(map(again, self.made)), live=live)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Return what is predicted for each NodePlan that the program registers."""
        return tuple(plan for plan, _ in self.planned)

    @property
    def priced(self) -> tuple[Plan, ...]:
        """Return the plans with the further prices that take little time."""
        return tuple(with_further_prices(plan, inputs) for plan, inputs in self.planned)

    @property
    def launched(self) -> tuple[Plan, ...]:
        """Return the same with the requests that their nodes are launched with."""
        inputs = (inputs for _, inputs in self.planned)
        return tuple(map(with_launches, self.priced, inputs))

    @property
    def bill(self) -> Bill:
        """Return what the resources and the planned nodes cost, as far as that is known; the user's own figures go before."""
        figures = [of.inputs.figures for of in self.made]
        plans = counted_once(of.shown for of in self.made)
        return bill_of(self.recording, plans, self.config, figures, self.live, self.day)

    @property
    def is_empty(self) -> bool:
        """Tell whether the program registered nothing but its stack, and made no plan."""
        return not self.made and all(resource.type == STACK for resource in self.recording.resources.values())

    @property
    def has_pending_pods(self) -> bool:
        """Tell whether any plan leaves pods without a node."""
        return any(plan.pending for plan in self.plans)


def planned(project_dir: Path, stack: str, time_limit: float | None = None) -> tuple[tuple[Plan, PlanInputs], ...]:
    """Return the plans of a stack's program, with what each was made from. Runs it and raises as `preview` does."""
    return preview(project_dir, stack, time_limit).planned


def preview(project_dir: Path, stack: str, time_limit: float | None = None) -> Preview:
    """Run the program of a stack in preview mode, in its own process, for at most `time_limit` seconds.

    Raises InputError with every mistake in the project's, the stack's and the program's files, of its kind ProgramCrash when
    the program ends with an exception; ProgramError when it refuses to run for a reason of its own; UnfinishedError when it
    ends before everything that it registers is known. A program whose configuration has mistakes runs too, to find
    those that only the program can find.
    """
    return _previewed(project_dir, stack, time_limit, None)


def recorded_preview(project_dir: Path, stack: str, time_limit: float | None = None) -> tuple[Preview, Account]:
    """Run the program of a stack like `preview`, but ask an account and other stacks what it looks up. Return the answers,
    too, which are not written yet."""
    from pulumi_cutlist.lookups.account import Account  # with gRPC's server and client, which only this needs

    accounts: list[Account] = []

    def asks(context: Context) -> Asked:
        accounts.append(Account(context, Path().resolve()))
        return accounts[0].ask

    try:
        return _previewed(project_dir, stack, time_limit, asks), accounts[0]
    finally:
        for account in accounts:
            account.plugins.close()


def _previewed(project_dir: Path, stack: str, time_limit: float | None, asks: run.AsksAccount | None) -> Preview:
    with stack_file.working_in(project_dir):
        file = stack_file.load(Path(), stack)
        problems = Problems()
        written = lookups_of(file, problems, being_recorded=asks is not None)
        program = offline.Program(
            file.program, file.root, file.project, file.stack, file.config, file.secrets, written, file.language
        )
        known = (*file.problems, *problems.found)
        recording, made = run.run_program(program, known, time_limit or run.TIME_LIMIT, asks)
        return _with_registered(Preview(recording, made, program.config), program)


def _with_registered(previewed: Preview, program: offline.Program) -> Preview:
    """Return the preview with the plan of the objects that the program registers, where it makes no plan itself; or with a
    message that says what keeps it from being made."""
    if previewed.made:
        return previewed
    plan = registered_plan(recorded_resources(previewed.recording, root=Path()), program.config, program.project)
    if plan is None:
        return previewed
    if plan.made is not None:
        logs = previewed.recording.logs
        logs[:] = [log for log in logs if not is_hint(log.message)]
        return replace(previewed, made=(plan.made,), registered=plan)
    mistakes = "; ".join(map(str, plan.problems))
    previewed.recording.logs.append(Log("warning", f"No nodes are planned for the objects of the program: {mistakes}"))
    return replace(previewed, registered=plan)
