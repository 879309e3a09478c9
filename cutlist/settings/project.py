"""The form of a project's settings: options that need not be repeated, and environments with options of their own.

    region: us-west-2
    gates: gates.yaml
    environments:
      dev: {file: overlays/dev}
      prod: {file: [pools.yaml, overlays/prod], kustomize: true, region: eu-west-1}
      shop: {stack: prod, project-dir: infrastructure}

An environment is read from files, is a stack of Pulumi, or has a command that another program starts with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.setting import Edge, Kind, Setting
from cutlist.core.shapes import Report, Rule, Ruled, Schema, Shape, boolean, closed, integer, list_of, map_of, text
from cutlist.settings.environments import COMMAND
from cutlist.settings.gate import GATES, PROFILE
from cutlist.settings.planning import FETCHING, FILES, PLAN
from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist.settings.suggest import SCENARIO
from cutlist.settings.validate import KUBERNETES

ENVIRONMENTS: Final = "environments"
SETTINGS: Final[Mapping[str, Setting]] = {
    setting.key: setting
    for setting in (FILES, *PLAN, *FETCHING, GATES, PROFILE, KUBERNETES, SCENARIO)
    if setting.counts(Edge.PROJECT_FILE)
}
"""The settings that the file may have, by their keys."""
OF_ENVIRONMENTS: Final[Mapping[str, Setting]] = {setting.key: setting for setting in (STACK, PROJECT_DIR, COMMAND)}
"""The settings that only an environment may have."""
_ABOUT: Final = "Options that commands need not repeat, and the environments of a project (`cutlist.yaml`)."


def _several(value: Any, path: str, report: Report) -> None:
    (list_of(text) if isinstance(value, list) else text)(value, path, report)


_TEXTS: Final = Ruled(_several, {"anyOf": [text.schema, list_of(text).schema]}, "a text or a list of texts")


def _shape(setting: Setting) -> Shape:
    """Return the shape of the values of a setting."""
    if setting.kind is Kind.WHOLE_NUMBER:
        shape: Shape = integer(int(setting.least or 0))
    elif setting.several:
        shape = _TEXTS
    else:
        shape = boolean if setting.kind is Kind.FLAG else text
    return shape.about(setting.described(Edge.PROJECT_FILE))


_MEMBERS: Final[Mapping[str, Rule]] = {key: _shape(setting) for key, setting in SETTINGS.items()}
_ENVIRONMENT: Final = closed(optional={**_MEMBERS, **{key: _shape(setting) for key, setting in OF_ENVIRONMENTS.items()}})


def _of_one_kind(value: Any, path: str, report: Report) -> Any:
    """Files, a stack and a command are three kinds of environments."""
    _ENVIRONMENT(value, path, report)
    if isinstance(value, Mapping):
        kinds = [setting.key for setting in (FILES, STACK, COMMAND) if value.get(setting.key) is not None]
        if len(kinds) > 1:
            report.add(f"{path}.{kinds[1]}", f"cannot be combined with {kinds[0]}", "one of them")
        if value.get(PROJECT_DIR.key) is not None and STACK.key not in kinds:
            report.add(f"{path}.{PROJECT_DIR.key}", f"is for an environment with {STACK.key}")
    return value


PROJECT: Final = closed(
    optional={
        **_MEMBERS,
        ENVIRONMENTS: map_of(Ruled(_of_one_kind, _ENVIRONMENT.schema, "a mapping")).about(
            "Clusters of the project by name, each with settings that replace those above."
        ),
    }
)
"""The form of the file."""


def project_schema() -> Schema:
    """Return the JSON Schema of the file."""
    return {"description": _ABOUT, **PROJECT.schema}
