"""What shapes nodes besides requirements counts in each option: overlays, reservations, fees, disks, other NodePools."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import SourceText, plan
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.suggest.edits import written
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
from tests.unit.planning.manifests import (
    AUTO_CLASS,
    NODE_CLASS,
    ON_DEMAND,
    TYPES,
    auto_pool,
    deployment,
    inputs_of,
    overlay,
    pool,
)
from tests.unit.verbs.few_types import suggested

THREE = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, c5.large')}]"
WEB = deployment("web", 9, "900m")
DATA = deployment("data", 3, "1", "6Gi")
PLANS = 10
RESERVED = (
    f"[{{key: karpenter.sh/capacity-type, operator: In, values: [reserved, on-demand]}}, {TYPES.format('m5.large, c5.large')}]"
)
RESERVATION = """
status:
  capacityReservations:
    - {id: cr-0, instanceType: m5.large, availabilityZone: us-west-2a, availableInstanceCount: 2, ownerID: "111122223333",
       reservationType: default, state: active, interruptible: false, instanceMatchCriteria: open}
"""


def plan_with(inputs: PlanInputs, option: Suggestion) -> Plan:
    changed = {p.name: p for p in option.pools}
    pools = {**{p.name: p for p in inputs.node_pools}, **changed}
    return plan(replace(inputs, node_pools=tuple(pools.values())))


def check(inputs: PlanInputs) -> Suggestions:
    """Suggestions, each of which costs what is paid for its plan, no less than the bound, and no more than today."""
    answer = suggested(inputs, plans=PLANS)
    for option in answer.options:
        totals = plan_with(inputs, option).totals
        assert totals.price_per_hour == pytest.approx(option.figures.price)
        assert answer.bound - 1e-9 <= option.figures.price <= answer.current.price + 1e-9
        assert totals.pending <= answer.current.pending_pods
    return answer


def test_an_overlay_changes_the_choice_of_karpenter_and_not_what_is_paid():
    cheap = overlay(
        '{requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.2xlarge]}], price: "0.001"}'
    )
    plain = inputs_of(pool(requirements=THREE), WEB, DATA)
    overlaid = inputs_of(pool(requirements=THREE), WEB, DATA, overlay(CHEAP))
    answer = check(overlaid)
    nodes = plan_with(overlaid, answer.best).nodes
    assert sum(node.count * node.price.usd_per_hour for node in nodes) == pytest.approx(answer.best.figures.price, rel=0.2)
    assert answer.best.figures.price > 0.9 * answer.bound >= 0.5 * check(plain).bound


def test_what_is_reserved_is_used_first_and_its_number_bounds_it():
    node_class = NODE_CLASS.rstrip() + RESERVATION
    inputs = inputs_of(pool(requirements=RESERVED), WEB, node_class=node_class)
    answer = check(inputs)

    def reserved(of: Plan) -> int:
        return sum(node.count for node in of.nodes if node.capacity_type == "reserved")

    assert reserved(plan(inputs)) == 2
    assert all(reserved(plan_with(inputs, option)) == 2 for option in answer.options)


def test_the_fee_of_auto_mode_is_part_of_each_price_and_of_the_bound():
    text = "\n---\n".join((AUTO_CLASS, auto_pool(THREE, node_class="own"), WEB))
    inputs = read_inputs(["-"], region="us-west-2", stdin=text)
    own = inputs_of(pool(requirements=THREE), WEB)
    answer, without = check(inputs), check(own)
    assert answer.bound > 1.05 * without.bound
    assert answer.best.figures.price > 1.05 * without.best.figures.price


def test_the_price_of_disks_is_part_of_each_price_and_of_the_bound():
    large = (
        NODE_CLASS.rstrip() + "\n  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 2000Gi, volumeType: gp3}}]\n"
    )
    small = inputs_of(pool(requirements=THREE), WEB)
    inputs = inputs_of(pool(requirements=THREE), WEB, node_class=large)
    answer = check(inputs)
    assert answer.bound > check(small).bound + 0.15
    assert answer.best.figures.nodes <= plan_with(small, check(small).best).totals.nodes


def test_static_pools_weights_budgets_and_limits_of_nodes_stay_as_they_are():
    static = pool("base", f"[{ON_DEMAND}, {TYPES.format('m5.large')}]", spec="replicas: 2\n  limits: {nodes: 4}")
    budgets = 'weight: 7\n  limits: {nodes: 6, cpu: 60}\n  disruption: {budgets: [{nodes: "10%"}], consolidateAfter: 5m}'
    texts = (static, pool(requirements=THREE, spec=budgets), WEB, DATA)
    inputs = inputs_of(*texts)
    for option in check(inputs).options:
        assert "base" not in {edit.node_pool for edit in option.edits}
        edited = [written(option.written, SourceText(f"{n}.yaml", text)).text for n, text in enumerate(texts)]
        again = inputs_of(*edited)
        before, after = ({p.name: p.manifest()["spec"] for p in of.node_pools} for of in (inputs, again))
        assert after["base"] == before["base"]
        kept = after["general"]
        assert kept["disruption"] == before["general"]["disruption"]
        assert (kept["weight"], sum(p.limits["nodes"].value() for p in again.node_pools if p.name != "base")) == (7, 6)


def test_pods_that_fill_disks_and_daemons_that_fill_nodes_count():
    disk = WEB.replace("requests: {", "requests: {ephemeral-storage: 7Gi, ")
    daemon = deployment("agent", 1, "1200m").replace("kind: Deployment", "kind: DaemonSet").replace("  replicas: 1\n", "")
    assert disk != WEB
    crowded = check(inputs_of(pool(requirements=THREE), disk, daemon))
    plain = check(inputs_of(pool(requirements=THREE), WEB))
    assert crowded.bound > plain.bound
    assert crowded.best.figures.price > plain.best.figures.price
