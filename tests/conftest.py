"""Settings of all tests."""

import atexit
import gc
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling

# How long an example takes depends on what else the machine does; that is no property of the code.
_STEADY = {"deadline": None, "suppress_health_check": (HealthCheck.too_slow,)}
# A change is judged by the same examples wherever it is tested: `make test` has few, `make check-all` ten times as many.
# New ones are looked for by `make fuzz`.
settings.register_profile("quick", max_examples=10, derandomize=True, **_STEADY)
settings.register_profile("more", max_examples=100, derandomize=True, **_STEADY)
settings.register_profile("thorough", max_examples=2000, **_STEADY)
_SLOW: Final = 20
"""How many other tests take as long as one that is marked as slow."""

QUICK_AND_THOROUGH: Final = pytest.StashKey[tuple[frozenset[str], frozenset[str]]]()
"""The files with tests that `make test` runs, and those with tests that it leaves to `make check-all`."""

# Calendars count from the day that a command runs; in tests it is always the same one.
os.environ["CUTLIST_TODAY"] = "2026-11-23"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
# Tests run servers of gRPC in the process that forks those of programs: its threads, started again there, crash now and then.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"


def pytest_xdist_auto_num_workers() -> int:
    """Use one worker more than there are cores: a fifth of the time they wait for servers, browsers and commands."""
    return (os.cpu_count() or 1) + 1


class FileScheduling(LoadGroupScheduling):
    """Hand out a file of tests at a time, or a group of them: what they share is made once.

    Handing out single tests costs a tenth of the time of all: the controller goes through what it has handed out for each.
    """

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FileScheduling:
    """Schedule tests by file, and by group where tests name one."""
    return FileScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without searching for garbage: nearly all of a million objects stay, and the searches are a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark property tests, so that `make fuzz` finds them, and what is beyond a sample; begin with what takes longest."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.property)
    for item in beyond_samples(items):
        item.add_marker(pytest.mark.thorough)
    config.stash[QUICK_AND_THOROUGH] = _files(items, thorough=False), _files(items, thorough=True)
    if hasattr(config, "workerinput"):
        # What is long and comes last leaves the other workers idle.
        weights = Counter[str]()
        for item in items:
            weights[_handed_out_with(item)] += _SLOW if item.get_closest_marker("slow") else 1
        items.sort(key=lambda item: -weights[_handed_out_with(item)])


def beyond_samples(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return what `sampled` leaves to `make check-all`: of each test's parameters all but the first and every nth after it.

    With `kinds=True` the first of each kind counts too. The letters that a parameter's name begins with are its kind.
    """
    place = Counter[str]()
    kinds = set[tuple[str, str]]()
    beyond = []
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is None:
            continue
        test, _, parameter = item.nodeid.partition("[")
        (letters,) = re.findall(r"^[^\W\d_]*", parameter)
        is_first = mark.kwargs.get("kinds", False) and (test, letters) not in kinds
        if place[test] % mark.kwargs["one_in"] and not is_first:
            beyond.append(item)
        place[test] += 1
        kinds.add((test, letters))
    return beyond


def _files(items: Iterable[pytest.Item], *, thorough: bool) -> frozenset[str]:
    """Return the files that have thorough tests, or those that have others."""
    return frozenset(
        item.nodeid.partition("::")[0] for item in items if (item.get_closest_marker("thorough") is not None) is thorough
    )


def _handed_out_with(item: pytest.Item) -> str:
    group = item.get_closest_marker("xdist_group")
    return group.args[0] if group is not None else item.nodeid.partition("::")[0]


@pytest.hookimpl(wrapper=True, tryfirst=True)  # after the list of each skipped test
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """End with how many tests of which kind were left out for want of a program, which is easy to miss among the others."""
    yield
    if missing := Counter(kind_of_skip(str(report.longrepr[2])) for report in terminalreporter.getreports("skipped")):
        kinds = ", ".join(f"{count} {kind}" for kind, count in missing.most_common())
        terminalreporter.write_line(f"Not run: {kinds}")


def kind_of_skip(reason: str) -> str:
    """Return what a skipped test wanted: the target that builds it, or else a word for all others."""
    built = re.search(r"`make ([a-z]+)`", reason)
    return f"for want of `make {built[1]}`" if built else "for other reasons"


def pytest_collection_finish() -> None:
    """Take what is there before the first test, modules and tests alike, out of every later search for garbage."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    atexit.register(gc.freeze)  # nor does the end of the process go through all that the tests made
