"""The changes of an upgrade of Karpenter: versions as text in, all changes out (spec: aws-infrastructure 7.7, 3.4, 1.10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Annotated, Any, Final, Literal

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import SUPPORTED, Baseline, chosen_baseline
from cutlist.core.karpenter.versions import FIRST, FIRST_RELEASE, KarpenterVersion, noted_version
from cutlist.core.records import SPARSE, After, about, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.infrastructure import versions
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.infrastructure.charts.upgrade import STOPS, ChartDelta, ReleaseChanges, changes_between, rules_of
from cutlist.infrastructure.eks_support import support_sentence as eks_support_sentence
from cutlist.infrastructure.iam.choices import USUAL, Choices, Feature
from cutlist.infrastructure.iam.delta import upgrade_delta
from cutlist.infrastructure.names import ClusterFacts
from cutlist.planning.absences import require_offerings, require_workloads
from cutlist.planning.fleet_deltas import fleet_deltas
from cutlist.planning.fleet_upgrade import FleetUpgrade, under_rules
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.kubernetes_support import support_notes, support_sentence
from cutlist.planning.services import services_of
from cutlist.report.price_sources import age_notes
from cutlist.settings.upgrade import FROM, KUBERNETES, TARGET
from cutlist.verbs.cluster_state import check_gates
from cutlist.verbs.upgrade.fleet import Fleet, check_both, compared_fleet, of_upgraded_controllers, older_rules
from cutlist.verbs.upgrade.record import FleetRecord, fleet_record

_ANY: Final = ClusterFacts("CLUSTER", "REGION", "ACCOUNT")
"""A stand-in for the user's own cluster: the needs of a version do not depend on names."""

_NEWEST: Final = SUPPORTED[-1]
_LAST_BEFORE_1: Final = next(stop.version.line for stop in STOPS if stop.beyond.line == FIRST)
_LINES: Final = ((FIRST_RELEASE, _LAST_BEFORE_1), (FIRST, _NEWEST))
"""The first and the last minor version of each major one whose charts, CRDs and notes are known."""

_EVERYTHING: Final = Choices(
    node_roles=(_ANY.arn("iam", "role/NODE-ROLE", region=""),),
    queue=_ANY.arn("sqs", "QUEUE"),
    features=USUAL | {Feature.ZONAL_SHIFT},
)
"""Every possible use of a controller, so that no permission is missed; permissions for unused features need not be granted."""


@dataclass(frozen=True, slots=True)
class Upgrade(ReleaseChanges):
    """What an upgrade of Karpenter changes. `services` upgrade the Karpenter of some NodePools themselves."""

    fleet: Annotated[
        FleetUpgrade | None, form_of(FleetRecord | None).through(fleet_record), about("Null without manifests.")
    ] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1


def upgrade(
    before: str,
    after: str,
    kubernetes: str = "",
    *,
    inputs: PlanInputs | None = None,
    now: float | None = None,
    gates: FeatureGates | None = None,
    allow_empty: bool = False,
    day: date | None = None,
) -> Upgrade:
    """Return what changes from one exact version of Karpenter to another, and whether the later one supports a version of
    Kubernetes.

    With the inputs of a plan, which may have nodes that run, it also says what the upgrade does to this fleet at an instant
    (seconds since 1970, by default the newest in the inputs), with these feature gates; of these gates, the earlier version has
    those that it knows. A node class that is not ready under the later version is a reason against the upgrade. On a `day` it
    also says whether support of the cluster's Kubernetes has ended, or ends soon.

    Raises InputError with every mistake in the versions as they are written, for a minor version that is not known, and for an
    earlier version after a later one; with inputs also for objects that one of the versions refuses, for feature gates that the
    later one does not have, and, unless that is allowed, where nothing in the inputs is of a Karpenter that is upgraded.

    >>> from cutlist import upgrade
    >>> change = upgrade("1.12.0", "1.14.1", kubernetes="1.35")
    >>> change.obstacles, len(change.deltas) > 0
    ((), True)
    """
    on = gates or FeatureGates()
    if inputs is None:
        alone = _changes(before, after, kubernetes, on)
        sentence = "" if day is None else eks_support_sentence(_minor(kubernetes), day)
        return _answer(replace(alone, notes=(*alone.notes, *filter(None, [sentence]))))
    later = rules_of_both(before, after)[1]
    on = inputs.figures.controller.with_gates_of_disruption(on, later)
    changes = _changes(before, after, kubernetes, on)
    if not inputs.cluster.nodes:
        require_workloads(inputs, allow_empty=allow_empty)
    require_offerings(inputs, allow_empty=allow_empty)
    dated = replace(inputs, day=day)
    said = [support_sentence(dated, _minor(kubernetes))] if kubernetes else [note.text for note in support_notes(dated)]
    notes = (*changes.notes, *filter(None, said))
    return _with_fleet(replace(changes, notes=notes), inputs, now, on, allow_empty=allow_empty)


def _minor(kubernetes: str) -> str:
    """Return the minor version of a version of Kubernetes, such as `1.34` of `v1.34.2`."""
    return ".".join(kubernetes.removeprefix("v").split(".")[:2])


def rules_of_both(before: str, after: str) -> tuple[Baseline, Baseline]:
    """Return what both versions of an upgrade do. Raises InputError as `upgrade` does for versions."""
    changes = _changes(before, after, "", FeatureGates())
    return rules_of(changes.before), rules_of(changes.after)


