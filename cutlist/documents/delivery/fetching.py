"""What is fetched from elsewhere: charts, repositories of git, artifacts and files, and who fetches them.

Nothing here reaches the network. Whoever reads documents may be given a `Fetcher`; `cutlist_live.fetch` has the one that runs
the installed helm and git.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from cutlist.core.secrecy import masked_sentence

OCI: Final = "oci://"
LATEST: Final = ""


@dataclass(frozen=True, slots=True)
class ChartSource:
    """A chart of an HTTP repository (`https://...`) or of a registry (`oci://host/path`).

    `version` is a version, a range of versions, or empty for the latest stable one. `plain_http` talks to a registry without
    TLS.
    """

    repository: str
    name: str
    version: str = LATEST
    plain_http: bool = False

    @property
    def shown(self) -> str:
        """Return what is asked for in words, without credentials."""
        where = self.repository.rstrip("/")
        named = f"{where}/{self.name}" if where.startswith(OCI) else f"{self.name} of {where}"
        return masked_sentence(f"chart {named}, {f'version {self.version}' if self.version else 'latest version'}")


@dataclass(frozen=True, slots=True)
class GitSource:
    """A repository of git at a revision: a branch, a tag, a full name such as `refs/tags/v1`, or a commit.

    Without a revision it is the default branch. `semver` is a range of versions that tags are chosen by instead. `submodules`
    puts the repositories that it names as submodules into their folders.
    """

    url: str
    revision: str = ""
    semver: str = ""
    submodules: bool = False

    @property
    def shown(self) -> str:
        """Return what is asked for in words, without credentials."""
        return masked_sentence(f"git {self.url} at {self.semver or self.revision or 'its default branch'}")


@dataclass(frozen=True, slots=True)
class ArtifactSource:
    """An artifact of a registry, such as Flux pushes: `oci://host/path` at a tag, a digest (`sha256:...`), or a range of tags.

    Without any of them it is the tag `latest`. `layer` is the media type of the layer with the files; without it, the first
    archive is taken.
    """

    url: str
    revision: str = ""
    semver: str = ""
    plain_http: bool = False
    layer: str = ""

    @property
    def shown(self) -> str:
        """Return what is asked for in words, without credentials."""
        return masked_sentence(f"artifact {self.url} at {self.semver or self.revision or 'latest'}")


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file at an address (`https://...`). What is fetched is a folder that holds nothing else, under the file's name."""

    url: str

    @property
    def shown(self) -> str:
        """Return what is asked for in words, without credentials."""
        return masked_sentence(f"file {self.url}")


Source = ChartSource | GitSource | ArtifactSource | FileSource


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was fetched: its folder, the version that was found, and the digest of its content.

    The folder belongs to a cache and must not be changed.
    """

    folder: str
    version: str
    digest: str


class FetchError(Exception):
    """Something cannot be fetched. The text is the reason; `allowed` says what to do, such as a command to try by hand."""

    def __init__(self, reason: str, allowed: str = "") -> None:
        super().__init__(masked_sentence(reason))
        self.allowed = masked_sentence(allowed)


class Fetcher(Protocol):
    """Fetches sources, each once. `offline` says that it takes them from a cache only."""

    @property
    def offline(self) -> bool:
        """Tell whether the network is not used."""
        ...

    def fetch(self, source: Source) -> Fetched:
        """Return what a source is. Raises FetchError."""
        ...

    def complete(self, chart: str, root: str, target: str) -> None:
        """Write a chart with all its dependencies into a folder that does not exist yet. Raises FetchError.

        Dependencies with a path (`file://`) are taken from below `root`.
        """
        ...
