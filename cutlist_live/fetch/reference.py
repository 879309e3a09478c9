"""Checks of what is asked for, before a program sees it: addresses, names and revisions, and how a lock names them."""

from __future__ import annotations

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from cutlist.documents.delivery.fetching import OCI, ArtifactSource, ChartSource, FetchError, FileSource, GitSource, Source

_CHART_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CHART_PATH: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_VERSION: Final = re.compile(r"[A-Za-z0-9.*^~<>=!|, +_-]*")
_REVISION: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./@+-]*")
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_TAG: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_SCP: Final = re.compile(
    r"(?:(?P<user>[A-Za-z0-9_][A-Za-z0-9_.-]*)@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?P<path>[^-:/\\][^:]*)"
)
_HOST: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*|[0-9A-Fa-f:]+")
_UNSEEN: Final = re.compile(r"[\x00-\x20\x7f\\]")
SUBMODULES: Final = "submodules"
"""What the cache and a lock call a repository with its submodules."""
_OF_CHARTS: Final = ("https", "http")
_OF_GIT: Final = ("https", "http", "ssh")


def check(source: Source) -> None:
    """Raise FetchError for a source that no program may see: an address of another scheme, a name that is an option or a
    path."""
    if isinstance(source, GitSource):
        _check_git(source)
    elif isinstance(source, ArtifactSource):
        _check_address(source.url, ("oci",))
        _check_revision(source.revision, source.semver)
        if source.revision and not (_TAG.fullmatch(source.revision) or _DIGEST.fullmatch(source.revision)):
            raise FetchError(f"{source.revision!r} is neither a tag nor a digest", "a tag, or sha256: and 64 digits")
    elif isinstance(source, FileSource):
        _check_address(source.url, _OF_CHARTS)
    else:
        _check_chart(source)


def _check_chart(source: ChartSource) -> None:
    is_oci = source.repository.startswith(OCI)
    _check_address(source.repository, ("oci",) if is_oci else _OF_CHARTS)
    if not (_CHART_PATH if is_oci else _CHART_NAME).fullmatch(source.name):
        raise FetchError(f"{source.name!r} is not the name of a chart", "letters, digits, dots and dashes")
    if not _VERSION.fullmatch(source.version) or source.version.startswith("-"):
        raise FetchError(f"{source.version!r} is not a version", "a version, or a range such as ~1.4")


def _check_git(source: GitSource) -> None:
    if "://" not in source.url:
        match = _SCP.fullmatch(source.url)
        if match is None or "::" in source.url or _UNSEEN.search(source.url):
            raise FetchError(f"{source.url} is not an address of git", "https://, ssh://, http:// or user@host:path")
    else:
        _check_address(source.url, _OF_GIT)
    _check_revision(source.revision, source.semver)


def _check_revision(revision: str, semver: str) -> None:
    is_range = _VERSION.fullmatch(revision) and not revision.startswith("-")  # Argo CD has both in one member
    is_name = (_REVISION.fullmatch(revision) or is_range) and ".." not in revision and "@{" not in revision
    if revision and not is_name and not _DIGEST.fullmatch(revision):
        raise FetchError(f"{revision!r} is not a revision", "a branch, a tag or a commit")
    if not _VERSION.fullmatch(semver) or semver.startswith("-"):
        raise FetchError(f"{semver!r} is not a range of versions", "a range such as ~1.4")


def _check_address(address: str, schemes: tuple[str, ...]) -> None:
    """Raise FetchError unless an address has one of the schemes and a host."""
    allowed = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise FetchError(f"{without_credentials(address)} is not an address", allowed) from None
    if _UNSEEN.search(address) or parts.scheme not in schemes:
        raise FetchError(f"{without_credentials(address)} is fetched by no scheme that is allowed", allowed)
    if not host or not _HOST.fullmatch(host):
        raise FetchError(f"{without_credentials(address)} names no host", f"{allowed} and a host")
    if ".." in parts.path.split("/"):
        raise FetchError(f"{without_credentials(address)} has .. in its path", "a path without it")


def without_credentials(address: str) -> str:
    """Return an address without user and password, and without its query, which may carry a token."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "the address"
    if not parts.scheme or "://" not in address:
        return address
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def named(source: Source) -> dict[str, str]:
    """Return a source as the lock and the cache name it: what kind it is, where it is, and what is asked for."""
    if isinstance(source, ChartSource):
        return {"chart": source.name, "repository": without_credentials(source.repository), "asked": source.version}
    if isinstance(source, FileSource):
        query = urlsplit(source.url).query  # which may carry a token
        asked = f"query {hashlib.sha256(query.encode()).hexdigest()}" if query else ""
        return {"file": without_credentials(source.url), "asked": asked}
    asked = f"semver {source.semver}" if source.semver else source.revision
    kind = "git" if isinstance(source, GitSource) else "artifact"
    beside = source.layer if isinstance(source, ArtifactSource) else SUBMODULES if source.submodules else ""
    return {kind: without_credentials(source.url), "asked": asked, **({"with": beside} if beside else {})}
