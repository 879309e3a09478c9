"""A workload in all environments of a repository: one row each. An environment without it is a row too."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from cutlist.catalog.prices import a_month
from cutlist.core.records import HIDDEN, After, Count, Key, TextOrNull, about, computed
from cutlist.core.wording import counted
from cutlist.core.written_problems import WrittenProblem
from cutlist.planning.model.explanation import Explanation, Explanations
from cutlist.planning.model.spelling import ExactPrice
from cutlist.report.columns import Figure, Figures, count, csv_table
from cutlist.report.environment_tables import NAME, REGION, environments_markdown, environments_text, remark_of
from cutlist.report.page import BAD, GOOD
from cutlist.report.plain import per_month


class ExplanationState(StrEnum):
    """Whether there is an explanation for an environment."""

    EXPLAINED = "explained"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EnvironmentExplanation:
    """Why the pods of a workload get the nodes that they get in one environment, or why that is not known."""

    name: str
    command: Annotated[str, about("What explains it alone.")]
    answer: Annotated[Explanations | None, HIDDEN] = None
    problems: Annotated[tuple[WrittenProblem, ...], about("Why there is no explanation."), After("explanations")] = ()

    @property
    @computed(after="command")
    def state(self) -> ExplanationState:
        """Return whether there is an explanation."""
        return ExplanationState.FAILED if self.answer is None else ExplanationState.EXPLAINED

    @property
    @computed(after="state")
    def region(self) -> TextOrNull:
        """Return the region of its nodes; empty without an explanation."""
        return "" if self.answer is None else self.answer.region

    @property
    @computed(after="region")
    def pods(self) -> Count:
        """Return how many pods the workload has."""
        return max((of.pods for of in self.explanations), default=0)

    @property
    @computed(after="pods")
    def pending(self) -> Count:
        """Return how many of them get no node. Each controller is explained as if there were no other, so the least counts."""
        return min((of.waiting for of in self.explanations), default=0)

    @property
    @computed(after="pending")
    def price(self) -> Annotated[ExactPrice, Key("pricePerHour"), about("Its share of its nodes; null if unknown.")]:
        """Return its share of the price of its nodes, or None if unknown; the least, as for pending pods."""
        return min((of.price for of in self.explanations if of.price is not None), default=None)

    @property
    @computed(after="price")
    def explanations(self) -> Annotated[tuple[Explanation, ...], about("What `explain -o json` writes for it.")]:
        """Return the explanations, one for each controller; nothing without an answer."""
        return () if self.answer is None else self.answer.explanations

    @property
    def types(self) -> str:
        """Return its instance types in words, with the number of nodes of each."""
        counts: Counter[str] = Counter()
        for node in (node for of in self.explanations for node in of.nodes):
            counts[node.instance_type] += node.count
        return ", ".join(f"{count:,} {instance_type}" for instance_type, count in counts.items())

    @property
    def remark(self) -> str:
        """Return why pods get no node, or why there is no explanation; otherwise its nodes."""
        if self.problems:
            return "; ".join(map(str, self.problems))
        reasons = dict.fromkeys(pods.reason for of in self.explanations for pods in of.pending)
        return "; ".join(reasons) or self.types


@dataclass(frozen=True, slots=True)
class EnvironmentExplanations:
    """A workload in all environments."""

    workload: str
    environments: tuple[EnvironmentExplanation, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="workload")
    def failed(self) -> Annotated[Count, about("How many environments have no explanation.")]:
        """Return how many environments have no explanation."""
        return sum(of.state is ExplanationState.FAILED for of in self.environments)

    @property
    def pending(self) -> int:
        """Return how many pods get no node in all environments together."""
        return sum(of.pending for of in self.environments)

    @property
    def verdict(self) -> str:
        """Return in one line what happens to the workload."""
        explained = len(self.environments) - self.failed
        pods = counted(sum(of.pods for of in self.environments), "pod")
        parts = [f"{pods} in {counted(explained, 'environment')}", f"{self.pending:,} without a node"]
        return f"{self.workload}: {', '.join(parts)}" + (f"; {self.failed:,} failed" if self.failed else "")


def _month(row: EnvironmentExplanation) -> str:
    return "-" if row.price is None else per_month(a_month(row.price))


_TABLE: Final[Figures[EnvironmentExplanation]] = (
    NAME,
    REGION,
    count("pods", lambda row: None if row.answer is None else row.pods, "pods"),
    count("pending", lambda row: None if row.answer is None else row.pending, "pending_pods"),
    Figure("$/month", _month, "right", 0, "", "usd_per_hour", lambda row: row.price, estimated=lambda row: _has_estimates(row)),
)
_ESTIMATED: Final = "* partly estimated; the explanation of each environment says from what"
_REMARK: Final = remark_of("its nodes, or why pods get no node", "remark")


def _has_estimates(row: EnvironmentExplanation) -> bool:
    return row.price is not None and any(of.has_estimates for of in row.explanations)


def render_environments(answer: EnvironmentExplanations, width: int = 100, colour: bool = False) -> str:
    """Return a workload in all environments as text of at most `width` columns, with colour if asked. Ends in a newline."""
    return environments_text(
        (answer.verdict, BAD if answer.failed or answer.pending else GOOD),
        _TABLE,
        answer.environments,
        note=_ESTIMATED if any(map(_has_estimates, answer.environments)) else "",
        one=(f"explain {answer.workload}", "the reasons in one"),
        width=width,
        colour=colour,
    )


def markdown(answer: EnvironmentExplanations) -> str:
    """Return a workload in all environments as Markdown. Ends in a newline."""
    return environments_markdown(answer.verdict, (*_TABLE, _REMARK), answer.environments)


def csv(answer: EnvironmentExplanations) -> str:
    """Return a row for each environment."""
    return csv_table((*_TABLE, _REMARK), answer.environments)
