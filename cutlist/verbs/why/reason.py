"""The answer to a question of why, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.records import SPARSE, After, about
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.verbs.subjects import SubjectKind


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that decides: what it is about, and what it says."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why a pod, a workload, a gang, a node or a NodePool is as it is.

    `waits` says that a pod has no node and gets none. `remedy` is the smallest change after which it would get one. `workload`
    is that of the pods as plans name it, empty for nodes and NodePools.
    """

    region: str
    kind: SubjectKind
    name: str
    sentence: Annotated[str, about("The answer in one sentence.")]
    waits: Annotated[bool, about("Whether a pod that is asked about gets no node.")] = False
    remedy: Annotated[str, about("The smallest change that would help; empty when none is needed or was found.")] = ""
    workload: Annotated[str, about("The workload of the pods, as plans name it; empty for others.")] = ""
    facts: Annotated[tuple[Fact, ...], about("What decides, the most important first.")] = ()
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1
