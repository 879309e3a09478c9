"""Rows of IAM and KMS."""

from __future__ import annotations

from typing import Any, Final

from tests.account.checks import Check, arn, at_least, at_most, between, iam_arn, matches, text
from tests.account.documents import identity_policy, keeps_a_manager, resource_policy, trust_policy, trusted_actions
from tests.account.rows import Limit, Row
from tests.account.sources import IAM_API, IAM_QUOTAS, KMS_API, STS_ACTIONS
from tests.account.tags import iam_tags, tags

ACCOUNT: Final = "111122223333"
KEY: Final = arn("kms", r"key/\S+", "the ARN of a key")
_NAME: Final = r"[\w+=,.@-]+"
_NAMED: Final = "letters, digits and + = , . @ _ -"
_PATH: Final = Limit("path", matches(r"/|/[!-~]+/", "a path that begins and ends with a slash", 512), IAM_API)
_POLICY_PATH: Final = Limit(
    "path", matches(r"((/[A-Za-z0-9.,+@=_-]+)*)/", "letters, digits and . , + @ = _ - between slashes", 512), IAM_API
)
_POLICY: Final = iam_arn(r"policy/\S+", "the ARN of a policy")
_BOUNDARY: Final = Limit("permissionsBoundary", _POLICY, IAM_API)
_ROLE: Final = Limit("role", matches(_NAME, "the name of a role, not its ARN", 64), IAM_API)
_NEW_NAME: Final = frozenset({"name", "namePrefix"})
_IDENTITY: Final = 6_144
INLINE_LIMIT: Final = 10_240
"""How many characters all inline policies of a role have at most."""


def _name(longest: int) -> Limit:
    return Limit("name", matches(_NAME, _NAMED, longest), IAM_API)


def _url(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("https://") and "?" not in value and len(value) <= 255


ROWS: Final = (
    Row(
        "aws:iam/role:Role",
        (
            _name(64),
            _PATH,
            _BOUNDARY,
            Limit("assumeRolePolicy", trust_policy(2_048), IAM_QUOTAS),
            Limit("assumeRolePolicy", Check("actions that assume a role", trusted_actions), STS_ACTIONS),
            Limit("description", matches(r"[\t\n\r\x20-\x7e\xa1-\xff]*", "characters of Latin-1", 1_000, shortest=0), IAM_API),
            Limit("maxSessionDuration", between(3_600, 43_200), IAM_API),
            *iam_tags(),
        ),
        _NEW_NAME | {"path"},
        id="{named}",
        computed={"arn": f"arn:aws:iam::{ACCOUNT}:role/{{named}}", "uniqueId": "AROA{name}"},
        autonamed=("name", 64),
    ),
    Row(
        "aws:iam/policy:Policy",
        (
            _name(128),
            _POLICY_PATH,
            Limit("policy", identity_policy(_IDENTITY), IAM_QUOTAS),
            Limit("description", text(1_000), IAM_API),
            *iam_tags(),
        ),
        _NEW_NAME | {"path", "description"},
        id=f"arn:aws:iam::{ACCOUNT}:policy/{{named}}",
        computed={"arn": f"arn:aws:iam::{ACCOUNT}:policy/{{named}}", "policyId": "ANPA{name}"},
        autonamed=("name", 128),
    ),
    Row(
        "aws:iam/rolePolicy:RolePolicy",
        (_name(128), _ROLE, Limit("policy", identity_policy(INLINE_LIMIT), IAM_QUOTAS)),
        _NEW_NAME | {"role"},
        id="{role}:{named}",
        autonamed=("name", 128),
    ),
    Row(
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        (_ROLE, Limit("policyArn", _POLICY, IAM_API)),
        frozenset({"role", "policyArn"}),
        id="{role}/{policyArn}",
    ),
    Row(
        "aws:iam/instanceProfile:InstanceProfile",
        (_name(128), _PATH, _ROLE, *iam_tags()),
        _NEW_NAME | {"path"},
        id="{named}",
        computed={"arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/{{named}}"},
        autonamed=("name", 128),
    ),
    Row(
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        (
            Limit("url", Check("an https URL without a query, at most 255 characters", _url), IAM_API),
            Limit("clientIdLists", at_least(1, "client ids"), IAM_API),
            Limit("clientIdLists", at_most(100, "client ids"), IAM_QUOTAS),
            Limit("clientIdLists[]", text(255, 1), IAM_API),
            Limit("thumbprintLists", at_most(5, "thumbprints"), IAM_API),
            Limit("thumbprintLists[]", matches(r"[0-9a-fA-F]{40}", "40 hexadecimal digits"), IAM_API),
            *iam_tags(),
        ),
        frozenset({"url"}),
        id=f"arn:aws:iam::{ACCOUNT}:oidc-provider/{{name}}",
        computed={"arn": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{{name}}"},
    ),
    Row(
        "aws:iam/serviceLinkedRole:ServiceLinkedRole",
        (
            Limit("awsServiceName", matches(r"[a-z0-9.-]+\.amazonaws\.com(\.cn)?", "the name of a service", 128), IAM_API),
            *iam_tags(),
        ),
        frozenset({"awsServiceName", "customSuffix"}),
        id=f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/{{name}}",
        computed={"arn": f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/{{name}}", "name": "{name}"},
    ),
    Row(
        "aws:kms/key:Key",
        (
            Limit("description", text(8_192), KMS_API),
            Limit("deletionWindowInDays", between(7, 30), KMS_API),
            Limit("rotationPeriodInDays", between(90, 2_560), KMS_API),
            Limit("policy", resource_policy(32_768), KMS_API),
            Limit("policy", Check("a policy that somebody may change", keeps_a_manager), KMS_API),
            *tags(),
        ),
        frozenset({"customKeyStoreId", "customerMasterKeySpec", "keyUsage", "multiRegion", "xksKeyId"}),
        computed={"arn": f"arn:aws:kms:{{region}}:{ACCOUNT}:key/{{name}}", "keyId": "{name}"},
    ),
    Row(
        "aws:kms/alias:Alias",
        (
            Limit(
                "name",
                matches(r"alias/(?!aws/)[a-zA-Z0-9:/_-]+", "alias/ and letters, digits, : / _ -; alias/aws/ is reserved", 256),
                KMS_API,
            ),
            Limit("targetKeyId", text(2_048, 1), KMS_API),
        ),
        _NEW_NAME,
        id="{named}",
        computed={"arn": f"arn:aws:kms:{{region}}:{ACCOUNT}:{{named}}"},
        autonamed=("name", 256),
    ),
)
