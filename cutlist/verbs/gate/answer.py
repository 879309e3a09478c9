"""Judge files by the gates: read the files, make the plan, report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Final, cast

from cutlist.api.assumed_classes import class_name
from cutlist.api.current_objects import converted_only
from cutlist.api.read import REFERRED
from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import ACCOUNTED, Notes
from cutlist.core.records import data_of
from cutlist.core.setting import Edge
from cutlist.documents.collecting import collect_documents, read_mapping
from cutlist.documents.delivery.counting import Rendering, unwatched
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.delivery.releases import rendering_commands
from cutlist.documents.document import Document
from cutlist.documents.files import sources
from cutlist.documents.folders import Reading
from cutlist.documents.terraform.configurations import configured_regions
from cutlist.documents.terraform.opentofu import TERRAFORM
from cutlist.planning.absences import kinds_in_words
from cutlist.planning.built_in_signs import with_cluster_config
from cutlist.planning.document_inputs import inputs_of, require_one_environment
from cutlist.planning.figures import read_figures
from cutlist.planning.model import Plan
from cutlist.planning.region_signs import with_region_of_input
from cutlist.planning.services import RulesByService
from cutlist.policy.gates import AnyRule, Gates, Judgement, Report, Verdict, judge, read_gates
from cutlist.policy.registry import known_rules
from cutlist.policy.rules import Profile, Resource
from cutlist.policy.rules.expansion.expansion import expanded
from cutlist.policy.rules.expansion.opentofu import resource_of_opentofu
from cutlist.policy.rules.nodepools.choice import EXTERNAL, class_is_there
from cutlist.policy.rules.tokens import NODE_POOL
from cutlist.providers.lint import UNKNOWN_VALUE
from cutlist.settings.planning import REGION, PlanSettings, with_defaults
from cutlist.settings.words import spelled
from cutlist.verbs.gate.change import Change
from cutlist.verbs.gate.gate_changes import setting_changes
from cutlist.verbs.gate.live_state import Changes, live_outcomes, without_live_state
from cutlist.verbs.gate.own_documents import CountedDocuments, JudgedBy
from cutlist.verbs.gate.plan_places import plan_resource
from cutlist.verbs.plan.answer import plan, plan_with_measures
from cutlist.workloads.grouping import HOOK_LEFT_OUT
from cutlist.workloads.inventory import Inventory
from cutlist.workloads.kinds import READ, kind_of

ONE_MAPPING: Final = "one mapping with rules, exemptions and an environment"
_NO_REGION: Final = Problem(Place.of(REGION), "no region is given, so no plan can be made")


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gates' report, the plans that it is based on, and what changes since an earlier revision, if that is asked.

    `unread` keeps the report from being a verdict: files that cannot be opened, so that nothing in them is judged, or a missing
    region. The report also has each of them as a violation.
    """

    report: Report
    plans: tuple[Plan, ...] = ()
    unread: tuple[Problem, ...] = ()
    change: Change | None = None


NO_PLAN: Final[PlanSettings] = {}
OF_CALLER: Final = JudgedBy()


