"""Keep of a history what is about some nodes or pods."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.core.setting import Setting
from cutlist.logs import EndedNode, FailedLaunch, LaunchedNode, Record, Story, nominations
from cutlist.settings.history import NODE, POD
from cutlist.verbs.history.record import History


@dataclass(frozen=True, slots=True)
class Asked:
    """The names of nodes or NodeClaims, and of pods, that are asked about; a pod's may have its namespace before it."""

    nodes: Sequence[str] = ()
    pods: Sequence[str] = ()

    @property
    def is_all(self) -> bool:
        """Tell whether nothing is asked for, so that everything is shown."""
        return not self.nodes and not self.pods


def about(answer: History, asked: Asked, records: Sequence[Record], launched: Sequence[LaunchedNode]) -> History:
    """Return what of a history is about the nodes and pods that are asked for; all of it if none is.

    A pod's launches are those that it waited for, and its nodes those on which events say that it should be scheduled. Raises
    InputError with each name that nothing in the log is about, and the nearest ones that something is.
    """
    if asked.is_all:
        return answer
    pods, homes = [_plain(pod) for pod in asked.pods], list(nominations(records))
    of_pods = {name for pod, claim, node in homes if pod in pods for name in (claim, node)}
    _require(
        (asked.nodes, NODE, {*_nodes_of(answer), *(of.claim for of in launched), *(n for _, *of in homes for n in of)}),
        (pods, POD, {pod for pod, *_ in homes} | {_plain(pod) for failed in answer.failed for pod in failed.pods}),
    )
    names = {*asked.nodes, *of_pods} - {""}
    return replace(
        answer,
        stories=tuple(story for of in answer.stories if (story := _of_nodes(of, names)).endings),
        failed=tuple(of for of in answer.failed if of.claim in names or _waited(of, pods)),
        doubles=tuple(name for name in answer.doubles if name in names),
        launched=tuple(of for of in launched if of.claim in {*names, *_claims_of(answer.stories, names)}),
    )


def _require(*asked: tuple[Sequence[str], Setting, Collection[str]]) -> None:
    problems = Problems()
    for names, setting, known in asked:
        ordered = sorted(name for name in known if name)
        for name in names:
            if name not in known:
                allowed = (
                    names_near(name, ordered) if ordered else f"the events of the cluster as well, which name {setting.key}s"
                )
                problems.add(Place.of(setting), f"nothing in the log is about {name!r}", allowed, nearest(name, ordered))
    problems.raise_if_any()


def _nodes_of(answer: History) -> Iterable[str]:
    nodes = [node for story in answer.stories for node in story.decision.nodes]
    return [name for node in nodes for name in (node.name, node.claim)] + [failed.claim for failed in answer.failed]


def _claims_of(stories: Iterable[Story], names: Collection[str]) -> set[str]:
    return {node.claim for story in stories for node in story.decision.nodes if _is_named(node, names)}


def _of_nodes(story: Story, names: Collection[str]) -> Story:
    """Return a command with what happened to the named nodes alone; the command itself stays whole."""
    return replace(story, endings=tuple(ending for ending in story.endings if _is_named(ending.node, names)))


def _is_named(node: EndedNode, names: Collection[str]) -> bool:
    return node.name in names or node.claim in names


def _waited(failed: FailedLaunch, pods: Collection[str]) -> bool:
    return any(_plain(pod) in pods for pod in failed.pods)


def _plain(pod: str) -> str:
    """Return the name of a pod without a namespace, which events do not always give."""
    return pod.rpartition("/")[2]
