"""A gang: pods of which a scheduler binds a minimum at once or none, or which a queue admits as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from cutlist.core.errors import Place


@dataclass(frozen=True, slots=True)
class GangScheduler:
    """What decides about a gang. One that `binds_together` binds no pod below the minimum; another only admits the pods
    together, and each is bound by itself. One that `marks_short` marks the pods of a gang that has too few of them as
    unschedulable, which is what Karpenter waits for; with another, Karpenter ignores them.
    """

    name: str
    binds_together: bool = True
    marks_short: bool = True


KUBE_SCHEDULER: Final = GangScheduler("kube-scheduler", marks_short=False)
"""The workload API of Kubernetes (spec: gangs 1; GA-1 to GA-8)."""
VOLCANO: Final = GangScheduler("Volcano")
COSCHEDULING: Final = GangScheduler("the coscheduling plugin")
OF_OPERATOR: Final = GangScheduler("the gang scheduler of its operator")
"""What an operator was installed with, which its objects do not say: Volcano or the coscheduling plugin."""
KUEUE: Final = GangScheduler("Kueue", binds_together=False, marks_short=False)

POD_GROUP: Final = "PodGroup"
WORKLOAD: Final = "Workload"
_NOWHERE: Final = Place()


class GangId(NamedTuple):
    """What tells gangs apart: the scheduler that knows it, the object that declares it or that its pods belong to, as answers
    name it (`podgroup/train`, `ml/job/train`), and the part of that object: a group of a Workload, and a replica of that."""

    scheduler: GangScheduler
    of: str
    group: str = ""
    replica: str = ""

    @property
    def shown(self) -> str:
        """Return its name in answers."""
        return "/".join(filter(None, (self.of, self.group, self.replica)))


@dataclass(frozen=True, slots=True)
class Gang:
    """A gang with the number of pods that run at once or not at all."""

    id: GangId
    minimum: int
    place: Place = _NOWHERE


@dataclass(frozen=True, slots=True)
class GangNeed:
    """What says that pods form a gang. Its `minimum` is None where all pods are needed that there are."""

    id: GangId
    minimum: int | None
    place: Place = _NOWHERE
