"""Errors of the API turned into messages that say what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    SSOError,
    TokenRetrievalError,
)
from botocore.exceptions import (
    ConnectionError as NoConnection,
)

from cutlist.core.errors import Place, Problem
from cutlist.settings.accounts import PROFILE
from cutlist_live.errors import AccountError, DeniedError, RegionError, UnacceptedError

_EXPIRED: Final = {"ExpiredToken", "ExpiredTokenException", "RequestExpired"}
_DENIED: Final = {"UnauthorizedOperation", "AccessDenied", "AccessDeniedException", "UnauthorizedAccess"}
_UNACCEPTED: Final = {"AuthFailure", "UnrecognizedClientException", "InvalidClientTokenId", "InvalidSignatureException"}
_NOT_ENABLED: Final = {"OptInRequired", "RegionDisabledException"}
_THROTTLED: Final = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "RequestLimitExceeded",
    "TooManyRequestsException",
    "BandwidthLimitExceeded",
    "SlowDown",
}
_SIGN_IN: Final = (
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    CredentialRetrievalError,
    TokenRetrievalError,
    SSOError,
)


@dataclass(frozen=True, slots=True)
class Call:
    """What was called, and in which region; `action` is its name in IAM policies."""

    region: str
    action: str

    def failed(self, error: ClientError | BotoCoreError) -> AccountError | RegionError:
        """Return the error to raise for one that the SDK raised."""
        if isinstance(error, ClientError):
            return self._refused(error)
        if isinstance(error, _SIGN_IN):
            return AccountError(self._problem(f"no usable credentials: {_one_line(error)}; sign in, or name a {PROFILE.flag}"))
        if isinstance(error, (NoConnection, HTTPClientError)):
            return RegionError(self._problem(f"the API cannot be reached: {_one_line(error)}"))
        return RegionError(self._problem(f"{self.action} failed: {_one_line(error)}"))

    def _refused(self, error: ClientError) -> AccountError | RegionError:
        code = error.response.get("Error", {}).get("Code", "")
        message = _one_line(error.response.get("Error", {}).get("Message", ""))
        if code in _EXPIRED:
            return AccountError(self._problem(f"the credentials have expired ({code}); sign in again, then repeat the command"))
        if code in _DENIED:
            return DeniedError(self._problem(f"the credentials do not allow {self.action}; docs/prices.md has the policy"))
        if code in _THROTTLED:
            tries = error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0) + 1
            times = f"{tries} times in a row" if tries > 1 else "once"
            text = f"AWS throttled {self.action} {times} ({code}); wait some minutes, then repeat the command for this region"
            return RegionError(self._problem(text))
        if code in _NOT_ENABLED:
            return RegionError(not_enabled(self.region))
        if code in _UNACCEPTED:
            text = f"AWS does not accept the credentials here ({code}: {message}): they are wrong, or the region is not enabled"
            return UnacceptedError(self._problem(text))
        return RegionError(self._problem(f"{self.action} failed ({code or 'no code'}): {message}"))

    def _problem(self, message: str) -> Problem:
        return Problem(Place(self.region), message)


def not_enabled(region: str) -> Problem:
    """Return the problem that the account has not opted in to a region."""
    text = "the account has not enabled this region; enable it in the account's settings, or leave it out"
    return Problem(Place(region), text)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())
