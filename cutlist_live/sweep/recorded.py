"""What a stack's teardown resources do when they are deleted, with the properties recorded when they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.drain import DrainMode
from cutlist.verbs.sweep.text import render_sweep
from cutlist_live.account import Account
from cutlist_live.errors import NotSweptError
from cutlist_live.progress import Watcher
from cutlist_live.recorded_credentials import recorded_session
from cutlist_live.sweep.calls import Calls, Clients, Clock
from cutlist_live.sweep.connection import connect
from cutlist_live.sweep.drain import Drain
from cutlist_live.sweep.guards import Guards
from cutlist_live.sweep.sweep import Scope, Sweep, SweepRequest


def sweep(properties: Mapping[str, Any]) -> str:
    """Sweep what a `Teardown` or an `InterfacePass` recorded, and return the report as text. Raises NotSweptError."""
    request = SweepRequest(
        _facts(properties),
        properties.get("vpc_id"),
        Scope(properties["scope"]),
        int(properties["maximum_instances"]),
    )
    report = Sweep(request, _clients(properties), connect).run()
    text = render_sweep(report)
    if report.exit_code:
        raise NotSweptError(text)
    return text


def drain(properties: Mapping[str, Any]) -> None:
    """Run the drain of a `DrainGate`. Raises NotDrainedError, UnreachableError, RefusedError."""
    facts = _facts(properties)
    guards = Guards(facts, Calls(_clients(properties), facts.region, Clock()), connect)
    minutes = float(properties["minutes"])
    Drain(guards, DrainMode(properties["mode"]), frozenset(properties["node_pools"]), minutes * 60).run()


def _facts(properties: Mapping[str, Any]) -> ClusterFacts:
    return ClusterFacts(properties["cluster"], properties["region"], properties["account"])


def _clients(properties: Mapping[str, Any]) -> Clients:
    """Return clients with the credentials of the provider that the component was given, else of whoever destroys the stack."""
    return Account(recorded_session(properties), Watcher())
