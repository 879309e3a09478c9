"""What an apply does beside making resources, and whether a plan is a part of one."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.document import Document
from cutlist.documents.terraform.opentofu import documents_of
from tests.gates.plans import change, configured, plan

BLOCK = {"address": "terraform_data.setup", "mode": "managed", "type": "terraform_data", "name": "setup"}


def read(*changes: dict[str, Any], **members: Any) -> tuple[list[Document], list[str]]:
    """Return the documents of a plan, and its mistakes."""
    problems = Problems()
    documents = list(documents_of(plan(*changes, **members), "plan.json", problems))
    return documents, [problem.text for problem in problems.found]


def commands(documents: list[Document]) -> dict[str, Any]:
    """Return the commands of documents by address."""
    held = {document.name: document.origin for document in documents if document.origin is not None}
    return {name: origin.values["create"] for name, origin in held.items() if "create" in origin.values}


def with_provisioner(type_: str, **expressions: Any) -> dict[str, Any]:
    """Return the configuration of a resource with one provisioner."""
    return {"root_module": {"resources": [{**BLOCK, "provisioners": [{"type": type_, "expressions": expressions}]}]}}


@pytest.mark.parametrize(
    ("type_", "expressions", "command"),
    [
        ("local-exec", {"command": {"constant_value": "kubectl apply -f x"}}, "kubectl apply -f x"),
        ("remote-exec", {"inline": {"constant_value": ["set -e", "reboot"]}}, "set -e\nreboot"),
        ("local-exec", {"command": {"references": ["var.command"]}}, UNKNOWN),
        ("remote-exec", {"script": {"constant_value": "setup.sh"}}, "setup.sh"),
    ],
)
def test_a_provisioner_of_a_new_resource_is_a_command(type_: str, expressions: dict[str, Any], command: Any):
    documents, mistakes = read(change("terraform_data", "setup"), configuration=with_provisioner(type_, **expressions))
    assert commands(documents) == {f"terraform_data.setup.{type_.replace('-', '_')}": command}
    assert mistakes == []


def test_a_provisioner_runs_only_where_the_resource_is_made():
    written = configured("terraform_data", "reboot", name="setup")
    kept, _ = read(change("terraform_data", "setup", actions=["no-op"]), configuration=written)
    replaced, _ = read(change("terraform_data", "setup", actions=["delete", "create"]), configuration=written)
    copied, _ = read(change("terraform_data", "setup"), configuration=with_provisioner("file", source={"constant_value": "x"}))
    assert not commands(kept)
    assert not commands(copied)
    assert commands(replaced) == {"terraform_data.setup.local_exec": "reboot"}


def test_programs_of_data_sources_in_modules_are_commands():
    external = {
        "address": "data.external.who",
        "mode": "data",
        "type": "external",
        "expressions": {"program": {"constant_value": ["sh", "who.sh"]}},
    }
    called = {"module_calls": {"inner": {"module": {"resources": [external]}}}}
    documents, _ = read(change("random_pet"), configuration={"root_module": called})
    assert commands(documents) == {"module.inner.data.external.who": "sh\nwho.sh"}


def test_actions_that_an_apply_invokes_are_resources_of_their_own():
    """Those of a later plan as well."""
    invoked = {"address": "action.aws_lambda_invoke.a", "type": "aws_lambda_invoke", "config_values": {"payload": "x"}}
    later = {"reason": "x", "action_invocation": {**invoked, "address": "action.aws_lambda_invoke.b"}}
    documents, _ = read(action_invocations=[invoked], deferred_action_invocations=[later])
    assert [(document.kind, document.name) for document in documents] == [
        ("action", "action.aws_lambda_invoke.a"),
        ("action", "action.aws_lambda_invoke.b"),
    ]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"complete": False}, "part of a plan"),
        ({"errored": True, "complete": False}, "planning failed"),
        ({"configuration": {"root_module": {"resources": [BLOCK]}}}, "its configuration has terraform_data.setup, which"),
        (
            {"configuration": {"root_module": {"module_calls": {"m": {"module": {"resources": [BLOCK, BLOCK]}}}}}},
            "module.m.terraform_data.setup and 1 more",
        ),
    ],
)
def test_a_part_of_a_plan_is_a_mistake(members: dict[str, Any], said: str):
    """Terraform says so; OpenTofu does not, but its plan lacks what its configuration has."""
    _, mistakes = read(change("random_pet"), **members)
    assert len(mistakes) == 1
    assert said in mistakes[0]


@pytest.mark.parametrize(
    "members",
    [
        {"complete": True, "configuration": {"root_module": {"resources": [BLOCK]}}},
        {"configuration": {"root_module": {"resources": [{**BLOCK, "count_expression": {"constant_value": 0}}]}}},
        {"configuration": {"root_module": {"resources": [{**BLOCK, "mode": "data"}]}}},
        {
            "configuration": {
                "root_module": {"module_calls": {"m": {"for_each_expression": {}, "module": {"resources": [BLOCK]}}}}
            }
        },
    ],
)
def test_a_whole_plan_is_none(members: dict[str, Any]):
    """Of what is repeated there may be none."""
    assert read(change("random_pet"), **members)[1] == []
