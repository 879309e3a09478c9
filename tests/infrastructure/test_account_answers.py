"""What is recorded of an account's answers: no secret value, though providers mark few of them (pulumi 4.5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.lookups.account import Account
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.plugins import Plugins
from pulumi_cutlist.lookups.question import Kind, Question
from pulumi_cutlist.lookups.written import STACK_REFERENCE

VALUE = "hunter22"


class Answering(Plugins):
    """Providers that answer every function with one result."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        super().__init__()
        self._result = result

    def invoke(self, *_: Any) -> dict[str, Any]:
        return dict(self._result)


@pytest.mark.parametrize(
    ("token", "result", "is_written"),
    [
        ("aws:ssm/getParameter:getParameter", {"type": "SecureString", "value": VALUE}, False),
        ("aws:ssm/getParameter:getParameter", {"type": "String", "value": VALUE, "insecureValue": VALUE}, True),
        (
            "aws:ssm/getParametersByPath:getParametersByPath",
            {"types": ["String", "SecureString"], "values": ["", VALUE]},
            False,
        ),
        ("aws:redshift/getClusterCredentials:getClusterCredentials", {"dbPassword": VALUE}, False),
        ("aws:cognito/getUserPoolClient:getUserPoolClient", {"name": VALUE, "clientSecret": ""}, True),
        ("aws:dms/getEndpoint:getEndpoint", {"kafkaSettings": [{"saslPassword": VALUE}]}, False),
        ("aws:apigateway/getKey:getKey", {"value": VALUE}, False),
        ("aws:kms/getKey:getKey", {"arn": VALUE}, True),
    ],
)
def test_a_result_with_a_secret_value_is_used_and_not_written(tmp_path: Path, token, result, is_written):
    account = Account(Context("shop", {}, date(2026, 11, 30)), tmp_path, Answering(result))
    part = account.ask(Question(Kind.FUNCTION, token))
    assert part is not None
    assert part.known == result
    account.write(tmp_path / "lookups.yaml", date(2026, 11, 30))
    assert (VALUE in (tmp_path / "lookups.yaml").read_text()) == is_written
    assert account.recorded == is_written


def test_a_secret_output_of_another_stack_stays_one_while_it_is_recorded(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("pulumi_cutlist.lookups.account.stack_outputs", lambda *_: {"vpc": "vpc-1", "token": "[secret]"})
    account = Account(Context("shop", {}, date(2026, 11, 30)), tmp_path)
    part = account.ask(Question(Kind.STACK, STACK_REFERENCE, {"name": "org/net/prod"}))
    assert part is not None
    assert part.known["secretOutputNames"] == ["token"]
