"""Texts of a fixed form, checked as the API server does: names, labels, ports, paths, percentages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final

from cutlist.api.findings import Finding
from cutlist.api.names import MAX_LENGTH, label_value_findings, name_findings, qualified_findings
from cutlist.core.shapes import shown
from cutlist.workloads.validation.refusals import Refusals

_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_NOT_IN_LABEL: Final = re.compile(r"[^a-z0-9]+", re.ASCII)
_PORT_NAME: Final = re.compile(r"[-a-z0-9]{1,15}", re.ASCII)
_ENVIRONMENT_NAME: Final = re.compile(r"[ -<>-~]+", re.ASCII)
_KEY_OF_DATA: Final = re.compile(r"[-._a-zA-Z0-9]{1,253}", re.ASCII)
_HEADER: Final = re.compile(r"[-A-Za-z0-9]+", re.ASCII)
_SEARCH: Final = re.compile(r"(_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LEADING_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])", re.ASCII)
_PERCENT: Final = re.compile(r"[0-9]+%", re.ASCII)

_IN_LABEL: Final = "at most 63 lower-case letters, digits and -, starting and ending with a letter or digit"
_IN_PORT_NAME: Final = "1 to 15 lower-case letters, digits and single -, with a letter, not starting or ending with -"
_HIGHEST_PORT: Final = 65535
LONGEST_LABEL: Final = 63
_ANY_SERVICE_NAME: Final = 36  # the first minor version whose Services may begin with a digit


def dns_label(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text is not a DNS label (RFC 1123)."""
    if not _LABEL.fullmatch(value):
        near = _NOT_IN_LABEL.sub("-", value.lower()).strip("-")[:63].rstrip("-")
        refusals.add(path, f"{shown(value)} is not a DNS label", _IN_LABEL, near)


