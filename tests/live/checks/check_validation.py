"""Each recorded verdict on an object, asked of a real API server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live import validating
from tests.live.api import Api
from tests.live.checks.conftest import FOLDER
from tests.live.custom_resources import install
from tests.live.provider_modules import AWS_1_15
from tests.live.validating import Confirmation, Judge


@pytest.fixture(scope="module")
def confirmation(api: Api) -> Iterator[Confirmation]:
    """Yield what the server says of everything that is recorded."""
    yield Judge(api).confirm()
    install(api, AWS_1_15.crds())


def test_a_server_answers_as_its_code_does(confirmation: Confirmation) -> None:
    """But for what has a cause that is known."""
    assert confirmation.unexplained == {}


def test_what_the_server_confirms_is_recorded(confirmation: Confirmation, api: Api) -> None:
    """`python -m tests.live record` takes in what is written here."""
    version = api.call("GET", "/version")["gitVersion"].removeprefix("v")
    validating.write(FOLDER / validating.RECORDED.name, confirmation, version)
    assert confirmation.written(version) == validating.recorded()