def read_by_both(old: Baseline, new: Baseline, read: Callable[[Baseline], PlanInputs]) -> PlanInputs:
    """Return manifests as the earlier Karpenter reads them; `read` reads them as a Karpenter does.

    Raises InputError with what it refuses, and says for each mistake whether the later one does not find it.
    """
    try:
        return read(old)
    except InputError as error:
        later = _problems(read, new)
        lasting = {(problem.place, problem.message) for problem in later}
        text = f" under Karpenter {old}; {new} accepts it, so apply it after the upgrade"
        raise InputError(
            [p if (p.place, p.message) in lasting else replace(p, message=f"{p.message}{text}") for p in error.problems]
        ) from None


def _problems(read: Callable[[Baseline], PlanInputs], karpenter: Baseline) -> Sequence[Problem]:
    try:
        read(karpenter)
    except InputError as error:
        return error.problems
    return ()


def _answer(changes: ReleaseChanges, fleet: FleetUpgrade | None = None, **others: Any) -> Upgrade:
    values = {field.name: getattr(changes, field.name) for field in fields(ReleaseChanges)}
    return Upgrade(**{**values, **others}, fleet=fleet)


def _changes(before: str, after: str, kubernetes: str, gates: FeatureGates) -> ReleaseChanges:
    problems = Problems()
    texts = ((before, FROM), (after, TARGET))
    versions_read = [_known_version(text, Place.of(setting), problems) for text, setting in texts]
    if kubernetes:
        problems.extend(_of_kubernetes(kubernetes))
    problems.raise_if_any()
    first, second = (version for version in versions_read if version is not None)
    if second < first:
        text = f"{second} is older than {first}, and downgrades are not supported: objects and hashes may be of a later form"
        raise InputError.one(Place.of(TARGET), text, f"{first} or later")
    return changes_between(
        first,
        second,
        permissions=tuple(_permissions(first, second, gates)),
        obstacles=tuple(_misfits(second, kubernetes)),
        notes=tuple(dict.fromkeys(note for version in (first, second) for note in _counts_as(version))),
    )


def _known_version(text: str, place: Place, problems: Problems) -> KarpenterVersion | None:
    """Return the exact version that a text names; an unknown minor version is a problem."""
    version = noted_version(text, place, problems)
    if version is not None and not any(first <= version.line <= last for first, last in _LINES):
        known = ", ".join(f"{first} to {last}" for first, last in _LINES)
        problems.add(place, f"Karpenter {version} is not known", known)
    return version


def _counts_as(version: KarpenterVersion) -> Iterator[str]:
    """Yield which release an unknown patch release counts as."""
    if version.line in SUPPORTED:
        _, notes = chosen_baseline(str(version), Place(), Problems())
        yield from (note.text for note in notes)


def _of_kubernetes(kubernetes: str) -> Iterator[Problem]:
    """Yield the mistakes in a version of Kubernetes; an unknown version counts as a typing mistake, not as an obstacle."""
    for problem in versions.problems(kubernetes, versions.BASELINE):
        if problem.place.path == "version":
            yield Problem(Place.of(KUBERNETES), problem.message, problem.allowed, problem.nearest)


def _misfits(version: KarpenterVersion, kubernetes: str) -> Iterator[str]:
    """Yield the obstacles of a version of Karpenter: its own, and those with the version of Kubernetes if one is given."""
    for problem in versions.problems(kubernetes, str(version)):
        if problem.place.path == "karpenterVersion":
            yield f"{problem.message}; take {problem.allowed}"


def _permissions(before: KarpenterVersion, after: KarpenterVersion, gates: FeatureGates) -> Iterator[ChartDelta]:
    """Yield the permissions that have to be granted to the controller's role first, and those that may be revoked.

    Those of a feature gate are included if it is on.
    """
    old, new = before.line, after.line
    if old == new:
        return
    if not FIRST <= old <= new <= _NEWEST:
        text = f"known from {FIRST} to {_NEWEST}: compare the policies of {before} and {after} yourself"
        yield ChartDelta(Subject.PERMISSIONS, text, when=When.FIRST)
        return
    features = _EVERYTHING.features | ({Feature.REBOOT_FOR_REPAIR} if gates.reboot_for_repair else frozenset())
    delta = upgrade_delta(_ANY, replace(_EVERYTHING, features=features), old, new)
    for permission in delta.added:
        yield ChartDelta(Subject.PERMISSIONS, f"grant {permission}", when=When.FIRST)
    for permission in delta.removed:
        yield ChartDelta(Subject.PERMISSIONS, f"{permission} is no longer needed: revoke it", When.AFTER)


def _with_fleet(
    changes: ReleaseChanges, inputs: PlanInputs, now: float | None, gates: FeatureGates, *, allow_empty: bool
) -> Upgrade:
    ours, notes = of_upgraded_controllers(inputs, allow_empty=allow_empty)
    old, new = rules_of(changes.before), rules_of(changes.after)
    check_both(ours, (old, changes.before), (new, changes.after))
    check_gates(gates, new)
    unready = under_rules(ours, new).unready
    fleet = compared_fleet(Fleet(ours, now, gates), old, new, changes, is_ready=not unready)
    if unready:
        notes.append("a node class becomes not ready: disruption is not compared, and its NodePools launch nothing")
    services = tuple(map(RunningService.of, services_of(inputs.node_pools, inputs.figures)))
    reasons = (f"under {changes.after}, {problem.place}: {problem.message} ({problem.statements})" for problem in unready)
    return _answer(
        changes,
        fleet,
        services=services or None,
        deltas=(*changes.deltas, *fleet_deltas(fleet, str(changes.before))),
        obstacles=(*changes.obstacles, *reasons),
        notes=(
            *changes.notes,
            *older_rules(changes.before, old),
            *older_rules(changes.after, new),
            *notes,
            *(service.text for service in services),
            *age_notes(*(side.shown_age for side in (fleet.comparison.before, fleet.comparison.after))),
        ),
    )
