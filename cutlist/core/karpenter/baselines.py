"""What each supported Karpenter does: one table, the only place where behaviour depends on a version.

A new release needs a row here, its behaviours in `behaviours`, and its recorded answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.feature_gates import FEATURE_GATES, FLAGS
from cutlist.core.karpenter.hashes import hash_version
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion, Minor, read_chosen
from cutlist.core.notes import Note

PATCH_RELEASE: Final = "karpenter-patch"
"""The code of the note that a patch release is treated as an earlier one of its minor."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a release of Karpenter does, as far as is known. `release` is the version of core whose answers are recorded, or
    that the statements describe; `aws_release` the AWS provider's. `behaviours` are what it does beyond 1.14.1. `azure_release`
    is the newest release of the Azure provider that is built on this minor of core; None if none is public.
    """

    release: KarpenterVersion
    aws_release: KarpenterVersion
    behaviours: frozenset[Behaviour] = frozenset()
    azure_release: KarpenterVersion | None = None

    @property
    def minor(self) -> Minor:
        """Return the minor version, by which users choose it."""
        return self.release.line

    @property
    def choice(self) -> str:
        """Return the version that names it and no other baseline: several share a release of core."""
        return str(self.aws_release)

    @property
    def feature_gates(self) -> frozenset[str]:
        """Return the feature gates of core in this release."""
        return frozenset(gate.name for gate in FEATURE_GATES if gate.is_in(self.release) and not gate.is_of_aws)

    @property
    def aws_feature_gates(self) -> frozenset[str]:
        """Return the feature gates of the AWS provider in this release (VA15-110)."""
        return frozenset(gate.name for gate in FEATURE_GATES if gate.is_in(self.aws_release) and gate.is_of_aws)

    @property
    def flags(self) -> frozenset[str]:
        """Return its flags that were added after 1.14."""
        return frozenset(flag.name for flag in FLAGS if flag.since <= self.release)

    @property
    def node_pool_hash(self) -> str:
        """Return the version of the hashes that it writes for NodePools."""
        return hash_version("NodePool", self.release).version

    @property
    def ec2_node_class_hash(self) -> str:
        """Return the version of the hashes that it writes for EC2NodeClasses."""
        return hash_version("EC2NodeClass", self.aws_release).version

    def does(self, behaviour: Behaviour) -> bool:
        """Tell whether this release has a behaviour."""
        return behaviour in self.behaviours

    def __str__(self) -> str:
        return str(self.release)


# On core v1.14.0, 2026-08-09; AKS has v1.14.0 since its release notes of 2026-08-07 (Azure/AKS 5913). Read on 2026-11-23.
_AZURE: Final = KarpenterVersion(1, 14, 2)
_1_14: Final = Baseline(KarpenterVersion(1, 14, 1), KarpenterVersion(1, 14, 1), azure_release=_AZURE)
_1_14_3: Final = Baseline(
    KarpenterVersion(1, 14, 3),
    KarpenterVersion(1, 14, 3),
    frozenset({Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES, Behaviour.MORE_ERRORS_ARE_MISSING_CAPACITY}),
    _AZURE,
)
_1_15: Final = Baseline(
    KarpenterVersion(1, 15, 0), KarpenterVersion(1, 15, 1), frozenset(Behaviour) - {Behaviour.DEVICES_OF_NOVEMBER_2026}
)
_1_15_2: Final = Baseline(KarpenterVersion(1, 15, 0), NEWEST, frozenset(Behaviour))

BASELINES: Final = (_1_14, _1_14_3, _1_15, _1_15_2)
"""All releases whose behaviour Cutlist distinguishes, the oldest first."""
SUPPORTED: Final = tuple(dict.fromkeys(baseline.minor for baseline in BASELINES))
"""The minor versions that users may choose."""
DEFAULT: Final = _1_15_2
"""The release for users who name none: the newest one that is known completely."""


NO_AZURE_RELEASE: Final = (
    f"no public release of the Azure provider is built on it; the newest, v{_AZURE} of 2026-08-09, is on core 1.14"
)


def baseline_of(text: str) -> Baseline | None:
    """Return the baseline that a text such as `1.15` or `1.15.1` names; None for a text or a minor that names none.

    A minor means its first recorded release of core, with the newest AWS provider on it. A patch release means the latest
    recorded one that is not newer.
    """
    chosen = read_chosen(text)
    if chosen is None:
        return None
    minor, patch = chosen
    rows = [baseline for baseline in BASELINES if baseline.minor == minor]
    if patch is None:
        return max((row for row in rows if row.release == rows[0].release), key=lambda row: row.aws_release, default=None)
    earlier = [baseline for baseline in rows if baseline.aws_release.patch <= patch]
    return next(iter((*reversed(earlier), *rows)), None)


def chosen_baseline(text: str, place: Place, problems: Problems) -> tuple[Baseline, tuple[Note, ...]]:
    """Return the baseline that a user's text names, with a note if it represents another release. A text that names none, or an
    unsupported version, is a problem; the default takes its place.
    """
    supported = [str(minor) for minor in SUPPORTED]
    chosen, baseline = read_chosen(text), baseline_of(text)
    if chosen is None or baseline is None:
        named = f"{text!r} names no version of Karpenter" if chosen is None else f"Karpenter {text} is not supported"
        problems.add(place, named, ", ".join(supported), nearest(text, supported))
        return DEFAULT, ()
    minor, patch = chosen
    if patch is None or patch in (baseline.release.patch, baseline.aws_release.patch):
        return baseline, ()
    is_older = patch < baseline.release.patch
    which = "first" if is_older else "latest"
    named = f"{baseline.aws_release}" + ("" if baseline.aws_release == baseline.release else f" with core {baseline}")
    note = f"Karpenter {minor}.{patch} counts as {named}, the {which} release of {minor} known here"
    note += "" if is_older else " that is not after it"
    return baseline, (Note(PATCH_RELEASE, note),)


def chosen_gates(names: Iterable[str], karpenter: Baseline, place: Place, problems: Problems) -> frozenset[str]:
    """Return the feature gates of the AWS provider that a user turns on; one that this Karpenter lacks is a problem."""
    gates, known = frozenset(names), karpenter.aws_feature_gates
    for name in sorted(gates - known):
        later = next((f"a later version, since {b.minor} has it" for b in BASELINES if name in b.aws_feature_gates), "")
        allowed = ", ".join(sorted(known)) or later
        problems.add(place, f"Karpenter {karpenter.minor} has no feature gate {name} of AWS", allowed)
    return gates & known
