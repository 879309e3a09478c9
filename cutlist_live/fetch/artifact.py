"""Artifacts of registries, such as `flux push artifact` makes: an archive of files as the only layer of a manifest."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

from cutlist.documents.delivery.fetching import ArtifactSource, Fetched, FetchError
from cutlist_live.fetch.archive import unpack
from cutlist_live.fetch.cache import Cache
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.programs import empty_folder
from cutlist_live.fetch.redirects import SameScheme
from cutlist_live.fetch.reference import without_credentials
from cutlist_live.fetch.semver import Range

_MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_CHALLENGE: Final = re.compile(r'(\w+)="([^"]*)"')
_ARCHIVES: Final = ("tar+gzip", "tar.gzip")
_LONGEST_TYPE: Final = 100
_MOST: Final = 4 * 2**20
_BLOCK: Final = 2**16
_SECONDS: Final = 30
_PAGES: Final = 50
_LOGINS: Final = (".docker/config.json", ".config/helm/registry/config.json")


@dataclass(frozen=True, slots=True)
class Registry:
    """Registries as artifacts are read from them, with the logins that docker and helm keep in files."""

    environment: Mapping[str, str]
    limits: Limits

    def pull(self, source: ArtifactSource, digest: str, cache: Cache) -> Fetched:
        """Return the files of an artifact in the cache, by the digest of its manifest: the given one, else the one that the
        source names. Raises FetchError.
        """  # FE-6
        session = _Session.of(source, self.environment, self.limits)
        version = "" if digest else session.chosen(source)
        raw = session.read(f"manifests/{digest or version}", _MOST)
        found = f"sha256:{hashlib.sha256(raw).hexdigest()}"
        if digest and found != digest:
            raise FetchError(f"{without_credentials(source.url)} answers {digest} with {found}")
        known = cache.content(found, source.layer)
        if known is None:
            known = self._files(session, raw, source, found, cache)
        return Fetched(known, version or digest, found)

    def _files(self, session: _Session, raw: bytes, source: ArtifactSource, found: str, cache: Cache) -> str:
        layer = _layer(raw, source)
        with cache.work() as work:
            archive = os.path.join(work, "layer.tgz")
            session.write(f"blobs/{layer}", archive, layer)
            files = empty_folder(work, "files")
            unpack(archive, files, f"the artifact {without_credentials(source.url)}", self.limits)
            return cache.keep(found, files, source.layer)


def _layer(raw: bytes, source: ArtifactSource) -> str:
    """Return the digest of the layer with the files."""
    try:
        layers = json.loads(raw)["layers"]
        kinds = [(layer["mediaType"], layer["digest"]) for layer in layers]
        digests = [digest for kind, digest in kinds if (kind == source.layer if source.layer else kind.endswith(_ARCHIVES))]
    except (ValueError, KeyError, TypeError, AttributeError):
        digests = []
    if not digests or not _DIGEST.fullmatch(str(digests[0])):
        wanted = f"a layer of the type {source.layer[:_LONGEST_TYPE]}" if source.layer else "an archive (tar+gzip)"
        raise FetchError(f"{without_credentials(source.url)} is not an artifact with {wanted}")
    return str(digests[0])


@dataclass(slots=True)
class _Session:
    """Requests to one repository of a registry."""

    address: str
    login: str
    limits: Limits
    opener: urllib.request.OpenerDirector
    authorization: str = ""

    @staticmethod
    def of(source: ArtifactSource, environment: Mapping[str, str], limits: Limits) -> _Session:
        parts = urlsplit(source.url)
        scheme = "http" if source.plain_http else "https"
        host = parts.netloc.rpartition("@")[2]
        address = f"{scheme}://{host}/v2/{quote(parts.path.strip('/'))}/"
        return _Session(address, _login(host, environment), limits, urllib.request.build_opener(SameScheme))

    def chosen(self, source: ArtifactSource) -> str:
        """Return the tag or digest that a source names."""
        if not source.semver:
            return source.revision or "latest"
        try:
            tag = Range.of(source.semver).highest(self._tags())
        except ValueError as error:
            raise FetchError(str(error), "a range such as ~1.4") from None
        if tag is None:
            raise FetchError(f"{without_credentials(source.url)} has no tag in {source.semver}")
        return tag

    def _tags(self) -> list[str]:
        tags, path = list[str](), "tags/list?n=1000"
        for _ in range(_PAGES):
            with self._open(path) as answer:
                data = _json(answer.read(_MOST))
                tags += [tag for tag in data.get("tags") or () if isinstance(tag, str)]
                link = re.match(r"<([^>]+)>;\s*rel=\"?next", answer.headers.get("Link", ""))
            if link is None:
                break
            following = urljoin(self.address, link[1])
            if urlsplit(following)[:2] != urlsplit(self.address)[:2]:
                break
            path = following
        return tags

    def read(self, path: str, most: int) -> bytes:
        """Return what a path answers. Raises FetchError, also for more bytes than `most`."""
        with self._open(path) as answer:
            raw: bytes = answer.read(most + 1)
        if len(raw) > most:
            raise FetchError(f"{urlsplit(self.address).netloc} answers with more than {most // 2**20} MiB")
        return raw

    def write(self, path: str, target: str, digest: str) -> None:
        """Write a blob to a file. Raises FetchError for one that is too large, takes too long or has another digest."""
        found, size, start = hashlib.sha256(), 0, time.monotonic()
        with self._open(path) as answer, open(target, "xb") as file:
            while block := answer.read(_BLOCK):
                found.update(block)
                file.write(block)
                size += len(block)
                if size > self.limits.transferred:
                    raise FetchError(f"the artifact has more than {self.limits.transferred // 2**20} MiB")
                if time.monotonic() - start > self.limits.seconds:
                    raise FetchError(f"the artifact takes longer than {self.limits.seconds:g} s")
        if f"sha256:{found.hexdigest()}" != digest:
            raise FetchError(f"the artifact's layer has not the digest {digest} that its manifest names")

    def _open(self, path: str) -> Any:
        try:
            return self._asked(path, self.authorization)
        except urllib.error.HTTPError as error:
            if error.code != 401 or self.authorization:
                raise self._failed(error) from None
            self.authorization = self._authorized(error.headers.get("WWW-Authenticate", ""))
        except (OSError, HTTPException) as error:
            raise self._failed(error) from None
        try:
            return self._asked(path, self.authorization)
        except (OSError, HTTPException) as error:
            raise self._failed(error) from None

    def _asked(self, path: str, authorization: str) -> Any:
        headers = {"Accept": f"{_MANIFEST}, */*", **({"Authorization": authorization} if authorization else {})}
        request = urllib.request.Request(urljoin(self.address, path), headers=headers)  # noqa: S310 - http or https, see `of`
        return self.opener.open(request, timeout=_SECONDS)

    def _authorized(self, challenge: str) -> str:
        """Return what a registry wants to see: a login, or a token that it gives for one or without."""
        kind, values = challenge.partition(" ")[0].lower(), dict(_CHALLENGE.findall(challenge))
        basic = f"Basic {self.login}" if self.login else ""
        if kind != "bearer":
            return basic
        realm = values.get("realm", "")
        if urlsplit(realm).scheme not in ("https", urlsplit(self.address).scheme):
            raise FetchError("the registry sends its logins to another scheme")
        question = urlencode({name: values[name] for name in ("service", "scope") if name in values})
        try:
            with self._asked(f"{realm}?{question}", basic) as answer:
                data = _json(answer.read(_MOST))
        except (OSError, HTTPException) as error:
            raise self._failed(error) from None
        return f"Bearer {data.get('token') or data.get('access_token') or ''}"

    def _failed(self, error: Exception) -> FetchError:
        host = urlsplit(self.address).netloc
        if isinstance(error, urllib.error.HTTPError):
            login = "a login with docker or helm" if error.code in (401, 403) else ""
            return FetchError(f"{host} answers {error.code} for {urlsplit(error.url).path}", login)
        return FetchError(f"{host} cannot be reached: {getattr(error, 'reason', None) or error}")


def _json(raw: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(raw)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise FetchError("the registry answers with something else than JSON")
    return data


def _login(host: str, environment: Mapping[str, str]) -> str:
    """Return the login for a host, in base64, from the files where docker and helm keep theirs; empty if there is none."""
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    paths = [Path(home, *name.split("/")) for name in _LOGINS] if home else []
    if environment.get("DOCKER_CONFIG"):
        paths.insert(0, Path(environment["DOCKER_CONFIG"], "config.json"))
    for path in paths:
        try:
            entry = json.loads(path.read_text("utf-8"))["auths"][host]["auth"]
            base64.b64decode(entry, validate=True)
        except (OSError, ValueError, KeyError, TypeError):
            continue
        return str(entry)
    return ""
