"""What tests of one process share: a server of AWS, and how programs are run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import pytest
from pulumi_cutlist.program.offline import Mode

from tests.infrastructure.aws_servers import moto
from tests.infrastructure.projects import recorded
from tests.infrastructure.sweep_account import Cloud


@pytest.hookimpl(tryfirst=True)  # before the names of groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give all tests that use the server of AWS to one worker: to start it takes longer than many of them."""
    for item in items:
        if "moto_address" in getattr(item, "fixturenames", ()) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group("moto"))


@pytest.fixture(scope="package", autouse=True)
def short_stacks() -> Iterator[None]:
    """Keep Pulumi from writing down sixty frames for each resource: a third of the time, and no test asks for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "tracebacklimit", 3, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def imported_sdks() -> None:
    """Import what programs of stacks use: each process that is forked for a program would import it for itself otherwise."""
    for stack in ("dev", "aks"):
        recorded(stack, Mode.PREVIEW)


@pytest.fixture(scope="session")
def moto_address() -> Iterator[str]:
    """Yield where a moto server listens. What an earlier test made may be there still."""
    with moto() as address:
        yield address


@pytest.fixture(scope="session")
def shared_account(moto_address: str) -> Iterator[Cloud]:
    """Yield the account on that server, with clients that are made once."""
    with contextlib.closing(Cloud(moto_address)) as account:
        yield account


@pytest.fixture
def aws_account(shared_account: Cloud) -> Cloud:
    """Return the same, empty."""
    shared_account.reset()
    return shared_account
