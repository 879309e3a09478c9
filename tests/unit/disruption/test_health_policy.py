"""Which repair policies match a node, and what they decide together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.disruption.health_policy import RepairPolicyMatcher, RepairResult, resolve
from cutlist.disruption.health_policy_errors import start_error
from cutlist.providers.node_repair import (
    AWS_DISRUPTION_REPAIR_POLICIES,
    AWS_REBOOTING_REPAIR_POLICIES,
    RepairAction,
    RepairPolicy,
)
from cutlist.state.statenode import Condition
from tests.unit.disruption.claims import HOUR, MINUTE, NOON

FALLBACK = RepairPolicy("Ready", "False", 20 * MINUTE)
DISK = RepairPolicy("Storage", "False", 30 * MINUTE, "^Disk", 600.0, 50)
GPU = RepairPolicy("Gpu", "False", 10 * MINUTE, "XID(46|48)", 300.0, 10, RepairAction.REBOOT)
POLICIES = (FALLBACK, DISK, GPU)


def result(*, now: float = NOON, created: float = 0, rebooted: float = 0, **conditions: Condition) -> RepairResult | None:
    """What the policies decide for a node with these conditions."""
    return resolve(RepairPolicyMatcher(POLICIES).matches(conditions, created, rebooted), now)


def decided(**fields: object) -> RepairResult:
    outcome = result(**fields)  # type: ignore[arg-type]
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("policies", "text"),
    [
        ((), "node repair requires the cloud provider to define RepairPolicies, but it defines none"),
        ((DISK,), "repair policy set must define one default fallback"),
        ((FALLBACK, FALLBACK), "repair policy set has multiple default fallbacks: {ConditionType:Ready"),
        ((RepairPolicy("Ready", "False", 0, action="RebootNode"),), 'must use action "ReplaceNode"'),
        ((FALLBACK, RepairPolicy("X", "Maybe", 0, ".")), 'has invalid condition status "Maybe" (condition=X)'),
        ((FALLBACK, RepairPolicy("X", "True", -60, ".")), "has negative toleration duration -1m0s"),
        ((FALLBACK, RepairPolicy("X", "True", 0, ".", -1)), "has negative termination grace period -1s"),
        ((FALLBACK, RepairPolicy("X", "True", 0, ".", priority=101)), "priority 101 outside the supported range [0, 100]"),
        ((FALLBACK, RepairPolicy("X", "True", 0, ".", action="Burn")), 'has unsupported action "Burn"'),
        ((FALLBACK, RepairPolicy("", "True", 0, ".")), "has an empty condition type"),
        (
            (FALLBACK, RepairPolicy("X", "True", 0, "(")),
            "invalid reason regex, error parsing regexp: missing closing ): `(`",
        ),
        ((FALLBACK, RepairPolicy("X", "True", 0, "[a")), "missing closing ]: `[a`"),
        ((FALLBACK, RepairPolicy("X", "True", 0, "*")), "missing argument to repetition operator: `*`"),
    ],
)
def test_a_set_that_is_not_valid_keeps_karpenter_from_starting(policies: tuple[RepairPolicy, ...], text: str) -> None:
    # V15-43
    assert text in start_error(policies)
    with pytest.raises(ValueError, match="node repair requires"):
        RepairPolicyMatcher(policies)


def test_a_valid_set_is_no_error() -> None:
    assert start_error(POLICIES) == ""


def test_the_fallback_counts_where_no_expression_is_in_the_reason() -> None:
    """Also for another condition than its own; a pair that no policy has is healthy."""
    # V15-44
    sick = Condition("False", NOON - HOUR, "DiskFull")
    assert decided(Storage=sick).chosen.policy is DISK
    assert decided(Storage=Condition("False", NOON - HOUR, "NoDisk")).chosen.policy is FALLBACK
    assert result(Storage=Condition("Unknown", NOON - HOUR, "DiskFull")) is None


def test_a_toleration_counts_from_the_condition_the_creation_and_the_end_of_a_reboot() -> None:
    """At the instant itself the policy is eligible."""
    # V15-45
    sick = Condition("False", NOON - 30 * MINUTE, "DiskFull")
    assert decided(Storage=sick).chosen.eligible_at == NOON
    assert result(Storage=sick, now=NOON - 1) is None
    assert result(Storage=sick, created=NOON - 29 * MINUTE) is None
    assert result(Storage=sick, rebooted=NOON - 29 * MINUTE) is None


def test_a_replacement_beats_a_reboot_and_the_least_bound_counts() -> None:
    """Whichever policy was chosen."""
    # V15-46
    both = decided(Storage=Condition("False", NOON - HOUR, "DiskFull"), Gpu=Condition("False", NOON - HOUR, "XID48"))
    assert (both.action, both.chosen.policy, both.bound, both.bound_condition) == ("ReplaceNode", DISK, 300.0, "Gpu")
    early = decided(Storage=Condition("False", NOON, "DiskFull"), Gpu=Condition("False", NOON - HOUR, "XID48"))
    assert (early.action, early.bound) == ("RebootNode", 300.0)


def test_of_replacements_priority_then_age_then_the_name_decides() -> None:
    # V15-46
    sick = Condition("False", NOON - HOUR, "Other")
    assert decided(Ready=sick, Storage=Condition("False", NOON - 40 * MINUTE, "DiskFull")).chosen.condition == "Storage"
    assert decided(Ready=sick, Storage=Condition("False", NOON - 2 * HOUR, "Other")).chosen.condition == "Storage"
    assert decided(Storage=sick, Ready=sick).chosen.condition == "Ready"


def test_the_score_is_the_rank_of_the_priority_and_half_hours_of_waiting() -> None:
    # V15-47
    assert decided(Storage=Condition("False", NOON - 75 * MINUTE, "DiskFull")).score == 2 + 1.5
    assert decided(Ready=Condition("False", NOON - 35 * MINUTE)).score == 0.5


@pytest.mark.parametrize(
    ("reason", "toleration", "bound"),
    [("NvidiaXID48Error", 10, 300.0), ("XID79", 10, 300.0), ("XID640", 10, 300.0), ("XID999", 30, 600.0)],
)
def test_the_policies_of_aws_know_faults_of_gpus_by_their_codes(reason: str, toleration: int, bound: float) -> None:
    """A code is known wherever it stands in the reason; the set is valid."""
    # VA15-100
    matcher = RepairPolicyMatcher(AWS_DISRUPTION_REPAIR_POLICIES)
    since = NOON - HOUR
    (match,) = matcher.matches({"AcceleratedHardwareReady": Condition("False", since, reason)}, 0)
    assert (match.eligible_at, match.policy.termination_grace_period) == (since + toleration * MINUTE, bound)


def test_with_its_gate_aws_reboots_for_faults_of_gpus_that_a_start_may_cure() -> None:
    """All else stays: toleration, bound, and the replacement for other faults; the set is valid."""
    # VA15-100 VA15-102
    rebooted = [p for p in AWS_REBOOTING_REPAIR_POLICIES if p.action == RepairAction.REBOOT]
    assert ["XID(46|48|54|62|63|95|" in p.reason_regex for p in rebooted] == [True]
    as_replaced = tuple(replace(p, action=RepairAction.REPLACE) for p in AWS_REBOOTING_REPAIR_POLICIES)
    assert as_replaced == AWS_DISRUPTION_REPAIR_POLICIES
    assert start_error(AWS_REBOOTING_REPAIR_POLICIES) == ""
