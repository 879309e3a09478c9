"""The options by which measured use replaces written requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cutlist_cli.options import with_options
from cutlist_cli.places import named_as_options

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.verbs.rightsizing import Rightsized


@dataclass(frozen=True, slots=True)
class UsageOptions:
    """Files of measured use, and how it becomes requests; `margin` is in percent."""

    files: tuple[str, ...]
    percentile: float
    margin: float

    def applied_to(self, inputs: PlanInputs) -> Rightsized | None:
        """Return the inputs with requests by use, or None without files. Raises InputError with every mistake in them."""
        if not self.files:
            return None
        from cutlist.core.errors import Problems
        from cutlist.verbs.rightsizing import rightsized
        from cutlist.workloads.usage import UsagePolicy, read_usage

        problems = Problems()
        usage = read_usage(self.files, problems)
        problems.raise_if_any()
        with named_as_options(usage="--usage"):
            return rightsized(inputs, usage, UsagePolicy(self.percentile, self.margin / 100))


def usage_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--usage`, `--percentile` and `--margin`, passed as `usage`: a `UsageOptions`."""

    @wraps(command)
    def with_usage(usage_files: tuple[str, ...], percentile: float, margin: float, **options: Any) -> None:
        command(usage=UsageOptions(usage_files, percentile, margin), **options)

    return with_options(_OPTIONS, with_usage)


_OPTIONS = (
    click.option(
        "--usage",
        "usage_files",
        multiple=True,
        metavar="FILE",
        help="Take requests from measured use: a CSV table, VerticalPodAutoscalers, or cpu=FILE and memory=FILE with the JSON "
        "of Prometheus queries. Repeatable.",
    ),
    click.option(
        "--percentile",
        type=click.FloatRange(1, 100),
        default=95,
        show_default=True,
        metavar="P",
        help="The percentile of the samples that a request has to cover.",
    ),
    click.option(
        "--margin",
        type=click.FloatRange(0, 1000),
        default=15,
        show_default=True,
        metavar="PERCENT",
        help="The margin of a request above that percentile.",
    ),
)
