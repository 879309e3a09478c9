"""Files that a cloud deploys are judged as the resources that they make: templates of CloudFormation and ARM, and Bicep."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from cutlist import PlanSettings, default_gates, gate

OWNER = "/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions"
OWNER += "/8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
STACK = """
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Admin:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: {Version: "2012-10-17", Statement: []}
      ManagedPolicyArns: ["arn:aws:iam::aws:policy/AdministratorAccess"]
"""
ARM = json.dumps(
    {
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "resources": [
            {
                "type": "Microsoft.Authorization/roleAssignments",
                "apiVersion": "2022-04-01",
                "name": "owner",
                "properties": {"roleDefinitionId": OWNER, "principalId": "[reference('x').principalId]"},
            }
        ],
    }
)
BICEP = f"""
resource owner 'Microsoft.Authorization/roleAssignments@2022-04-01' = {{
  name: guid('x')
  properties: {{
    roleDefinitionId: '{OWNER}'
    principalId: identity.properties.principalId
  }}
}}
"""


@pytest.mark.parametrize(
    ("name", "text", "rule", "about"),
    [
        ("stack.yaml", STACK, "IF-21", "Role/Admin"),
        ("azuredeploy.json", ARM, "AK-08", "RoleAssignment/owner"),
        ("main.bicep", BICEP, "AK-08", "RoleAssignment/owner"),
    ],
)
def test_a_template_is_judged_as_what_it_makes(tmp_path: Path, name: str, text: str, rule: str, about: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    report = gate([file], default_gates(), date(2026, 6, 1), PlanSettings(region="us-west-2")).report
    assert (rule, about) in {(outcome.rule, outcome.about) for outcome in report.stopping}
    assert {str(outcome.place.source) for outcome in report.stopping} == {str(file)}
