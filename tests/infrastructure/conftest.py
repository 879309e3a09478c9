"""What tests of one process share: a server of AWS, and how programs are run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from pulumi.runtime import resource
from pulumi.runtime.proto import source_pb2

from tests.infrastructure.aws_servers import moto
from tests.infrastructure.sweep_account import Cloud


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


@pytest.fixture(scope="session", autouse=True)
def _no_source_positions() -> Iterator[None]:
    """Register resources without the lines of code that made them, which are many below pytest and read by nothing of ours.

    Previews in processes of their own and the tests with an engine have them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resource, "_get_stack_trace", source_pb2.StackTrace)
        yield