def gate(
    paths: Sequence[str | os.PathLike[str]],
    gates: Gates,
    today: date,
    settings: PlanSettings = NO_PLAN,
    stdin: str | bytes | None = None,
    before: Plan | None = None,
    *,
    edge: Edge = Edge.PYTHON,
    fetcher: Fetcher | None = None,
    by: JudgedBy = OF_CALLER,
    rendering: Rendering = unwatched,
    advises: bool = True,
) -> GateResult:
    """Return the gates' report on files and folders, and on the plan that they make.

    Input that cannot be read is a violation itself; files that cannot be opened are in `unread` as well. `before` is an earlier
    plan of the same environment. The report names settings as users of an `edge` write them. `fetcher` fetches charts and
    sources that are elsewhere. What only a cluster has counts in snapshots alone, and documents that configure the judge `by`
    where they are. `rendering` is given how much of what helm renders is done. Unless it `advises`, the plan does not say what
    would help pods that stay pending.

    Raises InputError for settings that are wrong, such as an unknown region, and, unless that is allowed, when there is nothing
    to judge: a file or folder without any object, such as the output of a command that failed, or only objects that no rule
    applies to.

    >>> from datetime import date
    >>> from cutlist import PlanSettings, default_gates, gate
    >>> files = ["examples/shop/pools.yaml", "examples/shop/workloads.yaml"]
    >>> result = gate(files, default_gates(), date(2026, 1, 5), PlanSettings(region="us-west-2"))
    >>> result.report.has_passed
    False
    """
    allow_empty = settings.get("allow_empty", False)
    problems, notes = Problems(allow_empty=allow_empty), Notes()
    gates, settings = with_external_classes(gates, with_defaults(settings))
    changes, counted, settings = _read(
        paths, stdin, by, settings, Reading.of(settings, fetcher, rendering=rendering), problems, notes
    )
    documents = counted.documents
    rules, _ = RulesByService.chosen(settings["karpenter"], documents, Problems())  # a wrong text is reported with the plan
    on = _gates_on(documents, settings, rules.karpenter)
    resources = [*resources_of(documents, rules.of, on), *resources_of(converted_only(documents), rules.of, on)]
    left_out = [note.text for note in notes.all() if note.code not in ACCOUNTED]
    plans: tuple[Plan, ...] = ()
    if _can_be_planned(resources, documents, settings, problems):
        plans, figures = _planned(documents, settings, before, today, problems, notes, sources(paths), advises=advises)
        resources += figures
        left_out += [note.text for note in notes.all() if note.code == HOOK_LEFT_OUT]
    unknown = [note.text for planned in plans for note in planned.warnings if note.code == UNKNOWN_VALUE]
    unread = tuple(dict.fromkeys(problems.ordered()))
    account = notes.ledger.closed().with_open(_delivered(documents))
    said = [*live_outcomes(changes), *_of_judge(by, counted, settings)]
    report = judge(resources, gates, today, spelled(unread, edge), left_out, unknown, account, said, changes.snapshots)
    report = replace(report, services=rules.running(documents) or None)
    raise_if_nothing_judged(report, Place(sources(paths)), documents, allow_empty=allow_empty)
    return GateResult(report, plans, tuple(problem for problem in unread if problem.is_unread or problem == _NO_REGION))


def _read(
    paths: Sequence[str | os.PathLike[str]],
    stdin: str | bytes | None,
    by: JudgedBy,
    settings: PlanSettings,
    reading: Reading,
    problems: Problems,
    notes: Notes,
) -> tuple[Changes, CountedDocuments, PlanSettings]:
    """Return the objects as a change may have them, those of them that count, and the settings with what the objects say.

    Raises InputError when there is nothing to judge, unless that is allowed.
    """
    documents = collect_documents(paths, problems, stdin, reading, notes)
    require_one_environment(notes)
    problems.raise_if_empty()
    changes = without_live_state(documents, paths, by.is_edited)
    counted = by.counted(changes.documents)
    settings = with_cluster_config(settings, counted.documents, notes)
    configured = partial(configured_regions, paths, reading)
    unplanned = Problems()  # a missing region is a violation of its own
    return changes, counted, with_region_of_input(settings, counted.documents, configured, notes, unplanned)


def _can_be_planned(
    resources: Sequence[Resource], documents: Sequence[Document], settings: PlanSettings, problems: Problems
) -> bool:
    """Tell whether there are NodePools, and a region to plan them in. If not, mistakes that the plan would report are added."""
    has_pools = bool(settings["built_in_pools"]) or _has_pools(resources)
    if has_pools and settings["region"] is not None:
        return True
    Inventory.take(documents, problems)  # workloads that a plan cannot describe
    problems.extend([_NO_REGION] if has_pools else ())
    return False


def _has_pools(resources: Sequence[Resource]) -> bool:
    if any(resource.type == NODE_POOL for resource in resources):
        return True  # without opening what may hold others
    return any(inner.type == NODE_POOL for outer in resources for inner in expanded(outer))


def _of_judge(by: JudgedBy, counted: CountedDocuments, settings: PlanSettings) -> Iterator[Judgement]:
    """Yield what is to say of what configures the judge: that it does not count, or what a change does to it."""
    yield from by.said
    yield from counted.outcomes(partial(_price, settings))
    yield from setting_changes(
        by.edited, lambda edited: _price(cast("PlanSettings", {**settings, **edited}), counted.documents)
    )


def _price(settings: PlanSettings, documents: Sequence[Document]) -> float | None:
    """Return the hourly price of the plan of objects, in USD; None if they cannot be planned."""
    try:
        return plan(inputs_of(documents, settings, Problems(), Notes(), "")).totals.price_per_hour
    except InputError:
        return None


def _delivered(documents: Iterable[Document]) -> Iterator[OpenInput]:
    """Yield the objects of Flux and Argo CD of which no plan and no rule knows what they apply."""
    others = [document for document in documents if kind_of(document.data) not in READ]
    return (item.opened for item in Inventory.take(others, Problems()).not_understood if item.is_delivered)


