"""Functions of the providers for Azure that have an answer without an account: who runs the program, and in which
subscription, as the configuration or the environment of the provider says."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from pulumi_cutlist.lookups.context import Context, Known
from pulumi_cutlist.lookups.part import Part
from pulumi_cutlist.lookups.question import Question

_VARIABLES: Final = {
    "clientId": ("ARM_CLIENT_ID", "AZURE_CLIENT_ID"),
    "subscriptionId": ("ARM_SUBSCRIPTION_ID", "AZURE_SUBSCRIPTION_ID"),
    "tenantId": ("ARM_TENANT_ID", "AZURE_TENANT_ID"),
}
"""What the providers read where the configuration says nothing."""


def _setting(question: Question, context: Context, name: str) -> Known | None:
    package = question.token.partition(":")[0]
    if (found := context.setting(question, package, name)) is not None:
        return found
    return next((Known(os.environ[v], f"${v}") for v in _VARIABLES[name] if os.environ.get(v)), None)


def _client_config(question: Question, context: Context) -> Part | None:
    found = {name: known for name in _VARIABLES if (known := _setting(question, context, name)) is not None}
    if not found:
        return None
    sources = ", ".join(known.source for known in found.values())
    return Part({name: known.value for name, known in found.items()}, sources, None)


def _subscription(question: Question, context: Context) -> Part | None:
    asked = question.arguments.get("subscriptionId")
    found = Known(str(asked), "the arguments") if asked else _setting(question, context, "subscriptionId")
    if found is None:
        return None
    return Part({"subscriptionId": found.value, "id": f"/subscriptions/{found.value}"}, found.source, None)


FUNCTIONS: Final[Mapping[str, Callable[[Question, Context], Part | None]]] = {
    "azure-native:authorization:getClientConfig": _client_config,
    "azure:core/getClientConfig:getClientConfig": _client_config,
    "azure:core/getSubscription:getSubscription": _subscription,
}
"""What answers, by token."""
