"""The options of settings, as the command line has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import click
from click.core import ParameterSource

from cutlist.core.setting import Edge, Kind, Setting
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.planning import REGION
from cutlist.settings.stack import STACK
from cutlist_cli.completion import environments, regions, stacks
from cutlist_cli.options import F, Instant, Percentage, WholeNumber, with_options
from cutlist_cli.words import remember_origin

BEFORE_VARIABLES: Final = "cutlist.before-variables"
"""Where a call keeps the parameters that variables of the shell do not set."""


class _SettingOption(click.Option):
    """An option whose value may come from the project's file, which mistakes in it then name.

    `former` are earlier words for it, which a command takes with a note, and which are not listed.
    """

    def __init__(self, *words: Any, former: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*words, **attributes)
        self.former = tuple(f"--{word}" for word in former)

    def handle_parse_result(self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]) -> tuple[Any, list[str]]:
        """Read the value, and note where it is from."""
        result = super().handle_parse_result(ctx, opts, args)
        remember_origin(ctx, self.name or "")
        return result

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the value of a variable of the shell, unless an environment of the project sets the option."""
        return None if self.name in ctx.meta.get(BEFORE_VARIABLES, ()) else super().resolve_envvar_value(ctx)


Callback = Callable[[click.Context, click.Parameter, Any], Any]


def setting_option(setting: Setting, *, required: bool = False, callback: Callback | None = None) -> Callable[[F], F]:
    """Return a decorator that adds the option of a setting, passed under the setting's name. `callback` checks the value."""
    names = [*filter(None, [setting.short]), setting.flag, setting.name]
    own_default = None if setting.otherwise else setting.default
    attributes: dict[str, Any] = {"is_flag": True} if setting.kind is Kind.FLAG else {"type": _type_of(setting)}
    if setting.several:
        attributes["multiple"] = True
    elif own_default is not None:
        attributes |= {"default": own_default, "show_default": setting.shows_default and not setting.variables}
    if setting.bare:
        attributes |= {"is_flag": False, "flag_value": setting.bare}
    return click.option(
        *names,
        cls=_SettingOption,
        former=setting.former,
        required=required,
        callback=callback,
        metavar=setting.metavar or None,
        envvar=list(setting.variables) or None,
        shell_complete=_COMPLETIONS.get(setting.name),
        help=help_of(setting),
        **attributes,
    )


def setting_options(settings: Iterable[Setting]) -> Callable[[F], F]:
    """Return a decorator that adds the options of settings, in this order in its help."""

    def with_settings(command: F) -> F:
        return with_options([setting_option(setting) for setting in settings], command)

    return with_settings


def help_of(setting: Setting) -> str:
    """Return what `--help` says about the option of a setting."""
    repeated = f" {setting.repeated}" if setting.several and setting.repeated else ""
    variables = ", ".join(f"${name}" for name in setting.variables)
    fallback = setting.default if variables and setting.shows_default and not setting.several else None
    default = ", else ".join(filter(None, (variables, setting.otherwise or ("" if fallback is None else str(fallback)))))
    return f"{setting.described(Edge.COMMAND_LINE)}{repeated}" + (f"  [default: {default}]" if default else "")


def _type_of(setting: Setting) -> click.ParamType[Any] | type | None:
    """Return the type of one value of a setting."""
    match setting.kind:
        case Kind.PATH:
            return None if setting.prefixes else click.Path()
        case Kind.FILE:
            return click.Path(dir_okay=False)
        case Kind.FOLDER:
            return click.Path(file_okay=False)
        case Kind.STREAM:
            return click.Path(allow_dash=True)
        case Kind.INSTANT:
            return Instant()
        case Kind.PERCENTAGE:
            return Percentage(*_limits(setting))
        case Kind.WHOLE_NUMBER:
            return int if setting.least is None else WholeNumber(*_limits(setting))
        case Kind.NUMBER:
            low = setting.least if setting.above is None else setting.above
            return click.FloatRange(low, setting.most, min_open=setting.above is not None)
    return click.Choice(setting.choices) if setting.choices and not setting.has_commas else None


def _limits(setting: Setting) -> tuple[int | None, int | None]:
    least, most = setting.least, setting.most
    return None if least is None else int(least), None if most is None else int(most)


_COMPLETIONS: Final = {REGION.name: regions, STACK.name: stacks, ENVIRONMENT.name: environments}


def taken(settings: Iterable[Setting], values: dict[str, Any]) -> dict[str, Any]:
    """Take the values of settings out of a command's, and return those that are set."""
    chosen = {setting.name: values.pop(setting.name) for setting in settings}
    return {name: value for name, value in chosen.items() if value is not None and value is not False and value != ()}


def on_the_line(ctx: click.Context, settings: Iterable[Setting]) -> list[Setting]:
    """Return the settings that the command line itself names, and not a file or the environment."""
    return [setting for setting in settings if ctx.get_parameter_source(setting.name) is ParameterSource.COMMANDLINE]
