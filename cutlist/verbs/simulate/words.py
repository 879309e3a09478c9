"""What the views of a simulation share: its length, how long pods waited, and which moved most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.amounts import Amounts
from cutlist.report.estimates import Money
from cutlist.report.plain import span
from cutlist.simulation.events import DAY
from cutlist.simulation.result import Evictions, RunTotals, SimulationResult, UnplacedPods

OTHER_PODS: Final = "other pods"
"""The name of pods without a workload."""
ON_THEIR_WAY: Final = "no NodePool refused them: their nodes were on their way"
"""Why pods got no node that no pass refused."""


def length(result: SimulationResult) -> str:
    """Return how long a run is: `7 days`."""
    return days_text(result.until / DAY)


def days_text(days: float) -> str:
    """Return a number of days in three digits: `1 day`, `0.5 days`."""
    number = f"{days:,.3g}"
    return f"{number} {'day' if number == '1' else 'days'}"


def amounts_of(result: SimulationResult) -> Amounts:
    """Return what all nodes cost in the run, and how parts of that are written."""
    return Amounts(result.totals.usd, result.totals.usd_range, result.currency)


def cost_text(result: SimulationResult) -> str:
    """Return what all nodes cost in the run: to the cent, or rounded to what its range supports, with the range."""
    amounts = amounts_of(result)
    text = amounts.with_sign(amounts.whole)
    return f"{text[:1].upper()}{text[1:]} ({amounts.span()})" if amounts.of is not None else text


def hour_text(result: SimulationResult, hours: float) -> str:
    """Return what an hour of the run costs on average."""
    totals = result.totals
    return Money(totals.usd / hours, totals.usd_range and totals.usd_range.at(1 / hours), result.currency).hour()


def monthly_text(result: SimulationResult) -> str:
    """Return what a month costs at the price of the run after its start-up; empty for a run that has nothing else. The range of
    the whole run holds for it in proportion."""
    phases, totals = result.phases, result.totals
    if phases.usd_per_month is None or phases.usd_per_hour is None:
        return ""
    after = " after the start-up" if phases.commands else ""
    money = Money(totals.usd, totals.usd_range, result.currency).part(phases.usd_per_hour)
    ends = f" ({money.month_span()})" if money.of is not None else ""
    return f"{money.month()}{ends} at {money.hour()} per hour{after}"


def month_text(result: SimulationResult) -> str:
    """Return what a month costs at the price of the run after its start-up, in short; empty for a run that has nothing else."""
    phases, totals = result.phases, result.totals
    if phases.usd_per_hour is None:
        return ""
    return Money(totals.usd, totals.usd_range, result.currency).part(phases.usd_per_hour).month()


def month_range(result: SimulationResult) -> str:
    """Return the range of a month of the run after its start-up, and what an hour of it costs; empty for a run that has nothing
    else."""
    phases, totals = result.phases, result.totals
    if phases.usd_per_hour is None:
        return ""
    money = Money(totals.usd, totals.usd_range, result.currency).part(phases.usd_per_hour)
    after = "after the start-up" if phases.commands else ""
    return ", ".join(filter(None, (money.month_span(), after)))


def start_up_time(result: SimulationResult) -> str:
    """Return what the start-up takes, and how many commands."""
    phases = result.phases
    end = "" if phases.settles else "; the cluster never settles"
    return f"{span(phases.seconds)}, {counted(phases.commands, 'command')} that will not come again{end}"


def start_up_text(result: SimulationResult) -> str:
    """Return what the start-up takes and costs; empty where Karpenter leaves the first nodes alone."""
    phases = result.phases
    if not phases.commands:
        return ""
    text = f"{span(phases.seconds)} and {start_up_cost(result)}: {counted(phases.commands, 'command')}"
    return f"{text} until the cluster first settles" if phases.settles else f"{text}, and the cluster never settles"


def start_up_cost(result: SimulationResult) -> str:
    """Return what the start-up costs."""
    return Money(result.totals.usd, result.totals.usd_range, result.currency).part(result.phases.usd).hour()


def waits(totals: RunTotals) -> list[tuple[str, str]]:
    """Return how long fractions of the pods that got a node waited for it at most; empty without pods."""
    parts = ("half", "90%", "99%", "all")
    return [] if totals.pending_seconds is None else list(zip(parts, map(span, totals.pending_seconds.values()), strict=True))


def waits_in_words(parts: Sequence[tuple[str, str]]) -> str:
    """Return how long fractions of pods waited, of fractions with the same wait the largest: `99% at once, all within 4s`."""
    last = {wait: part for part, wait in parts}
    return ", ".join(f"{part} at once" if wait == span(0) else f"{part} within {wait}" for wait, part in last.items())


def without_node(totals: RunTotals) -> str:
    """Return what happened to pods that got no node, or an empty text if all did."""
    numbers = [f"{totals.pending:,} still waiting"] if totals.pending else []
    numbers += [f"{totals.never_ran:,} deleted before"] if totals.never_ran else []
    return f"{', '.join(numbers)}; the longest wait is {span(totals.unplaced_seconds)}" if numbers else ""


def unplaced_text(of: UnplacedPods) -> str:
    """Return how many pods of a workload got no node, how long one of them waited, and why."""
    numbers = [f"{of.pending:,} still waiting"] if of.pending else []
    numbers += [f"{of.never_ran:,} deleted before"] if of.never_ran else []
    return f"{', '.join(numbers)}, for up to {span(of.longest_seconds)}: {why_unplaced(of)}"


def why_unplaced(of: UnplacedPods) -> str:
    """Return why pods got no node."""
    return of.reason or ON_THEIR_WAY


def most_evictions(result: SimulationResult) -> list[Evictions]:
    """Return the evictions by workload and cause, the most frequent first."""
    return sorted(result.moves, key=lambda of: (-of.count, of.workload, of.cause))
