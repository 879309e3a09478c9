"""How the controller gets its credentials, and the annotations that configure it (spec: aws-infrastructure 3.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.errors import Problems
from cutlist.infrastructure.inputs import HERE, Places, chosen

ROLE_ANNOTATION: Final = "eks.amazonaws.com/role-arn"
_DIGEST: Final = 16


class Credentials(StrEnum):
    """Where the controller's credentials come from."""

    POD_IDENTITY = "pod-identity"
    """An association; an agent runs on each node that runs the controller. Not on Fargate."""
    IRSA = "irsa"
    """The cluster's OIDC provider, through an annotation of the service account."""


@dataclass(frozen=True, slots=True)
class RequestedCredentials:
    """The request for credentials: the way by its name, which of the OIDC provider's inputs are given, and annotations of the
    service account."""

    way: str
    provider_inputs: frozenset[str]
    annotations: Mapping[str, str]


_PROVIDER_INPUTS: Final = ("oidcProviderArn", "oidcIssuer")


def credentials_of(wanted: RequestedCredentials, problems: Problems, at: Places = HERE) -> Credentials:
    """Return the requested way. Both at once are refused: in the SDK, the annotation overrides the association."""
    before = len(problems.found)
    way = chosen(wanted.way, Credentials.POD_IDENTITY, at.member("credentials"), problems)
    if len(problems.found) > before:
        return way
    if way is Credentials.POD_IDENTITY:
        for provider_input in sorted(wanted.provider_inputs):
            problems.add(
                at.member(provider_input),
                "belongs to irsa, while the credentials are to come by pod-identity",
                "one of the two",
            )
        if ROLE_ANNOTATION in wanted.annotations:
            place = at.member("serviceAccountAnnotations").member(ROLE_ANNOTATION)
            problems.add(place, "this annotation is irsa and would hide the association of pod-identity", "one of the two")
    else:
        for missing in sorted(set(_PROVIDER_INPUTS) - wanted.provider_inputs):
            problems.add(at.member(missing), "irsa needs the cluster's OIDC provider", "its ARN and the issuer")
    return way


def identity_hash(*texts: str) -> str:
    """Return sixteen hexadecimal digits that change with any of the texts: the role's ARN, the documents, the source of
    credentials."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:_DIGEST]
