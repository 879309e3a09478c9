"""Servers that tests share: one of a kind for each process of tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from tests.infrastructure.aws_servers import moto
from tests.infrastructure.sweep_account import Cloud


@pytest.fixture(scope="session")
def moto_address() -> Iterator[str]:
    """Where a moto server listens. What an earlier test made may be there still."""
    with moto() as address:
        yield address


@pytest.fixture(scope="session")
def shared_account(moto_address: str) -> Iterator[Cloud]:
    """The account on that server, with clients that are made once."""
    with contextlib.closing(Cloud(moto_address)) as account:
        yield account


@pytest.fixture
def aws_account(shared_account: Cloud) -> Cloud:
    """The same, empty."""
    shared_account.reset()
    return shared_account
