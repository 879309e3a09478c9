"""The addresses by which kustomizations name what is elsewhere: folders in repositories of git, and single files."""  # FE-15

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

from cutlist.documents.delivery.fetching import FileSource, GitSource

_WEB: Final = ("https://", "http://")
_SCHEME: Final = re.compile(r"(?:ssh|https|http)://", re.IGNORECASE)
_USER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*@")
_GITHUB: Final = re.compile(r"(?:www\.)?github\.com[/:]", re.IGNORECASE)
_FORCED: Final = "git::"
_AZURE: Final = "_git/"
_SUFFIX: Final = ".git"
_OWNER_AND_NAME: Final = 2
_FILE: Final = re.compile(r".*\.(?:ya?ml|json)", re.IGNORECASE)
_FORGES: Final = ("github.com", "gitlab.com", "bitbucket.org")
_IN_A_FORGE: Final = re.compile(r"/(?:raw|releases/download|-/raw)/")


def source_named(name: str) -> tuple[GitSource, str] | FileSource:
    """Return the repository that a name means and the path in it, or the file. Raises ValueError for other names."""
    if _is_file(name):
        return FileSource(name)
    address, _, query = name.partition("?")
    host, rest = _host(address.removeprefix(_FORCED))
    repository, path = _split(rest)
    if not repository and name.lower().startswith(_WEB):
        return FileSource(name)
    if not host or not repository:
        raise ValueError(f"{name} names no repository")
    if ".." in path.split("/"):
        raise ValueError(f"{name} leads out of its repository")
    asked = parse_qs(query)
    revision = next((asked[key][0] for key in ("ref", "version") if asked.get(key)), "")
    has_submodules = asked.get("submodules", [""])[0].lower() not in ("false", "f", "0")
    return GitSource(f"{host}{repository}", revision, submodules=has_submodules), path.strip("/")


def _is_file(name: str) -> bool:
    """Tell whether an address is that of a file: it ends like one, and nothing in it is a word for a repository."""
    if not name.lower().startswith(_WEB):
        return False
    try:
        parts = urlsplit(name)
    except ValueError:
        return False
    is_of_git = "//" in parts.path or f"{_SUFFIX}/" in parts.path or _AZURE in parts.path
    if is_of_git or {"ref", "version"} & parse_qs(parts.query).keys() or not _FILE.fullmatch(parts.path):
        return False
    return parts.hostname not in _FORGES or _IN_A_FORGE.search(parts.path) is not None  # others answer with a page


def _host(address: str) -> tuple[str, str]:
    """Return what comes before the path of a repository, as git takes it, and the rest."""
    scheme = match[0] if (match := _SCHEME.match(address)) else ""
    rest = address[len(scheme) :]
    user = match[0] if (match := _USER.match(rest)) else ""
    rest = rest[len(user) :]
    is_github = _GITHUB.match(rest) is not None
    marks = "/:" if not scheme and (user or is_github) else "/"
    at = next((index for index, character in enumerate(rest) if character in marks), -1)
    host, rest = rest[: at + 1], rest[at + 1 :]
    if is_github and not user and not scheme.lower().startswith("ssh"):
        return "https://github.com/", rest
    return (f"{scheme}{user}{host}" if scheme or user else ""), rest


def _split(rest: str) -> tuple[str, str]:
    """Return the path of a repository on its host, and the path in it."""
    if _AZURE in rest:
        before, _, after = rest.partition(_AZURE)
        name, _, path = after.partition("/")
        return f"{before}{_AZURE}{name}", path
    if "//" in rest:
        repository, _, path = rest.partition("//")
        return repository, path
    if _SUFFIX in rest:
        before, _, path = rest.partition(_SUFFIX)
        return f"{before}{_SUFFIX}", path
    parts = rest.split("/")
    return "/".join(parts[:_OWNER_AND_NAME]) if len(parts) >= _OWNER_AND_NAME else "", "/".join(parts[_OWNER_AND_NAME:])
