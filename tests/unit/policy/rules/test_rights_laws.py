"""Laws of what principals may do: narrower documents never have more findings, and how they are written decides nothing."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import assume, given
from hypothesis import strategies as st

from cutlist.policy.rules import Resource, Resources
from cutlist.policy.rules.infrastructure.identity import pass_role, scoped
from cutlist.policy.rules.infrastructure.rights import take_over
from tests.examples import examples

_RULES: Final = (pass_role, scoped, take_over)
_ACTIONS: Final = (
    *("*", "iam:*", "iam:Put*", "iam:PassRole", "iam:CreateAccessKey", "ec2:*", "ec2:RunInstances", "ec2:CreateTags"),
    *("ec2:TerminateInstances", "sts:AssumeRole", "s3:GetObject", "secretsmanager:GetSecretValue", "kms:*", "ssm:*"),
)
_RESOURCES: Final = (
    *("*", "arn:aws:iam::111122223333:role/*", "arn:aws:iam::111122223333:role/nodes", "arn:aws:ec2:*:*:instance/*"),
    *("arn:aws:s3:::logs/*", "arn:aws:secretsmanager:us-west-2:111122223333:secret:shop/*", "arn:aws:iam::9*:role/a?"),
)
_TESTS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("StringEquals", "iam:PassedToService", ("ec2.amazonaws.com",)),
    ("StringNotEquals", "iam:PassedToService", ("ec2.amazonaws.com",)),
    ("StringEquals", "aws:ResourceTag/team", ("shop",)),
    ("StringNotEquals", "aws:ResourceTag/team", ("shop",)),
    ("StringEquals", "aws:RequestTag/team", ("shop",)),
    ("StringLike", "iam:PassedToService", ("*",)),
    ("ForAllValues:StringEquals", "aws:TagKeys", ("Name",)),
    ("ForAllValues:StringEquals", "aws:TagKeys", ("kubernetes.io/cluster/demo", "Name")),
    ("Bool", "aws:SecureTransport", ("true",)),
)
_SOME_ACTIONS: Final = st.lists(st.sampled_from(_ACTIONS), min_size=1, max_size=3, unique=True)
_SOME_RESOURCES: Final = st.lists(st.sampled_from(_RESOURCES), min_size=1, max_size=2, unique=True)
_CONDITIONS: Final = st.lists(st.sampled_from(_TESTS), max_size=2, unique_by=lambda test: (test[0], test[1]))


def _statement(effect: str, actions: list[str], resources: list[str], tests: list[Any], inverted: bool) -> dict[str, Any]:
    condition: dict[str, dict[str, Any]] = {}
    for operator, key, values in tests:
        condition.setdefault(operator, {})[key] = list(values)
    return {
        "Effect": effect,
        "NotAction" if inverted else "Action": actions,
        "Resource": resources,
        **({"Condition": condition} if condition else {}),
    }


_ALLOWED: Final = st.builds(_statement, st.just("Allow"), _SOME_ACTIONS, _SOME_RESOURCES, _CONDITIONS, st.booleans())
_DENIED: Final = st.builds(_statement, st.just("Deny"), _SOME_ACTIONS, _SOME_RESOURCES, _CONDITIONS, st.booleans())
_STATEMENTS: Final = st.lists(st.one_of(_ALLOWED, _ALLOWED, _DENIED), min_size=1, max_size=4)


def _verdict(*documents: Any) -> frozenset[str]:
    """Return the rules that one role breaks which holds some documents."""
    role = Resource("aws:iam/role:Role", "apps", {"name": "apps", "assumeRolePolicy": '{"Statement": []}'})
    policies = (
        Resource(
            "aws:iam/rolePolicy:RolePolicy",
            f"policy-{number}",
            {"role": "apps", "policy": document if isinstance(document, str) else json.dumps({"Statement": document})},
        )
        for number, document in enumerate(documents)
    )
    resources = Resources.of((role, *policies))
    return frozenset(rule.id for rule in _RULES if rule.findings(resources, rule.defaults))


@given(_STATEMENTS, _DENIED, st.booleans())
@examples(0.5)
def test_a_denial_adds_no_finding(statements, denial, is_elsewhere):
    after = _verdict(statements, [denial]) if is_elsewhere else _verdict([*statements, denial])
    assert after <= _verdict(statements)


@given(_STATEMENTS, st.data())
@examples(0.5)
def test_an_allow_that_is_narrowed_adds_no_finding(statements, data):
    place = data.draw(st.integers(0, len(statements) - 1))
    allowed = statements[place]
    assume(allowed["Effect"] == "Allow")
    [(operator, key, values)] = data.draw(st.lists(st.sampled_from(_TESTS), min_size=1, max_size=1))
    condition = {k: dict(v) for k, v in allowed.get("Condition", {}).items()}
    assume(key not in condition.get(operator, {}))
    condition.setdefault(operator, {})[key] = list(values)
    narrower = [
        {**allowed, "Condition": condition},
        {**allowed, "Resource": allowed["Resource"][:1]},
        *([{**allowed, "Action": allowed["Action"][:1]}] if "Action" in allowed else ()),
        *([{**allowed, "NotAction": [*allowed["NotAction"], "iam:*"]}] if "NotAction" in allowed else ()),
    ]
    before = _verdict(statements)
    for statement in narrower:
        assert _verdict([*statements[:place], statement, *statements[place + 1 :]]) <= before


@given(_STATEMENTS, st.randoms(use_true_random=False))
@examples(0.5)
def test_order_and_splitting_decide_nothing(statements, random):
    before = _verdict(statements)
    shuffled = random.sample(statements, len(statements))
    assert _verdict(shuffled) == before
    assert _verdict(*([statement] for statement in shuffled)) == before
    single = [
        {**statement, "Resource": [resource]}
        for statement in statements
        for resource in (statement["Resource"] if statement["Effect"] == "Deny" else ())
    ]
    assert _verdict([*(s for s in statements if s["Effect"] == "Allow"), *single]) == before


@given(_STATEMENTS, st.randoms(use_true_random=False))
@examples(0.5)
def test_the_case_of_elements_and_actions_decides_nothing(statements, random):
    def in_any_case(text: str) -> str:
        return "".join(random.choice((c.lower(), c.upper())) for c in text)

    rewritten = [
        {
            in_any_case(name): [in_any_case(action) for action in value] if name.endswith("Action") else value
            for name, value in statement.items()
        }
        for statement in statements
    ]
    assert _verdict(json.dumps({in_any_case("Statement"): rewritten})) == _verdict(statements)