def service_name(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text cannot name a Service: a DNS label that, before 1.36, begins with a letter (RFC 1035)."""
    dns_label(value, path, refusals)
    if refusals.minor < _ANY_SERVICE_NAME and value[:1].isdigit() and _LABEL.fullmatch(value):
        refusals.invalid(path, value, "must begin with a letter")


def subdomain(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text is not a DNS subdomain (RFC 1123), the form of most names."""
    if not value:
        refusals.invalid(path, value, "is not a name")
    for finding in _name_findings(value):
        refusals.add(path, finding.message, finding.allowed, finding.nearest)


def is_subdomain(value: str) -> bool:
    """Tell whether a text is a DNS subdomain."""
    return bool(value) and not _name_findings(value)


def object_name(value: Any, path: str, refusals: Refusals) -> None:
    """Add that the name of another object is missing, or that it cannot be one."""
    if not value:
        refusals.required(path)
    else:
        subdomain(value, path, refusals)


def object_label(value: Any, path: str, refusals: Refusals) -> None:
    """Add that a name that is a DNS label is missing, or that it cannot be one."""
    if not value:
        refusals.required(path)
    else:
        dns_label(value, path, refusals)


def qualified_name(value: str, path: str, refusals: Refusals, written: str = "") -> None:
    """Add why a text is not a qualified name, such as the key of a label."""
    for finding in _key_findings(value):
        refusals.add_at(written or path, path, finding.message, finding.allowed, finding.nearest)


def label_value(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text cannot be the value of a label."""
    if _value_findings(value):
        refusals.add(path, f"{shown(value)} cannot be the value of a label", _value_findings(value)[0].allowed)


def labels(value: Mapping[str, Any] | None, path: str, refusals: Refusals, written: str = "") -> None:
    """Add what is wrong with labels; the API server only names the mapping. `written` is its path in the file."""
    for key, text in (value or {}).items():
        here = f"{written or path}.{key}"
        qualified_name(key, path, refusals, here)
        for finding in _value_findings(text or ""):
            refusals.add_at(here, path, f"{shown(text)} of label {key} cannot be the value of a label", finding.allowed)


def port_number(value: int, path: str, refusals: Refusals) -> None:
    """Add that a number is not a port number."""
    if not 1 <= value <= _HIGHEST_PORT:
        refusals.invalid(path, value, f"must be between 1 and {_HIGHEST_PORT}, inclusive")


def port_name(value: str, path: str, refusals: Refusals) -> bool:
    """Tell whether a text is the name of a port, and add why not."""
    has_letter = any("a" <= letter <= "z" for letter in value)
    if _PORT_NAME.fullmatch(value) and has_letter and "--" not in value and value.strip("-") == value:
        return True
    refusals.add(path, f"{shown(value)} cannot be the name of a port", _IN_PORT_NAME)
    return False


def port(value: Any, path: str, refusals: Refusals) -> None:
    """Add why a number or a text is not a port."""
    if isinstance(value, str):
        port_name(value, path, refusals)
    else:
        port_number(value or 0, path, refusals)


def environment_name(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text cannot name an environment variable, by the rule that newer versions relaxed (W-30)."""
    if not _ENVIRONMENT_NAME.fullmatch(value):
        refusals.invalid(path, value, "cannot name an environment variable", "printable ASCII characters other than =")


def key_of_data(value: Any, path: str, refusals: Refusals) -> None:
    """Add why a text cannot be a key of a ConfigMap or Secret."""
    if not value:
        refusals.required(path)
    elif not _KEY_OF_DATA.fullmatch(value) or value in (".", "..") or value.startswith(".."):
        refusals.invalid(path, value, "cannot be a key", "letters, digits, -, _ and ., at most 253, not starting with ..")


def is_header(value: str) -> bool:
    """Tell whether a text can name an HTTP header."""
    return _HEADER.fullmatch(value) is not None


def ip(value: str, path: str, refusals: Refusals) -> None:
    """Add that a text is not an IP address."""
    try:
        ip_address(_LEADING_ZEROS.sub("", value) if "." in value else value)
    except ValueError:
        refusals.invalid(path, value, "is not an IP address", "an address such as 10.9.8.7 or 2001:db8::ffff")


def search_domain(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text cannot be a DNS search domain: a domain that may contain underscores and end in a dot."""
    domain = value.removesuffix(".") or value
    if domain != "." and (len(domain) > MAX_LENGTH or not _SEARCH.fullmatch(domain)):
        refusals.invalid(path, value, "is not a domain", "such as ns1.svc.cluster.local")


def no_backsteps(value: str, path: str, refusals: Refusals) -> None:
    """Add that a path goes up by `..`."""
    if ".." in value.split("/"):
        refusals.invalid(path, value, "must not contain '..'")


def relative_path(value: str, path: str, refusals: Refusals) -> None:
    """Add that a path is absolute or goes up."""
    if value.startswith("/"):
        refusals.invalid(path, value, "must be a relative path")
    no_backsteps(value, path, refusals)


def file_in_volume(value: str, path: str, refusals: Refusals) -> None:
    """Add why a path cannot be that of a file in a volume."""
    relative_path(value, path, refusals)
    if value.startswith("..") and not value.startswith("../") and ".." not in value.split("/"):
        refusals.invalid(path, value, "must not start with '..'")


def count_or_percent(value: Any, path: str, refusals: Refusals) -> None:
    """Add that a value is neither a number of at least 0 nor a percentage; a missing value is accepted."""
    if isinstance(value, str):
        if not _PERCENT.fullmatch(value):
            refusals.invalid(path, value, "is not a percentage", "a whole number, or a percentage such as 25%")
    elif value is not None and value < 0:
        refusals.invalid(path, value, "must be greater than or equal to 0")


def at_most_all(value: Any, path: str, refusals: Refusals) -> None:
    """Add that a percentage is above 100%."""
    if percent(value) > 100:
        refusals.invalid(path, value, "must not be greater than 100%")


def percent(value: Any) -> int:
    """Return the number in a percentage; 0 for anything else."""
    return int(value[:-1]) if isinstance(value, str) and _PERCENT.fullmatch(value) else 0


def is_zero(value: Any) -> bool:
    """Tell whether a number or percentage is 0; any other value counts as 0."""
    return percent(value) == 0 if isinstance(value, str) else not value


def first_repeated(values: Iterable[Any]) -> list[int]:
    """Return the positions of values that occurred before."""
    before: set[Any] = set()
    repeated = []
    for index, value in enumerate(values):
        if value in before:
            repeated.append(index)
        before.add(value)
    return repeated


@lru_cache(maxsize=4096)
def _name_findings(name: str) -> tuple[Finding, ...]:
    return tuple(name_findings("", name))


@lru_cache(maxsize=4096)
def _key_findings(key: str) -> tuple[Finding, ...]:
    return tuple(qualified_findings("", key))


@lru_cache(maxsize=4096)
def _value_findings(value: str) -> tuple[Finding, ...]:
    return tuple(label_value_findings("", "", value))