def with_external_classes(gates: Gates, settings: PlanSettings) -> tuple[Gates, PlanSettings]:
    """Return gates and plan settings that both know the node classes which either declares to be elsewhere."""
    rule, setting = class_is_there.id, EXTERNAL.name
    own = gates.settings.get(rule, {setting: ()})
    names = map(class_name, settings["external_classes"])
    named = (n if "/" in n else f"{kind}/{n}" for n in names for _, kind in REFERRED)
    whole = {**gates.settings, rule: {**own, setting: (*own[setting], *named)}}
    declared = (*settings["external_classes"], *own[setting])
    return replace(gates, settings=whole), {**settings, "external_classes": declared}


def raise_if_nothing_judged(report: Report, place: Place, documents: Sequence[Document], *, allow_empty: bool) -> None:
    """Raise InputError for a report that passes only because no rule applies to anything, or can see anything of it, unless
    that is allowed. `documents` are those that the rules have looked at."""
    problems = Problems(allow_empty=allow_empty)
    if not report.judged and report.has_passed:
        kinds = f": {shown}" if (shown := kinds_in_words(documents)) else ""
        text = f"nothing is judged: {report.rules:,} rules concern none of the {report.looked_at:,} objects{kinds}"
        allowed = "NodePools, node classes, or resources that a rule is about"
        undetermined = [outcome for outcome in report.outcomes if outcome.verdict is Verdict.UNKNOWN]
        if undetermined:
            first = undetermined[0]
            text = f"nothing is judged, because every finding is undetermined: {first.rule} {first.about}: {first.found}"
            allowed += ", with values that are known"
        problems.add_absence(place, f"{text}{rendering_commands(documents)}", allowed)
    problems.raise_if_any()


def _gates_on(documents: Iterable[Document], settings: PlanSettings, karpenter: Baseline) -> frozenset[str]:
    """Return the feature gates of AWS that are on: those of the settings, and those of a document of kind Figures.

    Mistakes in that document are reported with the plan.
    """
    controller = read_figures(documents, None, Problems()).controller
    return controller.with_aws_gates(frozenset(settings["feature_gates"])).aws_gates(karpenter)


def resources_of(
    documents: Iterable[Document],
    rules_of: Callable[[Document], Baseline] = lambda _: DEFAULT,
    feature_gates: frozenset[str] = frozenset(),
) -> list[Resource]:
    """Return objects of Kubernetes as rules read them, for the Karpenter of each with feature gates of its AWS provider.

    Rules judge resources of a configuration by the plan of it, which has their whole values.
    """
    objects = (d for d in documents if d.kind and not d.api_version.startswith(f"{TERRAFORM}/"))
    return [_resource(d, rules_of(d), feature_gates) for d in objects]


def _resource(document: Document, karpenter: Baseline, feature_gates: frozenset[str]) -> Resource:
    """Return an object, or a resource of a plan of OpenTofu, as rules read it."""
    if document.origin is not None:
        resource = resource_of_opentofu(document, document.origin)
        return replace(resource, karpenter=karpenter, feature_gates=feature_gates)
    token = f"kubernetes:{document.api_version}:{document.kind}"
    return Resource(token, document.name, document.data, document.at, karpenter=karpenter, feature_gates=feature_gates)


def default_gates(profile: Profile | None = None) -> Gates:
    """Return the gates that apply where none are configured: those of production, by default under the profile `start`.

    They include rules of other installed packages. Raises InputError when one of these cannot be loaded.
    """
    return read_gates(None, known_rules(), profile=profile)


def gates_of_file(path: str, rules: Sequence[AnyRule], profile: Profile | None = None) -> Gates:
    """Return the gates that a separate file describes, in the form of a stack file's `gates`; a profile comes before its own.

    Raises InputError when it holds no gates: it is not one mapping. Mistakes in the mapping are those of the gates.
    """
    document = read_mapping(path, "gates", ONE_MAPPING)
    return read_gates(document.data, rules, document, profile=profile)


def _planned(
    documents: Sequence[Document],
    settings: PlanSettings,
    before: Plan | None,
    today: date,
    problems: Problems,
    notes: Notes,
    source: str,
    *,
    advises: bool,
) -> tuple[tuple[Plan, ...], list[Resource]]:
    """Return the plan of the objects and its figures; none, with problems added, if it cannot be made."""
    of_files = tuple(problems.found)
    try:
        inputs = inputs_of(documents, settings, problems, notes, source)
    except InputError as error:
        wrong = [problem for problem in error.problems if problem.place.settings and problem not in of_files]
        if wrong:
            raise InputError(wrong) from None
        problems.extend(error.problems)
        return (), []
    planned, measures = plan_with_measures(replace(inputs.on_day(today), advises=advises), before)
    figures = {"region": planned.region, "measures": data_of(measures)}
    return (planned,), [plan_resource(figures, documents)]
