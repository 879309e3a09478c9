"""Cases whose charts come from elsewhere, with the charts that the recorded answers were made with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.fetching import ArtifactSource, ChartSource, Fetched, FetchError, Source
from cutlist.documents.folders import Charts, Reading
from cutlist_live.fetch.semver import Range
from tests.conformance.gitops.cases import CASES, Case
from tests.recorded import PROJECT

PROGRAMS = PROJECT / ".engine/bin"

pytestmark = pytest.mark.skipif(not (PROGRAMS / "helm").exists(), reason="`make helm` builds it")


@dataclass(frozen=True)
class FolderFetcher:
    """Takes charts from a folder that has them as NAME-VERSION."""

    folder: Path
    offline: bool = False

    def fetch(self, source: Source) -> Fetched:
        """Return the chart with the highest version in a range."""
        assert isinstance(source, ChartSource | ArtifactSource)
        name = source.name if isinstance(source, ChartSource) else source.url.rpartition("/")[2]
        asked = source.version if isinstance(source, ChartSource) else source.revision or source.semver
        versions = [path.name.removeprefix(f"{name}-") for path in self.folder.glob(f"{name}-*")]
        version = Range.of(asked).highest(versions)
        if version is None:
            raise FetchError(f"there is no {name} in {asked}")
        return Fetched(str(self.folder / f"{name}-{version}"), version, "")

    def complete(self, chart: str, root: str, target: str) -> None:
        """Refuse: no case needs dependencies from elsewhere."""
        raise FetchError(f"{chart} is not completed from {root} in {target}")


@pytest.mark.parametrize("name", ["h05-charts-of-other-sources", "a10-sources-and-value-order"])
def test_charts_from_elsewhere_give_what_the_controllers_apply(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GO-22, GO-35: the same Deployments, with the same replicas."""
    case = Case.of(CASES / name)
    monkeypatch.setenv("PATH", str(PROGRAMS), prepend=os.pathsep)
    monkeypatch.chdir(case.checkout(tmp_path))
    reading = Reading(recursive=True, charts=Charts(), fetcher=FolderFetcher(case.folder / "charts"))
    documents = collect_documents(case.paths, Problems(), None, reading, Notes())
    ours = {d.name: d.data["spec"].get("replicas") for d in documents if d.kind == "Deployment"}
    expected = json.loads((case.folder / "expected.json").read_text("utf-8"))
    theirs = {o["name"]: o.get("replicas") for o in expected["objects"] if o["kind"] == "Deployment"}
    assert ours == theirs
