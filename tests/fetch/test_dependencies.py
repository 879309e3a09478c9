"""Dependencies of charts, beside what the real helm does with the same charts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cutlist.documents.delivery.fetching import FetchError
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.limits import Limits
from tests.fetch.charts import files_of, packed
from tests.fetch.servers import Remote

Make = Callable[..., ToolFetcher]

pytestmark = pytest.mark.usefixtures("helm")


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def rendered(chart: Path, environment: Mapping[str, str]) -> str:
    words = ["helm", "template", "shop", str(chart)]
    return subprocess.run(words, env=dict(environment), check=True, capture_output=True, text=True).stdout


@pytest.fixture
def shop(remote: Remote, tmp_path: Path) -> Path:
    """A chart with a dependency of a repository, one of a registry's form, and one beside it, which has one itself."""
    for version in ("1.0.0", "1.4.0", "2.0.0"):
        remote.add_chart("lamp", version, packed("lamp", files_of("lamp", version)))
    write(tmp_path / "top/base", files_of("base", "0.3.0"))
    common = [{"name": "base", "version": "0.x", "repository": "file://../base"}]
    write(tmp_path / "top/common", files_of("common", "0.2.0", dependencies=common))
    wanted = [
        {"name": "lamp", "version": "~1", "repository": remote.charts, "alias": "light"},
        {"name": "lamp", "version": ">=2.0 <3", "repository": remote.charts, "alias": "beam", "tags": ["a&b"]},
        {"name": "common", "version": ">0.1", "repository": "file://../common"},
    ]
    return write(tmp_path / "top/shop", files_of("shop", "1.0.0", dependencies=wanted))


def test_a_chart_gets_its_dependencies(shop: Path, fetcher: Make, environment: dict[str, str], tmp_path: Path) -> None:
    """FE-7: as helm, which is asked for the inner one first, would have it, and the chart itself stays as it is."""
    before = sorted(shop.rglob("*"))
    fetcher().complete(str(shop), str(tmp_path / "top"), str(tmp_path / "whole"))
    ours = rendered(tmp_path / "whole", environment)
    assert sorted(shop.rglob("*")) == before
    for name in ("common", "shop"):
        words = ["helm", "dependency", "update", str(shop.parent / name)]
        subprocess.run(words, env=environment, check=True, capture_output=True)
    assert sorted(ours.split("---\n")) == sorted(rendered(shop, environment).split("---\n"))
    assert "lamp-1.4.0" in ours


def test_a_lock_of_the_chart_is_followed(
    shop: Path, remote: Remote, fetcher: Make, environment: dict[str, str], tmp_path: Path
) -> None:
    """FE-8"""
    subprocess.run(["helm", "dependency", "update", str(shop)], env=environment, check=True, capture_output=True)
    subprocess.run(["rm", "-r", str(shop / "charts")], check=True)
    remote.add_chart("lamp", "1.9.0", packed("lamp", files_of("lamp", "1.9.0")))
    fetcher().complete(str(shop), str(tmp_path / "top"), str(tmp_path / "whole"))
    text = rendered(tmp_path / "whole", environment)
    assert ("lamp-1.4.0" in text, "lamp-1.9.0" in text) == (True, False)


def test_a_lock_of_other_dependencies_is_refused(
    shop: Path, fetcher: Make, environment: dict[str, str], tmp_path: Path
) -> None:
    """FE-8"""
    subprocess.run(["helm", "dependency", "update", str(shop)], env=environment, check=True, capture_output=True)
    chart = json.loads((shop / "Chart.yaml").read_text())
    chart["dependencies"].pop()
    (shop / "Chart.yaml").write_text(json.dumps(chart))
    with pytest.raises(FetchError, match="does not match its dependencies") as caught:
        fetcher().complete(str(shop), str(tmp_path / "top"), str(tmp_path / "whole"))
    assert caught.value.allowed == "helm dependency update shop"
    done = subprocess.run(["helm", "dependency", "build", str(shop)], env=environment, capture_output=True, text=True)
    assert "out of sync" in done.stderr


def test_what_is_in_the_charts_folder_is_not_fetched(shop: Path, remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    chart = json.loads((shop / "Chart.yaml").read_text())
    chart["dependencies"] = [{"name": "lamp", "version": "1.x", "repository": remote.charts}]
    (shop / "Chart.yaml").write_text(json.dumps(chart))
    write(shop / "charts/lamp", files_of("lamp", "1.2.3"))
    fetcher().complete(str(shop), str(tmp_path / "top"), str(tmp_path / "whole"))
    assert remote.asked == []


@pytest.mark.parametrize(
    ("dependency", "reason"),
    [
        ({"repository": "file://../../outside"}, "lies outside of the checkout"),
        ({"repository": "file:///etc"}, "lies outside of the checkout"),
        ({"repository": "file://../none"}, "is not a chart"),
        ({"repository": "file://../base", "version": "^9"}, "has another version than"),
        ({"repository": "@own"}, "is in the repository own, which helm does not know"),
        ({"repository": ""}, "names no repository"),
        ({"name": "../../x"}, "is not the name of a chart"),
        ({"name": "--post-renderer"}, "is not the name of a chart"),
    ],
)
def test_a_dependency_that_is_not_taken(
    dependency: dict[str, str], reason: str, shop: Path, remote: Remote, fetcher: Make, tmp_path: Path
) -> None:
    """FE-7"""
    write(tmp_path / "outside", files_of("lamp", "1.0.0"))
    chart = json.loads((shop / "Chart.yaml").read_text())
    chart["dependencies"] = [{"name": "lamp", "version": "1.x", "repository": remote.charts, **dependency}]
    (shop / "Chart.yaml").write_text(json.dumps(chart))
    with pytest.raises(FetchError, match=reason):
        fetcher().complete(str(shop), str(tmp_path / "top"), str(tmp_path / "whole"))


def test_charts_that_depend_on_each_other_end(shop: Path, fetcher: Make, tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        dependency = {"name": other, "version": "1.0.0", "repository": f"file://../{other}"}
        write(tmp_path / "top" / name, files_of(name, "1.0.0", dependencies=[dependency]))
    with pytest.raises(FetchError, match="through more than 8 charts"):
        fetcher().complete(str(tmp_path / "top/one"), str(tmp_path / "top"), str(tmp_path / "whole"))


def test_links_of_a_chart_lead_neither_out_nor_in_circles(shop: Path, fetcher: Make, tmp_path: Path) -> None:
    """FE-11"""
    chart = write(tmp_path / "top/linked", files_of("linked", "1.0.0"))
    (tmp_path / "secret").write_text("x")
    for name, target in (("up", ".."), ("self", "."), ("out", "../../secret"), ("values-too.yaml", "values.yaml")):
        (chart / name).symlink_to(target)
    fetcher().complete(str(chart), str(tmp_path / "top"), str(tmp_path / "whole"))
    assert {"values-too.yaml", "up", "self", "out"} & set(os.listdir(tmp_path / "whole")) == {"values-too.yaml"}
    with pytest.raises(FetchError, match="holds more than 2 files"):
        fetcher(limits=Limits(files=2)).complete(str(chart), str(tmp_path / "top"), str(tmp_path / "again"))
