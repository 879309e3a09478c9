"""The options by which measured use replaces written requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

from cutlist.core.errors import Problems
from cutlist.settings.usage import SETTINGS
from cutlist_cli.setting_options import setting_options

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

        # Few plans have measured use. What reads it, and plans by it, takes 20 ms to import.
        from cutlist.verbs.rightsizing import rightsized
        from cutlist.workloads.usage import UsagePolicy, read_usage

        problems = Problems()
        usage = read_usage(self.files, problems)
        problems.raise_if_any()
        return rightsized(inputs, usage, UsagePolicy(self.percentile, self.margin / 100))


def usage_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--usage`, `--percentile` and `--margin`, passed as `usage`: a `UsageOptions`."""

    @wraps(command)
    def with_usage(usage: tuple[str, ...], percentile: float, margin: float, **options: Any) -> None:
        command(usage=UsageOptions(usage, percentile, margin), **options)

    return setting_options(SETTINGS)(with_usage)
