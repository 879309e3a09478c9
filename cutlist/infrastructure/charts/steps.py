"""What a change of the charts' version needs first, and what a way back loses (spec: aws-infrastructure 1.12, 7.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.karpenter.versions import KarpenterVersion, noted_version
from cutlist.infrastructure.charts.crds import crds_of
from cutlist.infrastructure.charts.upgrade import changes_between
from cutlist.infrastructure.inputs import Places
from cutlist.settings.upgrade import FROM, TARGET

_VERSION: Final = "karpenter_version"


def step_problems(at: Places, olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why the controller cannot go from the recorded version to the new one in one update: objects are converted on the
    way, or cannot be converted back."""
    before, after = _version(olds), _version(news)
    if before is None or after is None:
        return
    place = at.member("karpenterVersion")
    if before < after and (stops := changes_between(before, after).stops):
        way = ", then ".join(map(str, stops))
        message = f"Karpenter {before} runs, and objects are converted on the way to {after}"
        yield Problem(place, message, f"first {way} in an update of its own", str(stops[0]))
    elif after < before and changes_between(after, before).stops:
        message = f"Karpenter {before} runs, and its objects cannot be converted back for {after}"
        yield Problem(place, message, f"{before} or later")


def step_notes(olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a controller loses that goes back."""
    before, after = _version(olds), _version(news)
    if before is None or after is None or after >= before:
        return
    removed = sorted(crds_of(before) - crds_of(after))
    gone = f"; {', '.join(removed)} and all their objects are removed" if removed else ""
    yield (
        f"Karpenter goes back from {before} to {after}: what {after} does not know stops working{gone}. "
        f"`cutlist upgrade {FROM.flag} {after} {TARGET.flag} {before}` lists what is different"
    )


def _version(inputs: Mapping[str, Any]) -> KarpenterVersion | None:
    return noted_version(inputs.get(_VERSION), Place(), Problems())
