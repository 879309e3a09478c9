"""Errors of a cluster's API server, or of the kubeconfig, turned into messages that say what to do next."""

from __future__ import annotations

import ssl
from typing import Final

import httpx2
import yaml

from cutlist.core.errors import InputError, Place
from cutlist.core.secrecy import masked_sentence
from cutlist_live.errors import NOT_LISTED, NotListedError

DENIED: Final = 403
MISSING: Final = 404
UNKNOWN_CREDENTIALS: Final = 401
GONE: Final = 410
_OTHER_NAME: Final = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH of OpenSSL
BUSY: Final = (429, 500, 502, 503, 504)


def of_status(server: str, resource: str, error: httpx2.HTTPStatusError) -> NotListedError | InputError:
    """Return the error to raise for an error status."""
    code = error.response.status_code
    if code in NOT_LISTED:
        return NotListedError(resource, code)
    if code == UNKNOWN_CREDENTIALS:
        text = "the cluster does not accept the credentials (401): they are wrong or have expired; sign in again"
        return InputError.one(_at(server), text)
    if code in BUSY:
        return InputError.one(
            _at(server), f"{resource} cannot be listed, the server is busy or unwell ({code}); try again later"
        )
    return InputError.one(_at(server), f"{resource} cannot be listed ({code}): {_one_line(error)}")


def of_connection(server: str, resource: str, error: Exception) -> InputError:
    """Return the error to raise when no answer came, or an unreadable one."""
    if isinstance(error, httpx2.ReadTimeout):
        return InputError.one(_at(server), f"the server took too long to list {resource}")
    if (of_tls := _of_tls(error)) is not None:
        return InputError.one(_at(server), of_tls)
    if isinstance(error, httpx2.TransportError):
        why = _one_line(error) or type(error).__name__
        return InputError.one(_at(server), f"the server cannot be reached: {why}; is the network or the VPN up?")
    text = f"what answers to a list of {resource} is not a Kubernetes API server: {_one_line(error)}; is a proxy in between?"
    return InputError.one(_at(server), text)


def _of_tls(error: BaseException | None) -> str | None:
    """Return what is wrong with the certificates, if that is why no answer came."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    if isinstance(error, ssl.SSLCertVerificationError) and error.verify_code in _OTHER_NAME:
        return f"the server's certificate is for another name: {error.verify_message.rstrip('.')}; is tls-server-name missing?"
    if isinstance(error, ssl.SSLCertVerificationError):
        hint = "does certificate-authority-data belong to this cluster?"
        return f"the server's certificate is not trusted: {error.verify_message}; {hint}"
    return None if error is None else f"no secure connection can be made: {_one_line(error)}"


def of_configuration(place: Place, error: Exception) -> InputError:
    """Return the error to raise for a kubeconfig that cannot be used, or whose command for credentials fails."""
    if isinstance(error, FileNotFoundError):
        return InputError.one(place, f"the kubeconfig names a file that does not exist: {error.filename}")
    if isinstance(error, yaml.MarkedYAMLError):  # its own text repeats the line, which may hold a token
        mark = error.problem_mark or error.context_mark
        return InputError.one(place.at("", mark.line + 1 if mark else 0), f"is not YAML: {error.problem or error.context}")
    return InputError.one(place, f"the kubeconfig cannot be used: {_one_line(error) or type(error).__name__}")


def _at(server: str) -> Place:
    return Place(masked_sentence(server))


def _one_line(error: object) -> str:
    return " ".join(str(error).split())
