"""Answers as fragments of HTML, for a notebook: the sums in a sentence, then tables of what matters most, cut after some
rows."""

from __future__ import annotations

from functools import singledispatch

from cutlist.disruption.methods import METHODS
from cutlist.planning.model import Plan, PoolTypes
from cutlist.planning.model.comparison import Comparison
from cutlist.report.html.rendering import render
from cutlist.report.price_sources import age_notes, planned_price_sources, price_notes, type_price_sources
from cutlist.verbs.diff.columns import PAGE_WORDS as CHANGE_WORDS
from cutlist.verbs.diff.columns import PENDING
from cutlist.verbs.disrupt import words as disrupt_words
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.columns import fragment_columns
from cutlist.verbs.disrupt.words import ENDS
from cutlist.verbs.types.columns import FRAGMENT, pool_rows


@singledispatch
def fragment(answer: object) -> str:
    """Return a plan, a NodePool's types, a comparison of plans or a forecast as a fragment that loads nothing.

    It is ASCII, every name is escaped, and its style affects nothing outside it. Raises TypeError for any other value.
    """
    raise TypeError(f"there is no view of {type(answer).__name__}")


@fragment.register
def _(plan: Plan) -> str:
    return render(
        "notebook/plan.html.j2",
        plan=plan,
        totals=plan.totals,
        price_notes=(*price_notes(*planned_price_sources(plan.nodes)), *age_notes(plan.shown_age)),
    )


@fragment.register
def _(types: PoolTypes) -> str:
    notes = price_notes(*type_price_sources(types.types))
    return render("notebook/types.html.j2", types=types, columns=FRAGMENT, rows=pool_rows(types), price_notes=notes)


@fragment.register
def _(comparison: Comparison) -> str:
    return render("notebook/comparison.html.j2", words=CHANGE_WORDS, comparison=comparison, pending_columns=PENDING)


@fragment.register
def _(answer: DisruptionForecast) -> str:
    trajectory = answer.trajectory
    return render(
        "notebook/forecast.html.j2",
        words=disrupt_words.PAGE_WORDS,
        region=answer.region,
        forecast=answer.forecast,
        node_columns=fragment_columns(answer.forecast.nodes, answer.forecast.now),
        next=_next(answer),
        trajectory=trajectory,
        end=None if trajectory is None else ENDS[trajectory.end],
    )


def _next(answer: DisruptionForecast) -> str:
    """Return in a few words what Karpenter does next."""
    if answer.forecast.launching:
        return "paused while nodes are launched"
    method, due = answer.forecast.method, disrupt_words.due_text(answer.due)
    if method is None:
        return due or "nothing is done"
    return f"{METHODS[method]} is next{due and f'; {due}'}"
