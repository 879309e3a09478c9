"""Repositories of git, fetched by the installed git into a bare repository, from which files are written without git.

Nothing is checked out, so that neither hooks nor filters such as those of LFS run.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from cutlist.core.errors import nearest
from cutlist.documents.delivery.fetching import Fetched, FetchError, GitSource
from cutlist_live.fetch.archive import Room, put, safe_parts, write_links
from cutlist_live.fetch.cache import Cache
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.programs import Program, empty_folder
from cutlist_live.fetch.reference import SUBMODULES, check, without_credentials
from cutlist_live.fetch.semver import Range

PROGRAM: Final = "git"
_DEEPEST: Final = 8
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT: Final = re.compile(r"[0-9a-f]{7,39}")
_PEELED: Final = "^{}"
_LINK: Final = "120000"
_BLOCK: Final = 2**16
_LONGEST_LINK: Final = 4096
_KEPT: Final = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_SSL_", "GIT_CONFIG_", "GIT_PROXY_COMMAND")
"""The variables of git, or their beginnings, with which users log in."""
_OFF: Final = (
    *("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"),
    *("-c", "fetch.recurseSubmodules=false", "-c", "submodule.recurse=false", "-c", "transfer.bundleURI=false"),
    *("-c", "http.followRedirects=initial", "-c", "protocol.version=2"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A revision: the name that a server has for it, empty for a commit, and the commit."""

    name: str
    commit: str

    @property
    def version(self) -> str:
        """Return it as people name it."""
        return re.sub(r"^refs/(heads|tags)/", "", self.name) or self.commit


