"""Artifacts of a registry, as Flux's sources have them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.documents.delivery.fetching import ArtifactSource, FetchError
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.limits import Limits
from tests.fetch.charts import packed, sha256
from tests.fetch.servers import Answer, Remote

Make = Callable[..., ToolFetcher]

KIND = "application/vnd.cncf.flux.content.v1.tar+gzip"


@pytest.fixture
def shop(remote: Remote) -> Remote:
    """A registry with an artifact in three versions."""
    for tag in ("1.0.0", "1.2.0", "latest"):
        remote.add_artifact("shop/all", tag, packed("", {"deploy/a.yaml": tag}), KIND)
    return remote


def source(remote: Remote, revision: str = "", semver: str = "") -> ArtifactSource:
    return ArtifactSource(f"oci://{remote.address}/shop/all", revision, semver, plain_http=True)


@pytest.mark.parametrize(("revision", "semver", "found"), [("1.0.0", "", "1.0.0"), ("", "1.x", "1.2.0"), ("", "", "latest")])
def test_an_artifact_is_found_by_tag_or_range(revision: str, semver: str, found: str, shop: Remote, fetcher: Make) -> None:
    """FE-6"""
    fetched = fetcher().fetch(source(shop, revision, semver))
    assert (Path(fetched.folder, "deploy/a.yaml").read_text(), fetched.version) == (found, found)


def test_an_artifact_is_found_by_digest(shop: Remote, fetcher: Make) -> None:
    """FE-6"""
    digest = sha256(shop.files["/v2/shop/all/manifests/1.0.0"].data)
    assert Path(fetcher().fetch(source(shop, digest)).folder, "deploy/a.yaml").read_text() == "1.0.0"


def test_content_that_is_not_what_the_digest_says_is_refused(shop: Remote, fetcher: Make) -> None:
    """FE-6"""
    layer = json.loads(shop.files["/v2/shop/all/manifests/1.0.0"].data)["layers"][0]["digest"]
    shop.files[f"/v2/shop/all/blobs/{layer}"] = Answer(packed("", {"deploy/a.yaml": "other"}))
    with pytest.raises(FetchError, match="has not the digest"):
        fetcher().fetch(source(shop, "1.0.0"))


def test_the_login_of_docker_is_used_for_its_host_only(shop: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-9"""
    shop.login = "shop:opensesame"
    with pytest.raises(FetchError, match="answers 401") as caught:
        fetcher().fetch(source(shop))
    assert caught.value.allowed == "a login with docker or helm"
    folder = tmp_path / "home/.docker"
    folder.mkdir()
    auth = {"auth": base64.b64encode(shop.login.encode()).decode()}
    (folder / "config.json").write_text(json.dumps({"auths": {shop.address: auth, "example.com": {"auth": "!"}}}))
    assert fetcher().fetch(source(shop)).version == "latest"


def test_a_registry_without_a_login_gives_a_token(shop: Remote, fetcher: Make) -> None:
    """FE-6"""
    challenge = f'Bearer realm="http://{shop.address}/token",service="here",scope="repository:shop/all:pull"'
    shop.challenge = challenge
    shop.files["/token"] = Answer(b'{"token": "abc"}', "application/json")
    assert fetcher().fetch(source(shop)).version == "latest"


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_a_redirect_to_another_scheme_is_not_followed(address: str, shop: Remote, fetcher: Make) -> None:
    """FE-12"""
    shop.files["/v2/shop/all/manifests/latest"] = Answer(b"", status=302, location=address)
    with pytest.raises(FetchError):
        fetcher().fetch(source(shop))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("manifest", "reason"),
    [(b"{}", "is not an artifact with an archive"), (b"x", "is not an artifact"), (b" " * 5 * 2**20, "answers with more than")],
)
def test_a_manifest_without_an_archive_is_refused(manifest: bytes, reason: str, shop: Remote, fetcher: Make) -> None:
    shop.files["/v2/shop/all/manifests/latest"] = Answer(manifest)
    with pytest.raises(FetchError, match=reason):
        fetcher().fetch(source(shop))


def test_an_artifact_that_is_too_large_is_refused(shop: Remote, fetcher: Make) -> None:
    """FE-11"""
    with pytest.raises(FetchError, match="has more than 0 MiB"):
        fetcher(limits=Limits(transferred=10)).fetch(source(shop))
