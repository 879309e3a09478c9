"""How long nodes of a NodePool live, and when they may be removed (spec: aws-infrastructure 11.2, disruption 3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from cutlist.api.durations import NEVER, canonical, seconds
from cutlist.api.schedules import Schedule, readable_schedule
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.disruption.budget_calendar import YEAR, frozen_since, open_time, week_spans
from cutlist.disruption.limits_over_time import LimitSpan
from cutlist.disruption.reasons import Reason
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.objects.validity import typed_pool
from cutlist.policy.rules.parameters import duration, number, text, texts
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.pool_parts import is_auto_mode, is_static, length, taints_of, template_of
from cutlist.policy.rules.profile import Grade, Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import NODE, NODE_CLAIM, NODE_PLAN, NODE_POOL, PULUMI_NODE

_A_MONDAY: Final = 1704672000.0  # 2024-01-08 00:00 UTC: a week without the first or the middle of a month
_SHORTEST: Final = duration("shortest", "24h", "The shortest lifetime of a node.")
_LONGEST: Final = duration("longest", "720h", "The longest lifetime of a node.")
_LONGEST_AUTO: Final = duration("longestAutoMode", "504h", "The longest lifetime of a node of EKS Auto Mode.")
_GRACE: Final = duration("longest", "24h", "The longest time that a node may take to drain.")
_SHARE: Final = number("most", 20, "The most nodes of a pool, in percent, that may be disrupted at a time in busy hours.")
_BUSY: Final = text("busy", "0 8 * * mon-fri", "When busy hours begin, as five cron fields in UTC.")
_BUSY_FOR: Final = duration("busyFor", "10h", "How long busy hours last.")
_FROZEN: Final = duration(
    "longest", "1440h", "The longest time that may pass without half an hour in which Karpenter may replace drifted nodes."
)
_OPEN: Final = number("share", 0.5, "The smallest part of a year, in percent, in which Karpenter may replace a drifted node.")
_HELD: Final = duration("longest", "168h", "The longest time for which the annotation may protect a node.")
_REST: Final = duration("shortest", "30s", "The shortest consolidateAfter.")
_POLICIES: Final = texts(
    "policies", ("WhenEmptyOrUnderutilized", "Balanced"), "Consolidation policies of pools without taints."
)


@object_rule(
    "NP-03",
    "Nodes expire, but not within a day",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="nodes that are never patched, and churn: expiration ignores disruption budgets",
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-03",
    parameters=(_SHORTEST, _LONGEST, _LONGEST_AUTO),
)
def expiry(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that `expireAfter` lies between two bounds; if it is absent, that the API server's default does."""
    written = template_of(pool).at("expireAfter")
    longest = settings[_LONGEST_AUTO.name if is_auto_mode(pool) else _LONGEST.name]
    allowed, lifetime = f"{settings[_SHORTEST.name]} to {longest}", length(written)
    is_short = lifetime is not None and lifetime < _seconds(settings[_SHORTEST.name])
    is_long = written.text == NEVER or (lifetime is not None and lifetime > _seconds(longest))
    if is_short or is_long:
        # Auto Mode refuses a long life; elsewhere drift replaces nodes as well, and vendors' own pools have Never.
        grade = None if is_short or is_auto_mode(pool) else Profile.STRICT
        advice = f"write expireAfter: {longest}"
        yield written.violation(f"expireAfter: {written.text}", allowed, advice, grade=grade)


