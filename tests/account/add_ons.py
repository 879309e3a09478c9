"""The row of add-ons of EKS."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tests.account.checks import Check, matches, one_of, unlike
from tests.account.cluster import CLUSTER, ROLE, SERVICE_ACCOUNT
from tests.account.identity import ACCOUNT
from tests.account.rows import Limit, Row
from tests.account.sources import EKS_API, EKS_GUIDE, PULUMI_AWS
from tests.account.tags import tags


def _is_json(value: Any) -> bool:
    try:
        return isinstance(json.loads(value), dict)
    except ValueError:
        return False


def _of_one_way(inputs: Mapping[str, Any]) -> bool:
    return not (inputs.get("podIdentityAssociations") and inputs.get("serviceAccountRoleArn"))


ROWS: Final = (
    Row(
        "aws:eks/addon:Addon",
        (
            CLUSTER,
            Limit("addonName", matches(r"[a-z0-9][a-z0-9_-]*", "lower-case letters, digits, - and _", 100), EKS_API),
            Limit("addonVersion", matches(r"v\d+\.\d+\.\d+-eksbuild\.\d+", "a version such as v1.20.1-eksbuild.1"), EKS_GUIDE),
            Limit("configurationValues", Check("a JSON object", _is_json), EKS_API),
            Limit("resolveConflictsOnCreate", one_of("OVERWRITE", "NONE"), PULUMI_AWS),
            Limit("resolveConflictsOnUpdate", one_of("OVERWRITE", "NONE", "PRESERVE"), PULUMI_AWS),
            Limit("serviceAccountRoleArn", ROLE, EKS_API),
            Limit("podIdentityAssociations[].roleArn", ROLE, EKS_API),
            Limit("podIdentityAssociations[].serviceAccount", SERVICE_ACCOUNT, EKS_API),
            Limit("podIdentityAssociations", unlike("serviceAccount", "a service account"), EKS_API),
            Limit("", Check("a role by Pod Identity or by OIDC, not both", _of_one_way), EKS_GUIDE),
            *tags(),
        ),
        frozenset({"addonName", "clusterName", "namespaceConfig"}),
        id="{clusterName}:{addonName}",
        computed={"arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:addon/{{clusterName}}/{{addonName}}/0"},
    ),
)
