"""The options by which a simulation ends early and continues later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from cutlist.settings.simulate import RESUME, SAVE, UNTIL
from cutlist_cli.files import OWNERS, refuse_inputs, write_file
from cutlist_cli.options import with_options
from cutlist_cli.setting_options import setting_option


@dataclass(frozen=True, slots=True)
class StateOptions:
    """When a run ends early, the file for its state then, and the file or folder from which it continues."""

    until: str
    save: str | None
    resume: str

    def check(self, inputs: Sequence[str]) -> None:
        """Refuse a state file that is one of the inputs, or for which there would be no state."""
        if self.save is None:
            return
        if not self.until:
            raise click.UsageError("--save needs --until: it saves the state at that instant")
        refuse_inputs(SAVE.flag, [self.save], inputs)

    def refuse_for_many(self) -> None:
        """Refuse options that are for a single run."""
        if self.until or self.save is not None:
            raise click.UsageError("--until and --save are for a single run, without --seeds and --against")

    def keep(self, state: str) -> None:
        """Write the state of a run that has ended, for its owner alone. Raises InputError."""
        if self.save is not None:
            write_file(self.save, state, OWNERS)


def state_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--until`, `--save` and `--resume`, passed as `stopping`: a `StateOptions`."""

    @wraps(command)
    def with_state(until: str, save: str | None, resume: str, **options: Any) -> None:
        command(stopping=StateOptions(until, save, resume), **options)

    return with_options((setting_option(UNTIL), setting_option(SAVE), setting_option(RESUME)), with_state)