@object_rule(
    "NP-04",
    "Drains have an end",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    graded=True,
    protects="a pod that cannot be evicted, which keeps an expired node or a destroy waiting forever; pods that are deleted "
    "early because a drain is shorter than their grace period",
    hurt=("core#2802", "core#1776"),
    looks_at=(NODE_POOL, NODE_PLAN),
    source="aws-infrastructure NP-04, 8.2, disruption 9.3",
    parameters=(_GRACE,),
)
def drain_end(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that `terminationGracePeriod` is set, not too long, and by the plan no shorter than the grace period of any pod."""
    yield from _pods_end(resource) if resource.type == NODE_PLAN else _drain_ends(resource, settings)


def _drain_ends(pool: Resource, settings: Settings) -> Iterator[Finding]:
    written, longest = template_of(pool).at("terminationGracePeriod"), settings[_GRACE.name]
    if not written.is_there:
        if not is_auto_mode(pool):  # Auto Mode fills in 24h
            advice = "write terminationGracePeriod: 1h, longer than the longest grace period of its pods"
            # Half of those who run Karpenter leave it out: pods that cannot be evicted are their own mistake (WL-01).
            yield written.violation("no terminationGracePeriod", f"one up to {longest}", advice, grade=Profile.STRICT)
        return
    drain = length(written)
    if drain is not None and drain > _seconds(longest):
        advice = f"write {longest} or less"
        yield written.violation(f"terminationGracePeriod: {written.text}", f"up to {longest}", advice, grade=Profile.STRICT)


def _pods_end(plan: Resource) -> Iterator[Finding]:
    """Yield the plan's findings on the pods that may run on each NodePool; a drain without an end is the NodePool's own
    finding."""
    for name, pool in plan.at("measures", "pools").members().items():
        drain, grace = pool.at("drainSeconds").number, pool.at("graceSeconds").number
        if grace is None:
            yield pool.cannot_tell("how long its pods take to end: the plan does not say", about=f"NodePool/{name}")
        elif drain is not None and drain < grace:
            ends, wants = (canonical(f"{max(0, length):.0f}s") for length in (drain, grace))
            text = f"drains end after {ends}, but pods of {pool.at('graceOf').text} take up to {wants} to end"
            advice = f"write terminationGracePeriod: {wants}, or lower the pods' terminationGracePeriodSeconds"
            yield pool.violation(text, f"at least {wants}", advice, about=f"NodePool/{name}")


@object_rule(
    "NP-07",
    "Budgets let Karpenter replace drifted nodes throughout the year",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a frozen pool, whose nodes never get security updates",
    hurt=("aws#6911", "core#1438"),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-07, disruption 3",
    parameters=(_FROZEN, _OPEN),
)
def not_frozen(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check a whole year: that at least one node may be disrupted for the reason Drifted again and again, for long enough to
    replace it, and in a share of the year in which a pool can be replaced. Budgets bind pools of a fixed size, too, when nodes
    drift (D 4.4)."""
    typed, budgets = typed_pool(pool), pool.at("spec", "disruption", "budgets")
    for budget in budgets.items():
        if budget.at("schedule").is_there != budget.at("duration").is_there:
            yield budget.violation("only one of schedule and duration", "both or neither", "add the other one")
    if typed is None:
        return
    longest = settings[_FROZEN.name]
    frozen = frozen_since(typed, Reason.DRIFTED, _A_MONDAY, _seconds(longest))
    if frozen is not None:
        since = datetime.fromtimestamp(frozen, UTC).strftime("%d %B")
        advice = "open a window: limit the budget of 0 to hours with schedule and duration"
        text = f"no node may be disrupted for Drifted in {longest} from {since} on"
        yield budgets.violation(text, "some hours in which one may", advice)
        return
    least = settings[_OPEN.name] / 100 * YEAR
    time = open_time(typed, Reason.DRIFTED, _A_MONDAY, least)
    if time < least:
        text = f"nodes may be disrupted for Drifted in {time / 3600:.0f} hours of a year"
        yield budgets.violation(text, f"at least {least / 3600:.0f}", "open a longer window, or open it more often")


@object_rule(
    "NP-08",
    "Budgets limit disruption in busy hours",
    Severity.ADVISORY,
    protects="the replacement of most of a pool at once while people are using it",
    hurt=("aws#7026", "core#1939", "core#2218"),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-08, disruption 3",
    parameters=(_SHARE, _BUSY, _BUSY_FOR),
)
def not_all_at_once(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that of a hundred nodes no more than the share may be disrupted at a time during busy hours."""
    typed, budgets = typed_pool(pool), pool.at("spec", "disruption", "budgets")
    busy = readable_schedule(settings[_BUSY.name])
    if busy is None:
        yield budgets.cannot_tell(f"when it is busy: {settings[_BUSY.name]!r} is not a schedule of five cron fields")
        return
    if typed is None or is_static(pool):
        return
    week = week_spans(typed, _A_MONDAY, pool.karpenter)
    spans = [span for span in week if _is_busy(span, busy, _seconds(settings[_BUSY_FOR.name]))]
    for reason in week[0].limits:
        most = max((span.limits[reason].of(100) for span in spans), default=0)
        if most > settings[_SHARE.name]:
            share = "any number of nodes" if most > 100 else f"{most} of 100 nodes"
            allowed = f"at most {settings[_SHARE.name]:g} of 100 in busy hours"
            yield budgets.violation(f"{share} may be disrupted at a time for {reason}", allowed, 'add the budget nodes: "10%"')
            return


@object_rule(
    "NP-09",
    "Consolidation waits a little, but takes place",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    graded=True,
    protects="nodes that come and go by the minute, or stay half empty",
    hurt=("aws#8536", "core#2388", "aws#7146"),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-09",
    parameters=(_REST, _POLICIES),
)
def consolidation(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that `consolidateAfter` is neither too short nor Never, and that general pools consolidate underutilised nodes."""
    if is_static(pool):
        return
    after, shortest = pool.at("spec", "disruption", "consolidateAfter"), settings[_REST.name]
    wait = 0 if not after.is_there else length(after)
    advice = f"write consolidateAfter: {shortest} or more"
    if after.text == NEVER or (wait is not None and wait < _seconds(shortest)):
        grade: Grade | None = None if after.text == NEVER else Severity.ADVISORY
        text = f"consolidateAfter: {after.text or '0s, the default'}"
        yield after.violation(text, f"at least {shortest}, not Never", advice, grade=grade)
    policy = pool.at("spec", "disruption", "consolidationPolicy")
    if policy.text and policy.text not in settings[_POLICIES.name] and not taints_of(pool):
        allowed = " or ".join(settings[_POLICIES.name])
        text, advice = f"{policy.text} in a pool without taints", f"write {settings[_POLICIES.name][0]}"
        yield policy.violation(text, allowed, advice, grade=Severity.ADVISORY)


@object_rule(
    "NP-16",
    "Nodes do not block disruption forever",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="nodes with karpenter.sh/do-not-disrupt, which Karpenter neither consolidates nor replaces when they drift",
    looks_at=(NODE_POOL, NODE_CLAIM, NODE, PULUMI_NODE),
    source="api-objects 1, disruption 1.3",
    parameters=(_HELD,),
)
def not_held(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no node, NodeClaim or template of nodes has the annotation without an end, or with an end far in the
    future."""
    is_pool = resource.type == NODE_POOL
    metadata = resource.at("spec", "template", "metadata") if is_pool else resource.at("metadata")
    held, longest = metadata.at("annotations", DO_NOT_DISRUPT), settings[_HELD.name]
    time = length(held)
    if held.text == "true" or (time is not None and time > _seconds(longest)):
        advice = "put it on the pods that need it, as a duration such as 2h"
        which = "every node of the pool" if is_pool else "a node"
        text = "do-not-disrupt" if held.text == "true" else f"do-not-disrupt for {held.text}"
        yield held.violation(f"{text} on {which}", "no such annotation, or one on pods for a limited time", advice)


def _is_busy(span: LimitSpan, busy: Schedule, lasts: float) -> bool:
    """Tell whether a span and some busy hours overlap."""
    begins = busy.next_after(span.start - lasts)
    return begins is not None and begins < span.end


def _seconds(written: str) -> int:
    return seconds(written) or 0


RULES = (expiry, drain_end, not_frozen, not_all_at_once, consolidation, not_held)