@dataclass(frozen=True, slots=True)
class Git:
    """The installed git, for the user whose environment it gets."""

    environment: Mapping[str, str]
    limits: Limits

    def clone(self, source: GitSource, commit: str, cache: Cache, depth: int = 0) -> Fetched:
        """Return the files of a repository in the cache, by their commit: the given one, else the one that the source names.

        Raises FetchError.
        """  # FE-3, FE-4
        with cache.work() as work:
            own, shown = self._program(work, source.url), by_hand(source)
            found = Found("", commit) if commit else self._resolved(source, own)
            beside = SUBMODULES if source.submodules else ""
            known = cache.content(_digest(found.commit), beside)
            if known is not None:
                return Fetched(known, found.version, _digest(found.commit))
            kind = ["--object-format=sha256"] if len(found.commit) == 64 else []
            own.run([*_OFF, "init", "--quiet", "--bare", "--template=", *kind, "git"], shown=shown)
            at = [*_OFF, "--git-dir=git"]
            fetching = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"]
            own.run([*at, *fetching, "--", source.url, found.name or found.commit], shown=shown)
            commit = own.run([*at, "rev-parse", "--verify", "FETCH_HEAD^{commit}"], shown=shown).decode().strip()
            files = empty_folder(work, "files")
            modules = self._write(own, at, commit, files, source)
            if source.submodules and modules:
                self._add_submodules(modules, files, source, own, cache, depth)
            return Fetched(cache.keep(_digest(commit), files, beside), found.version, _digest(commit))

    def _add_submodules(
        self, modules: Mapping[str, str], folder: str, source: GitSource, own: Program, cache: Cache, depth: int
    ) -> None:
        """Put the submodules of a repository into their folders, each at the commit that the repository names."""  # FE-16
        if depth >= _DEEPEST:
            raise FetchError(f"{_shown(source.url)} has submodules in more than {_DEEPEST} others")
        room, addresses = Room(f"the repository {_shown(source.url)}", self.limits), self._addresses(folder, own, source)
        for path, commit in modules.items():
            if path not in addresses:
                raise FetchError(f"{_shown(source.url)} names no address of its submodule {path}", "an entry in .gitmodules")
            inner = GitSource(_beside(addresses[path], source.url), commit, submodules=True)
            check(inner)
            put(self.clone(inner, commit, cache, depth + 1).folder, folder, path, room)

    def _addresses(self, folder: str, own: Program, source: GitSource) -> dict[str, str]:
        """Return the addresses of submodules, by their paths."""
        path = os.path.join(folder, ".gitmodules")
        if not os.path.isfile(path) or os.path.islink(path):
            return {}
        words = ["config", "-f", path, "--no-includes", "--null", "--list"]
        listed = own.run([*_OFF, *words], shown=by_hand(source)).decode(errors="replace")
        values = dict(line.split("\n", 1) for line in listed.split("\0") if "\n" in line)
        names = {key.removesuffix(".path"): path for key, path in values.items() if key.endswith(".path")}
        return {path: values[f"{name}.url"] for name, path in names.items() if f"{name}.url" in values}

    def _resolved(self, source: GitSource, own: Program) -> Found:
        """Return the revision that a source names, as the server has it now."""
        if _COMMIT.fullmatch(source.revision) and not source.semver:
            return Found("", source.revision)
        printed = own.run([*_OFF, "ls-remote", "--quiet", "--", source.url], shown=f"git ls-remote {_shown(source.url)}")
        names: dict[str, str] = {}
        for line in printed.decode(errors="replace").splitlines():
            commit, _, name = line.partition("\t")
            names[name.removesuffix(_PEELED)] = commit  # what a tag leads to comes after the tag itself
        return _named(source, names)

    def _write(self, own: Program, at: list[str], commit: str, folder: str, source: GitSource) -> dict[str, str]:
        """Write the files of a commit below a folder, within the limits; return the commits of submodules by their paths."""
        room = Room(f"the repository {_shown(source.url)}", self.limits)
        listed = own.run([*at, "ls-tree", "-r", "-z", "-l", "--full-tree", commit], shown=by_hand(source))
        wanted: dict[str, list[tuple[str, bool]]] = {}
        modules: dict[str, str] = {}
        for mode, kind, blob, size, path in _entries(listed):
            parts = safe_parts(path, room.what)
            if any(part.lower() == ".git" for part in parts):
                continue
            if kind == "commit":
                modules[os.path.join(*parts)] = blob
            if kind != "blob":
                continue  # submodules are other repositories
            room.take(path, size)
            wanted.setdefault(blob, []).append((os.path.join(*parts), mode == _LINK))
        own.run([*at, "cat-file", "--batch", "--batch-all-objects", "--unordered"], shown=by_hand(source), reads=False)
        with open(own.printed, "rb") as objects:
            links = dict(_written(objects, wanted, folder))
        write_links(folder, links)
        return modules

    def _program(self, work: str, url: str) -> Program:
        kept = {n: v for n, v in self.environment.items() if not n.startswith("GIT_") or n.startswith(_KEPT)}
        kept.pop("SSH_ASKPASS", None)
        allowed = "https:ssh:http" if url.startswith("http://") else "https:ssh"
        own = {"GIT_ALLOW_PROTOCOL": allowed, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C"}
        return Program(PROGRAM, work, {**kept, **own}, self.limits)


def _named(source: GitSource, names: Mapping[str, str]) -> Found:
    """Return which of a server's names a source means."""
    tags = [name.removeprefix("refs/tags/") for name in names if name.startswith("refs/tags/")]
    revision = source.revision or "HEAD"
    if not source.semver:
        for name in (revision, f"refs/heads/{revision}", f"refs/tags/{revision}"):
            if name in names and (name == "HEAD" or name.startswith("refs/")):
                return Found(name, names[name])
        if _SHORT.fullmatch(revision):
            raise FetchError(
                f"{revision} is a part of a commit's name, which servers do not find", "all of it, a branch or a tag"
            )
    try:
        chosen = Range.of(source.semver or revision).highest(tags)
    except ValueError:
        known = [*tags, *(name.removeprefix("refs/heads/") for name in names if name.startswith("refs/heads/"))]
        near = nearest(revision, known)
        raise FetchError(f"{_shown(source.url)} has no branch or tag {revision}", f"such as {near}" if near else "") from None
    if chosen is None:
        raise FetchError(f"{_shown(source.url)} has no tag in {source.semver or revision}", "a range with one of its tags")
    return Found(f"refs/tags/{chosen}", names[f"refs/tags/{chosen}"])


def _entries(listed: bytes) -> Iterator[tuple[str, str, str, int, str]]:
    """Yield mode, kind, name, size and path of each entry of a tree."""
    for line in filter(None, listed.split(b"\0")):
        about, _, path = line.partition(b"\t")
        mode, kind, blob, size = about.decode().split()
        yield mode, kind, blob, 0 if size == "-" else int(size), os.fsdecode(path)


def _written(objects: BinaryIO, wanted: Mapping[str, list[tuple[str, bool]]], folder: str) -> Iterator[tuple[str, str]]:
    """Write the wanted ones of the objects that git printed, and yield the symbolic links among them with their targets."""
    while header := objects.readline():
        name, _, rest = header.decode().partition(" ")
        size, places = int(rest.split()[1]), wanted.get(name, ())
        if any(is_link for _, is_link in places) and size <= _LONGEST_LINK:
            content = objects.read(size)
            yield from ((path, os.fsdecode(content)) for path, is_link in places if is_link)
            for path in (path for path, is_link in places if not is_link):
                _target(folder, path).write_bytes(content)
        elif places:
            first, *others = (path for path, _ in places)
            _copy(objects, _target(folder, first), size)
            for other in others:
                _target(folder, other).write_bytes(Path(folder, first).read_bytes())
        else:
            objects.seek(size, os.SEEK_CUR)
        objects.seek(1, os.SEEK_CUR)


def _copy(objects: BinaryIO, target: Path, size: int) -> None:
    with open(target, "xb") as file:
        while size:
            block = objects.read(min(size, _BLOCK))
            if not block:
                raise FetchError("git printed less than it said")
            file.write(block)
            size -= len(block)


def _target(folder: str, path: str) -> Path:
    target = Path(folder, path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FetchError(f"{path} of the repository cannot be written: {error.strerror}") from None
    return target


def _beside(address: str, outer: str) -> str:
    """Return the address of a submodule, which may be relative to that of its repository."""
    if not address.startswith(("./", "../")):
        return address
    base, rest = outer.rstrip("/"), address
    while rest.startswith(("./", "../")):
        step, _, rest = rest.partition("/")
        base = base.rpartition("/")[0] if step == ".." else base
    return f"{base}/{rest}"


def by_hand(source: GitSource) -> str:
    """Return the command that clones a repository, as a person would type it, without credentials."""
    name = re.sub(r"^refs/(heads|tags)/", "", source.revision)
    branch = ["--branch", name] if name and name != "HEAD" and not _COMMIT.fullmatch(name) and not source.semver else []
    return shlex.join([PROGRAM, "clone", "--depth", "1", *branch, _shown(source.url)])


def _shown(url: str) -> str:
    return without_credentials(url)


def _digest(commit: str) -> str:
    return f"{'sha256' if len(commit) == 64 else 'sha1'}:{commit}"
