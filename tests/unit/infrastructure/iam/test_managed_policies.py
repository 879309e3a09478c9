"""The table of AWS's own policies agrees with AWS's documents, of which moto has a copy.

`python -m tests.unit.infrastructure.iam.test_managed_policies` regenerates the table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest
from moto.iam.aws_managed_policies import aws_managed_policies_data

from cutlist.core.errors import Place
from cutlist.infrastructure.iam import managed_policies as module
from cutlist.infrastructure.iam.abilities import CONTROLLER
from cutlist.infrastructure.iam.dangers import dangers_of
from cutlist.infrastructure.iam.grants import grants, readings, statements_of
from cutlist.infrastructure.iam.managed_policies import managed_name, managed_policies

_OF_SERVICES: Final = "/aws-service-role/"
_FOR_SERVICES: Final = "/service-role/"
_MINOR: Final = (
    *("ssm:GetParameter", "logs:DeleteLogGroup", "sqs:", "datapipeline:", "ec2:ModifyInstanceAttribute"),
    *CONTROLLER,
)
"""Abilities that the policies of clusters, add-ons and agents have as AWS writes them; IF-11 reports those of nodes."""


def abilities_in(document: Any) -> tuple[str, ...]:
    """Return the actions through which a document of AWS's own is dangerous, as the table has them: patterns as they are
    written, or the action that a statement grants by naming what it does not grant."""
    actions: dict[str, None] = {}
    for reading in readings(document):
        for danger in dangers_of(grants(statements_of(reading) or []), Place()):
            if not danger.guard and not (danger.ability or danger.action).startswith(_MINOR):
                actions[danger.ability or danger.action] = None
    return tuple(sorted(actions))


def listed(documents: Iterable[tuple[str, str, Any]]) -> dict[str, Any]:
    """Return policies, each with its path, name and document, as the table's data. Roles of services, which nobody attaches by
    hand, are left out; those that a service asks its users to attach count where they grant whole services."""
    actions: dict[str, tuple[str, ...]] = {}
    for path, name, document in documents:
        if path != _OF_SERVICES:
            held = abilities_in(document)
            actions[name] = held if path != _FOR_SERVICES or any("*" in action for action in held) else ()
    return {
        "dangerous": {name: list(held) for name, held in sorted(actions.items()) if held},
        "others": sorted(name for name, held in actions.items() if not held),
    }


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    return {name: policy["Document"] for name, policy in json.loads(aws_managed_policies_data).items()}


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("AdministratorAccess", "PowerUserAccess", "IAMFullAccess", "AmazonEC2FullAccess", "AmazonSSMManagedInstanceCore"),
        *("AmazonEKSClusterPolicy", "AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEKSComputePolicy"),
        *("SecretsManagerReadWrite", "SystemAdministrator", "AmazonSSMFullAccess", "ReadOnlyAccess"),
    ],
)
def test_the_table_says_what_the_document_grants(documents: dict[str, Any], name: str):
    held = abilities_in(documents[name])
    assert managed_policies().dangerous.get(name, ()) == held
    assert (name in managed_policies().others) is not bool(held)


@pytest.mark.parametrize(
    ("arn", "name"),
    [
        ("arn:aws:iam::aws:policy/AdministratorAccess", "AdministratorAccess"),
        ("arn:aws-cn:iam::aws:policy/job-function/SystemAdministrator", "SystemAdministrator"),
        ("arn:aws:iam::111122223333:policy/AdministratorAccess", ""),
        ("AdministratorAccess", ""),
    ],
)
def test_an_arn_names_a_policy_of_aws(arn: str, name: str):
    assert managed_name(arn) == name


def main() -> None:
    """Regenerate the table from moto's copy."""
    policies = json.loads(aws_managed_policies_data)
    path = Path(module.__file__).with_name("managed_policies.json")
    before = json.loads(path.read_text("utf-8"))
    after = listed((policy["Path"], name, policy["Document"]) for name, policy in policies.items())
    newest = max(policy["UpdateDate"] for policy in policies.values())[:10]
    path.write_text(json.dumps({**before, "date": newest, **after}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
