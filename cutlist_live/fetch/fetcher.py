"""Fetching: each source once, from the cache where the lock allows that, else by the program for its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from cutlist.documents.delivery.fetching import ArtifactSource, ChartSource, Fetched, FetchError, FileSource, GitSource, Source
from cutlist.settings.planning import OFFLINE
from cutlist_live.fetch import artifact, file, git, helm
from cutlist_live.fetch.cache import Cache
from cutlist_live.fetch.dependencies import Dependencies
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.lock import LOCK_NAME, Lock, Locked
from cutlist_live.fetch.reference import check, named


def _quiet(_text: str) -> AbstractContextManager[object]:
    """Show nothing."""
    return nullcontext()


@dataclass(slots=True)
class ToolFetcher:
    """Fetches by the installed helm and git, as the user whose environment it gets.

    With a lock, what it names is fetched in that version, and must have its digest; what it does not name is added. `offline`
    takes everything from the cache. `showing` is entered with what is fetched, for as long as each fetch takes.
    """

    cache: Cache
    environment: Mapping[str, str]
    lock: Lock | None = None
    offline: bool = False
    limits: Limits = field(default_factory=Limits)
    showing: Callable[[str], AbstractContextManager[object]] = _quiet
    _answers: dict[Source, Fetched | FetchError] = field(default_factory=dict)

    def fetch(self, source: Source) -> Fetched:
        """Return what a source is, fetched once in a run. Raises FetchError, each time again for a source that failed."""
        if source not in self._answers:
            try:
                check(source)
                self._answers[source] = self._fetched(source)
            except FetchError as error:
                self._answers[source] = error
        answer = self._answers[source]
        if isinstance(answer, FetchError):
            raise answer
        return answer

    def cached(self, source: Source) -> Fetched | None:
        """Return what a source was the last time, if that is still in the cache; nothing is fetched."""
        return self.cache.answer(named(source))

    def complete(self, chart: str, root: str, target: str) -> None:
        """Write a chart with all its dependencies into a folder that does not exist yet. Raises FetchError.

        Dependencies with a path (`file://`) are taken from below `root`.
        """
        Dependencies(self.fetch, self._repository, self.limits).complete(chart, root, target)

    def _fetched(self, source: Source) -> Fetched:
        question = named(source)
        locked = None if self.lock is None else self.lock.entry(question)
        known = self._known(question, locked)
        if known is not None:
            return known
        if self.offline:
            text = f"{source.shown} is not in the cache, and only the cache is used"
            raise FetchError(text, f"a run without {OFFLINE.flag}")
        with self.showing(f"fetching {source.shown}"):
            fetched = self._by_program(source, locked)
        if locked is not None and fetched.digest != locked.digest:
            text = f"{source.shown} is {fetched.version} with {fetched.digest}, and {LOCK_NAME} names {locked.digest}"
            raise FetchError(text, f"to remove its entry from {LOCK_NAME}, if the new content is what you want")
        self.cache.remember(question, fetched)
        self._record(question, locked, fetched)
        return fetched

    def _known(self, question: Mapping[str, str], locked: Locked | None) -> Fetched | None:
        """Return what is in the cache, where that is known to be the answer: by the lock, or because nothing else is used."""
        if locked is not None:
            content = self.cache.content(locked.digest, question.get("with", ""))
            if content is None:
                return None
            folder = helm.chart_in(content) if "chart" in question else content
            return Fetched(folder, locked.version, locked.digest)
        answer = self.cache.answer(question) if self.offline else None
        if answer is None:
            return None
        folder = helm.chart_in(answer.folder) if "chart" in question else answer.folder
        fetched = Fetched(folder, answer.version, answer.digest)
        self._record(question, locked, fetched)
        return fetched

    def _record(self, question: Mapping[str, str], locked: Locked | None, fetched: Fetched) -> None:
        if self.lock is not None and locked is None:
            self.lock.add(question, fetched)

    def _by_program(self, source: Source, locked: Locked | None) -> Fetched:
        match source:
            case ChartSource():
                version = source.version if locked is None else locked.version
                return helm.Helm(self.environment, self.limits).pull(source, version, self.cache)
            case GitSource():
                commit = "" if locked is None else locked.digest.partition(":")[2]
                return git.Git(self.environment, self.limits).clone(source, commit, self.cache)
            case ArtifactSource():
                digest = "" if locked is None else locked.digest
                return artifact.Registry(self.environment, self.limits).pull(source, digest, self.cache)
            case FileSource():
                return file.Web(self.limits).download(source, self.cache)

    def _repository(self, alias: str) -> str:
        return helm.Helm(self.environment, self.limits).repository(alias, self.cache)
