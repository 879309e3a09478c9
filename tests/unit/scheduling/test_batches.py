"""The queue: largest first, and over when a round brings nothing (spec 4.7, 4.8)."""

from __future__ import annotations

from cutlist.scheduling.queue import PodBatch, Queue
from cutlist.workloads.pods import Pod
from tests.unit.scheduling.builders import pod


def order(*batches: PodBatch) -> list[str]:
    """Names in the order in which the queue hands out pods that all find a place."""
    queue, popped = Queue(dict(enumerate(batches))), []
    while (run := queue.pop()) is not None:
        queue.placed(run.count)
        popped.append(batches[run.batch].name)
    return popped


def batch(name: str, pod: Pod, count: int = 1, created: float = 0, uid: str = "") -> PodBatch:
    return PodBatch(name, pod, count, created, uid)


def test_more_cpu_goes_first():
    """Whatever the memory."""
    # S-47
    assert order(batch("small", pod("1", "8Gi")), batch("large", pod("2", "1Gi"))) == ["large", "small"]


def test_of_equal_cpu_more_memory_goes_first():
    """Memory decides where cpu does not."""
    # S-47
    assert order(batch("small", pod("1", "1Gi")), batch("large", pod("1", "2Gi"))) == ["large", "small"]


def test_of_equal_size_the_older_goes_first():
    """Then the time of creation decides."""
    # S-47
    assert order(batch("young", pod(), created=2), batch("old", pod(), created=1)) == ["old", "young"]


def test_of_equal_age_the_lower_uid_goes_first():
    """Last the UID decides."""
    # S-47
    assert order(batch("b", pod(), uid="2"), batch("a", pod(), uid="1")) == ["a", "b"]


def test_other_resources_and_priority_do_not_matter():
    """A GPU and a high priority do not move a pod forward."""
    # S-47
    urgent = Pod(requests=pod(more={"example.com/gpu": "8"}).requests, priority=1000)
    assert order(batch("plain", pod(), uid="1"), batch("urgent", urgent, uid="2")) == ["plain", "urgent"]


def attempts(queue: Queue, succeeding: frozenset[tuple[int, int]] = frozenset()) -> list[int]:
    """Batches in the order of attempts; those in `succeeding` (attempt number, batch) find a place."""
    lengths: list[int] = []
    while (run := queue.pop()) is not None:
        lengths.append(run.batch)
        if (len(lengths), run.batch) in succeeding:
            queue.placed(run.count)
        else:
            queue.push_back(run, run.count)
    return lengths


def two() -> Queue:
    return Queue({0: batch("a", pod("2")), 1: batch("b", pod("1"))})


def test_two_failing_pods_are_tried_once_each():
    """A round without a success ends the pass."""
    # S-48
    assert attempts(two()) == [0, 1]


def test_a_success_grants_another_round():
    """After b has a place, a is tried again."""
    # S-48
    queue = two()
    assert attempts(queue, frozenset({(2, 1)})) == [0, 1, 0]
    assert queue.left() == {0: 1}


def test_a_batch_without_pods_is_never_tried():
    """Replicas 0 are nothing to place."""
    # S-48
    assert attempts(Queue({0: batch("none", pod(), count=0)})) == []


def test_alike_pods_that_fail_count_singly():
    """Three failing pods of one batch are a queue of three."""
    # S-48
    queue = Queue({0: batch("a", pod(), count=3)})
    assert attempts(queue) == [0]
    assert (queue.length, queue.left()) == (3, {0: 3})
