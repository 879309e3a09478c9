"""Calls of one account in one region: complete answers, retries where AWS demands them, errors by their meaning."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from cutlist.core.errors import CutlistError
from cutlist.infrastructure.teardown.steps import PERMITTED, RETRY_SECONDS, ErrorMeaning, SweepStep
from cutlist_live.errors import AccountError, FailedCallError
from cutlist_live.failures import Call

_LONGEST_PAUSE: Final = 30.0


class Clients(Protocol):
    """The source of the clients of services, such as an `Account`."""

    def client(self, service: str, region: str) -> Any:
        """Return the SDK's client of a service, with the caller's credentials."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The sweep's clock. `jitter` returns fractions from 0 to 1, so that throttled callers retry at different times."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    pause: Callable[[float], object] = time.sleep
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Calls:
    """Makes the calls. Errors that stop all of them, such as expired credentials, raise AccountError or RegionError.

    Each kind of call may be retried for RETRY_SECONDS in total, however many calls there are: `_waited` holds the sums.
    """

    clients: Clients
    region: str
    clock: Clock
    _waited: dict[str, float] = field(default_factory=dict, init=False)

    def all(self, step: SweepStep, operation: str, key: str, **arguments: Any) -> list[Any]:
        """Return all entries of all pages. Raises FailedCallError."""
        client = self.clients.client(step.service_client, self.region)

        def pages() -> list[Any]:
            if not client.can_paginate(operation):
                return list(getattr(client, operation)(**arguments).get(key, []))
            return [entry for page in client.get_paginator(operation).paginate(**arguments) for entry in page.get(key, [])]

        pages_read: list[Any] = self._patiently(step, pages)
        return pages_read

    def answer(self, step: SweepStep, operation: str, **arguments: Any) -> Mapping[str, Any]:
        """Return an answer. Raises FailedCallError for any error code."""
        call = getattr(self.clients.client(step.service_client, self.region), operation)
        answer: Mapping[str, Any] = self._patiently(step, lambda: call(**arguments))
        return answer

    def one(self, step: SweepStep, operation: str, **arguments: Any) -> Mapping[str, Any] | None:
        """Return an answer; None for an error that the step tolerates. Raises FailedCallError."""
        try:
            return self.answer(step, operation, **arguments)
        except FailedCallError as error:
            if step.outcome(error.code) is ErrorMeaning.DONE:
                return None
            raise

    def is_permitted(self, step: SweepStep, operation: str, **arguments: Any) -> bool:
        """Tell whether a writing call of EC2 would be permitted; nothing is written."""
        try:
            self.one(step, operation, DryRun=True, **arguments)
        except FailedCallError as error:
            if error.code != PERMITTED:
                return not error.is_denied
        return True

    def _patiently(self, step: SweepStep, call: Callable[[], Any]) -> Any:
        longest = 1.0
        while True:
            try:
                return call()
            except ClientError as error:
                answer = error.response.get("Error", {})
                failed = FailedCallError(step, answer.get("Code", ""), " ".join(answer.get("Message", "").split()))
                pause = longest * (0.5 + self.clock.jitter() / 2)
                waited = self._waited.get(step.action, 0.0) + pause
                if step.outcome(failed.code) is not ErrorMeaning.AGAIN or waited > RETRY_SECONDS:
                    raise self._because(step, error, failed) from error
            except BotoCoreError as error:
                raise Call(self.region, step.action).failed(error) from error
            self._waited[step.action] = waited
            self.clock.pause(pause)
            longest = min(longest * 2, _LONGEST_PAUSE)

    def _because(self, step: SweepStep, error: ClientError, failed: FailedCallError) -> CutlistError:
        """Return the exception that ends the sweep or the call: expired credentials fail every later call; other refusals
        concern only this one."""
        problem = Call(self.region, step.action).failed(error)
        return problem if isinstance(problem, AccountError) else failed
