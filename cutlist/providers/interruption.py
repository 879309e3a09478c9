"""What a cloud may tell of machines that it is about to take away (spec: disruption 10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Action(Enum):
    """What happens to a NodeClaim: nothing, a drain that takes its time, or an end at once."""

    NOTHING = auto()
    DRAIN = auto()
    END_NOW = auto()


class Loss(Enum):
    """What is taken to be sold out for a while: nothing, the machine's way of being bought, or its reservation."""

    NOTHING = auto()
    OFFERING = auto()
    RESERVATION = auto()


@dataclass(frozen=True, slots=True)
class Interruption:
    """Something that befell machines. `instances` are the cloud's ids, `event` is the reason of the event on their claims."""

    kind: str
    instances: tuple[str, ...] = ()
    action: Action = Action.NOTHING
    event: str = ""
    loss: Loss = Loss.NOTHING
