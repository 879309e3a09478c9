"""The options of a search for NodePools: what may change, what has to be kept, and how candidates are judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, cast

import click

from cutlist.optimization.allowances import Allowances
from cutlist.settings.calendar import DAY
from cutlist.settings.suggest import KEPT, PULL_REQUEST, SECONDS, SETTINGS, SHOW_REFUSED, WIDENINGS, WRITE, BoundKind
from cutlist.verbs.suggest.answer import suggest
from cutlist.verbs.suggest.criteria import Criteria
from cutlist_cli.calendar import chosen_day
from cutlist_cli.rates import read_rate_files
from cutlist_cli.setting_options import setting_options

if TYPE_CHECKING:
    from cutlist.verbs.suggest.suggestions import Suggestions

_OF_ANSWERS: Final = (SECONDS, WRITE, PULL_REQUEST, SHOW_REFUSED)
"""The settings of `suggest` that say what is done with its answer, and when it has to be there."""
_SEARCHING: Final = tuple(setting for setting in SETTINGS if setting not in _OF_ANSWERS)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search, by the names of settings, as written."""

    values: dict[str, Any]

    def search(self) -> Callable[..., Suggestions]:
        """Return the search, which takes inputs and gates. Raises what is wrong with the options, and with the files of
        rates."""
        values = self.values
        criteria = (values[name] for name in ("scenario", "spot_types", "spot_zones", "settled", "week"))
        return partial(
            suggest,
            allowances=_allowances(**{name: values[name] for name in ("allow", "keep", "spare", "min_nodes", "max_nodes")}),
            plans=values["plans"],
            seed=values["seed"],
            bound=cast("BoundKind", values["bound"]),
            rates=read_rate_files(values["rates"]),
            criteria=Criteria(*criteria),
            day=chosen_day(DAY, None),
        )


def search_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a search, passed as `searching`: a `SearchOptions`."""
    names = {setting.name for setting in _SEARCHING}

    @wraps(command)
    def with_search(**options: Any) -> None:
        values = {name: value for name, value in options.items() if name in names}
        command(searching=SearchOptions(values), **{name: v for name, v in options.items() if name not in names})

    return setting_options(_SEARCHING)(with_search)


def _allowances(allow: tuple[str, ...], keep: tuple[str, ...], spare: int, min_nodes: int, max_nodes: int | None) -> Allowances:
    if max_nodes is not None and max_nodes < min_nodes:
        raise click.UsageError(f"--max-nodes {max_nodes} is less than --min-nodes {min_nodes}")
    return Allowances(
        **dict.fromkeys(_words("--allow", allow, "cannot be allowed", WIDENINGS), True),
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        keep=frozenset(_words("--keep", keep, "cannot be kept", KEPT)),
        spare=spare,
    )


def _words(option: str, texts: tuple[str, ...], problem: str, allowed: tuple[str, ...]) -> set[str]:
    """Return the words of a comma-separated option; fail for a word that is not allowed."""
    words = {word.strip() for text in texts for word in text.split(",")}
    unknown = sorted(words.difference(allowed))
    if unknown:
        text = f"{', '.join(map(repr, unknown))} {problem}; allowed: {', '.join(allowed)}"
        raise click.BadParameter(text, param_hint=option)
    return words
