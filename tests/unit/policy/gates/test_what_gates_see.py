"""The policies on the page of what gates see are valid, and say what they are said to."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.policy.gates import read_gates
from cutlist.policy.registry import ALL
from tests.documentation import section
from tests.unit.policy.gates.test_judge import report
from tests.unit.policy.rules import subjects as s

PAGE = section("gates.md", "What gates see")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
OBJECTS = [document for block in BLOCKS[1:] for document in yaml.safe_load_all(block)]


def policy(name: str) -> list[str]:
    [spec] = [o["spec"] for o in OBJECTS if o["kind"] == "ValidatingAdmissionPolicy" and o["metadata"]["name"] == name]
    return [validation["expression"] for validation in spec["validations"]]


def admits(name: str, **variables: Any) -> bool:
    """Whether all expressions of a policy are true of an object or a request."""
    from cel_expr_python import cel

    environment = cel.NewEnv(variables={"object": cel.Type.DYN, "request": cel.Type.DYN})
    return all(environment.compile(text).eval(data=variables).value() for text in policy(name))


def test_every_example_is_yaml_of_kubernetes():
    problems = Problems()
    kinds = [d.kind for block in BLOCKS[1:] for d in parse_documents(block, "page", problems)]
    assert (len(kinds), list(problems.found)) == (4, [])


def test_the_gates_on_the_page_are_understood():
    [gates] = yaml.safe_load(BLOCKS[0])["config"].values()
    assert read_gates(gates, ALL).mistakes == ()


def test_every_policy_is_bound():
    bound = {o["spec"]["policyName"] for o in OBJECTS if o["kind"].endswith("PolicyBinding")}
    assert bound == {o["metadata"]["name"] for o in OBJECTS if o["kind"] == "ValidatingAdmissionPolicy"}


@pytest.mark.parametrize(
    ("pool", "admitted"),
    [
        (s.POOL, True),
        (s.STATIC_POOL, True),
        (s.drop(s.POOL, "spec.limits"), False),
        (s.drop(s.POOL, "spec.limits.memory"), False),
        (s.put(s.STATIC_POOL, "spec.limits", {"cpu": "9"}), False),
        (s.put(s.POOL, "spec.template.spec.expireAfter", "Never"), False),
    ],
)
def test_the_policy_of_kubernetes_demands_what_the_gate_does(pool: s.Resource, admitted: bool):
    assert admits("nodepools-have-limits", object=pool.data) is admitted


@pytest.mark.parametrize(("user", "admitted"), [("system:serviceaccount:kube-system:karpenter", True), ("alice", False)])
def test_node_claims_are_left_to_karpenter(user: str, admitted: bool):
    assert admits("nodeclaims-are-karpenters", request={"userInfo": {"username": user}}) is admitted


def test_gates_find_nothing_wrong_with_the_policies():
    policies = [s.Resource(f"kubernetes:{o['apiVersion']}:{o['kind']}", o["metadata"]["name"], o) for o in OBJECTS]
    assert [o.rule for o in report(s.POOL, s.CLASS, s.PLAN, *policies).stopping] == []
