"""What each supported Karpenter does: one table, the only place where behaviour depends on a version.

Taking in a release is a row here, its behaviours in `behaviours`, and its recorded answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.versions import KarpenterVersion, Minor, read_chosen
from cutlist.core.notes import Note

PATCH_RELEASE: Final = "karpenter-patch"
"""The code of the note that a patch release is taken for an earlier one of its minor."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a release of Karpenter does, as far as it is known here.

    `release` is the version of core whose answers are recorded, or that the statements describe; `aws_release` the AWS
    provider's. `behaviours` are what it does beyond 1.14.1. `feature_gates` are all that it knows; those `on_by_default` need
    not be named. `flags` are those of core that later releases added.
    """

    release: KarpenterVersion
    aws_release: KarpenterVersion
    behaviours: frozenset[Behaviour]
    feature_gates: frozenset[str]
    on_by_default: frozenset[str] = frozenset({"ReservedCapacity"})
    flags: frozenset[str] = frozenset()
    node_pool_hash: str = "v3"
    ec2_node_class_hash: str = "v5"

    @property
    def minor(self) -> Minor:
        """Return the minor version, by which users choose it."""
        return self.release.line

    def does(self, behaviour: Behaviour) -> bool:
        """Tell whether this release behaves so."""
        return behaviour in self.behaviours

    def __str__(self) -> str:
        return str(self.release)


_GATES_OF_1_14: Final = frozenset(
    {"ReservedCapacity", "SpotToSpotConsolidation", "NodeRepair", "NodeOverlay", "StaticCapacity", "CapacityBuffer"}
)
_1_14: Final = Baseline(KarpenterVersion(1, 14, 1), KarpenterVersion(1, 14, 1), frozenset(), _GATES_OF_1_14)
_1_14_3: Final = Baseline(
    KarpenterVersion(1, 14, 3),
    KarpenterVersion(1, 14, 3),
    frozenset({Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES, Behaviour.MORE_ERRORS_ARE_MISSING_CAPACITY}),
    _GATES_OF_1_14,
)
_1_15: Final = Baseline(
    KarpenterVersion(1, 15, 0),
    KarpenterVersion(1, 15, 1),
    frozenset(Behaviour),
    _GATES_OF_1_14 | {"TerminateFirstDrift", "TerminateFirstRepair", "PodDeletionCostManagement"},
    flags=frozenset({"--scheduler-config", "--legacy-node-repair"}),
    ec2_node_class_hash="v6",
)

BASELINES: Final = (_1_14, _1_14_3, _1_15)
"""All releases whose behaviour is distinguished, the oldest first."""
AWS_FEATURE_GATES: Final = ("NodeClassCEL", "DRANVIDIAGPU", "DRAEFA", "RebootForRepair")
"""The feature gates of the AWS provider, known since 1.15 and off by default (VA15-110)."""
SUPPORTED: Final = tuple(dict.fromkeys(baseline.minor for baseline in BASELINES))
"""The minor versions that users may choose."""
DEFAULT: Final = _1_14
"""What counts where nobody says a version: the newest release of which everything is known here."""


def baseline_of(minor: Minor, patch: int | None = None) -> Baseline | None:
    """Return the baseline of a minor, or of a patch release: the latest of its minor that is not after it.

    A minor alone is its first recorded release. None for a minor that is not supported.
    """
    rows = [baseline for baseline in BASELINES if baseline.minor == minor]
    earlier = [baseline for baseline in rows if patch is not None and baseline.release.patch <= patch]
    return next(iter((*reversed(earlier), *rows)), None)


def chosen_release(text: str) -> Baseline | None:
    """Return the baseline that a text such as `1.15` or `1.15.1` names; None for one that names none."""
    chosen = read_chosen(text)
    return None if chosen is None else baseline_of(*chosen)


def chosen_baseline(text: str, place: Place, problems: Problems) -> tuple[Baseline, tuple[Note, ...]]:
    """Return the baseline that a text such as `1.15` or `1.15.1` names, with a note where it stands for another release.

    A text that names none, or a version that is not supported, is a problem; the default stands in for it.
    """
    supported = [str(minor) for minor in SUPPORTED]
    chosen = read_chosen(text)
    baseline = None if chosen is None else baseline_of(*chosen)
    if chosen is None or baseline is None:
        named = f"{text!r} names no version of Karpenter" if chosen is None else f"Karpenter {text} is not supported"
        problems.add(place, named, ", ".join(supported), nearest(text, supported))
        return DEFAULT, ()
    minor, patch = chosen
    if patch is None or patch in (baseline.release.patch, baseline.aws_release.patch):
        return baseline, ()
    is_older = patch < baseline.release.patch
    which = "first" if is_older else "latest"
    said = f"Karpenter {minor}.{patch} counts as {baseline}, the {which} release of {minor} known here"
    said += "" if is_older else " that is not after it"
    return baseline, (Note(PATCH_RELEASE, said),)
