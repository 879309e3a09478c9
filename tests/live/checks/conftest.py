"""The servers of the checks, with the CRDs of Karpenter for AWS."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.infrastructure.conftest import aws_account, moto_address, shared_account
from tests.live.api import Api
from tests.live.checks.stored import Stored
from tests.live.custom_resources import install
from tests.live.processes import wait_for
from tests.live.provider_modules import AWS_1_15
from tests.live.servers import Servers
from tests.recorded import PROJECT

PROGRAMS: Final = Path(os.environ.get("LIVE_PROGRAMS", PROJECT / ".live"))
FOLDER: Final = Path(os.environ.get("LIVE_FOLDER", PROJECT / ".live" / "checks"))
NAMESPACE: Final = "shop"
"""The namespace that the objects of the documentation are in."""
CONTROLLERS: Final = ("kube-controller-manager", "kube-scheduler", "kubelet")
__all__ = ("aws_account", "moto_address", "shared_account")


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Yield servers with Karpenter's CRDs, started for the checks and stopped after them."""
    servers = Servers(FOLDER, PROGRAMS)
    servers.up()
    try:
        api = servers.api()
        install(api, AWS_1_15.crds())
        api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        wait_for("the account of pods", lambda: _has_account(api), 60)
        yield servers
    finally:
        servers.down()


@pytest.fixture(scope="session")
def api(servers: Servers) -> Iterator[Api]:
    """Yield a client that may do everything."""
    api = servers.api()
    yield api
    api.close()


@pytest.fixture
def stored(api: Api) -> Iterator[Stored]:
    """Yield what puts objects into the cluster; they are deleted after the check."""
    with contextlib.closing(Stored(api)) as stored:
        yield stored


@pytest.fixture
def without_controllers(servers: Servers) -> Iterator[None]:
    """Let nothing change objects but the check: controllers, scheduler and kubelets stand still."""
    for name in CONTROLLERS:
        servers.processes.signal(name, signal.SIGSTOP)
    yield
    for name in CONTROLLERS:
        servers.processes.signal(name, signal.SIGCONT)


def _has_account(api: Api) -> bool:
    return any(account["metadata"]["namespace"] == NAMESPACE for account in api.items("ServiceAccount"))
