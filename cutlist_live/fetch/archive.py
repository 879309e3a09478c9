"""Archives of charts and artifacts, unpacked within limits: only plain files and folders, only below their own folder."""

from __future__ import annotations

import os
import shutil
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from cutlist.documents.delivery.fetching import FetchError
from cutlist_live.fetch.limits import Limits

_BLOCK: Final = 2**16
_LONGEST_PATH: Final = 1024
_DEEPEST: Final = 64


@dataclass(slots=True)
class Room:
    """What is left of the limits while files are written."""

    what: str
    limits: Limits
    files: int = 0
    written: int = 0

    def take(self, path: str, size: int) -> None:
        """Count a file before it is written. Raises FetchError where there are too many, or too many bytes."""
        self.files += 1
        self.written += size
        if self.files > self.limits.files:
            raise FetchError(f"{self.what} holds more than {self.limits.files:,} files")
        if self.written > self.limits.unpacked:
            raise FetchError(f"{self.what} unpacks to more than {self.limits.unpacked // 2**20} MiB, at {path[:80]!r}")


class _Counted:
    """A compressed stream, read within a limit of what comes out of it: also of headers, which count in no file."""

    def __init__(self, file: BinaryIO, room: Room) -> None:
        self._file = file
        self._room = room
        self._inflater = zlib.decompressobj(wbits=31)
        self._total = 0
        self._most = room.limits.unpacked + 2048 * room.limits.files

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes of what is unpacked; fewer at the end."""
        out = bytearray()
        while len(out) < size and not self._inflater.eof:
            raw = self._inflater.unconsumed_tail or self._file.read(_BLOCK)
            if not raw:
                break
            out += self._inflater.decompress(raw, size - len(out))
        self._total += len(out)
        if self._total > self._most:
            raise FetchError(f"{self._room.what} unpacks to more than {self._room.limits.unpacked // 2**20} MiB")
        return bytes(out)


def unpack(archive: str, folder: str, what: str, limits: Limits) -> None:
    """Unpack a `.tgz` into an empty folder. Raises FetchError for one that is damaged, too large or holds links, devices or
    paths that lead out of the folder; what was written until then stays, so the folder is a temporary one.
    """
    room = Room(what, limits)
    with open(archive, "rb") as raw:
        try:
            with tarfile.open(fileobj=_Counted(raw, room), mode="r|") as tar:  # type: ignore[call-overload]
                for member in tar:
                    _take(tar, member, folder, room)
        except (tarfile.TarError, zlib.error, OSError, ValueError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise FetchError(f"{what} is not an archive that can be unpacked: {reason or error}") from None


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: str, room: Room) -> None:
    if member.type in (tarfile.XGLTYPE, tarfile.XHDTYPE):
        return
    parts = safe_parts(member.name, room.what)
    if not member.isdir() and not member.isreg():
        kind = "a link" if member.issym() or member.islnk() else "a device"
        raise FetchError(f"{room.what} holds {kind}, {member.name[:80]!r}, and only files and folders are unpacked")
    room.take(member.name, member.size if member.isreg() else 0)
    target = Path(folder, *parts)
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    source = tar.extractfile(member)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source is None:
        return
    with open(target, "xb") as file:  # a second file of the same name is refused
        while block := source.read(_BLOCK):
            file.write(block)


def safe_parts(name: str, what: str) -> tuple[str, ...]:
    """Return the parts of a path in an archive or repository. Raises FetchError for one that leads elsewhere on any system."""
    parts = PurePosixPath(name).parts
    is_odd = name.startswith("/") or "\\" in name or "\0" in name or (len(name) > 1 and name[1] == ":")
    if is_odd or ".." in parts or len(name) > _LONGEST_PATH or len(parts) > _DEEPEST:
        raise FetchError(f"{what} holds the path {name[:80]!r}, which leads out of its folder")
    return parts


def put(source: str, folder: str, path: str, room: Room) -> None:
    """Copy what was fetched to a path of a folder, within its limits. Raises FetchError.

    Nothing is written through a link.
    """
    target = os.path.join(os.path.realpath(folder), *safe_parts(path, room.what))
    if os.path.realpath(target) != target:
        raise FetchError(f"{room.what} has a link in the path {path}, where it includes something")

    def counted(path: str, copy: str) -> str:
        room.take(path, os.path.getsize(path))
        return shutil.copyfile(path, copy)

    try:
        shutil.copytree(source, target, symlinks=True, copy_function=counted, dirs_exist_ok=True)
    except OSError as error:
        raise FetchError(f"{room.what} cannot take what it includes: {error}") from None


def write_links(folder: str, links: dict[str, str]) -> None:
    """Make symbolic links of a repository, by their paths; those that lead out of the folder are left out."""
    root = os.path.realpath(folder)
    made: list[str] = []
    for path, target in links.items():
        if os.path.isabs(target) or "\\" in target or "\0" in target:
            continue
        link = os.path.join(root, path)
        os.makedirs(os.path.dirname(link), exist_ok=True)
        os.symlink(target, link)
        made.append(link)
    for link in made:  # only when all are there: one may lead through another
        real = os.path.realpath(link)
        if real != root and not real.startswith(root + os.sep):
            os.unlink(link)
