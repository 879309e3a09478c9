"""What the policies of all our keys have in common (spec: aws-infrastructure 1.3, 4.1)."""

from __future__ import annotations

from cutlist.infrastructure.iam.documents import EVERYTHING, Principal, Statement
from cutlist.infrastructure.names import ClusterFacts


def account_decides(facts: ClusterFacts) -> Statement:
    """The account decides by IAM who may do what with a key; without this nobody could ever change the key's policy."""
    account = Principal("AWS", (facts.arn("iam", "root", region=""),))
    return Statement("AccountDecidesByIAM", ("kms:*",), EVERYTHING, principals=(account,))
