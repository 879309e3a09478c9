"""The pages of components: inputs and outputs of each, from components/schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.website.names import exported

FOLDER: Final = "components"
_TOKEN: Final = "cutlist:index:"  # noqa: S105 - the prefix of Pulumi's type names
_HEAD: Final = """# {title}

Names are those of TypeScript and YAML. In Python, import the components from `{module}` and write the names in snake case:
`clusterName` is `cluster_name`. A **plain** input has to be known when the program runs; others also take an Output of another
resource.

"""


@dataclass(frozen=True, slots=True)
class Theme:
    """Components that programs in Python import from one module, on one page."""

    page: str
    title: str
    module: str


THEMES: Final = (
    Theme("aws", "Components on AWS", "pulumi_cutlist.aws"),
    Theme("azure", "Components on Azure", "pulumi_cutlist.azure"),
    Theme("kubernetes", "Components in a cluster", "pulumi_cutlist.kubernetes"),
    Theme("plan", "The plan as a component", "pulumi_cutlist.plan"),
)


def component_pages(root: Path) -> Mapping[str, str]:
    """Return a page of each theme, by its place on the site. Raises LookupError for a component without a theme."""
    package = json.loads((root / "components" / "schema.json").read_text("utf-8"))
    resources: dict[str, Any] = {token.removeprefix(_TOKEN): resource for token, resource in package["resources"].items()}
    names = {theme: [name for name in exported(root, theme.module) if name in resources] for theme in THEMES}
    absent = sorted(set(resources) - {name for listed in names.values() for name in listed})
    if absent:
        raise LookupError(f"components that no page has: {', '.join(absent)}")
    return {f"{FOLDER}/{theme.page}.md": "".join(_page(theme, names[theme], resources, package["types"])) for theme in THEMES}


def _page(theme: Theme, names: Sequence[str], resources: Mapping[str, Any], types: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of a page: its components, then the types of their inputs."""
    yield _HEAD.format(title=theme.title, module=theme.module)
    for name in names:
        resource = resources[name]
        yield f"## {name}\n\n{resource['description']}\n\n**Inputs**\n\n"
        yield _table(resource["inputProperties"], resource.get("requiredInputs", ()))
        if resource.get("properties"):
            yield "**Outputs**\n\n"
            yield _table(resource["properties"], (), of_outputs=True)
    used = sorted(_types_of([resources[name] for name in names], types))
    if used:
        yield "## Types of inputs\n\n"
    for name in used:
        described = types[_TOKEN + name]
        yield f"### {name} {{ #{name.lower()} }}\n\n{described.get('description', '')}\n\n"
        yield _table(described["properties"], described.get("required", ()))


def _table(properties: Mapping[str, Any], required: Sequence[str], *, of_outputs: bool = False) -> str:
    """Return a table of inputs or outputs, those that are needed first."""
    rows = []
    for name in sorted(properties, key=lambda name: name not in required):
        marks = [mark for mark, holds in (("required", name in required), ("plain", properties[name].get("plain"))) if holds]
        marked = f" **{', '.join(marks)}**" if marks and not of_outputs else ""
        text = str(properties[name].get("description", "")).replace("\n", " ").replace("|", "\\|")
        rows.append(f"| `{name}` | {_type_of(properties[name])} | {text}{marked} |\n")
    return f"| {'output' if of_outputs else 'input'} | type | |\n|---|---|---|\n" + "".join(rows) + "\n"


def _type_of(schema: Mapping[str, Any]) -> str:
    """Return a type as readers know it: a list of strings, a map of numbers."""
    reference = str(schema.get("$ref", ""))
    if reference.startswith("#/types/"):
        name = reference.rpartition(":")[2]
        return f"[{name}](#{name.lower()})"
    if reference:
        return "any"
    if "oneOf" in schema:
        return " or ".join(map(_type_of, schema["oneOf"]))
    match schema.get("type"):
        case "array":
            return f"list of {_type_of(schema['items'])}"
        case "object":
            return f"map of {_type_of(schema['additionalProperties'])}"
    return str(schema["type"])


def _types_of(schemas: object, types: Mapping[str, Any]) -> set[str]:
    """Return the names of the types that schemas refer to, and of those that these refer to."""
    waiting, used = [schemas], set[str]()
    while waiting:
        match waiting.pop():
            case list() as items:
                waiting += items
            case dict() as members:
                name = str(members.get("$ref", "")).rpartition(":")[2]
                if _TOKEN + name in types and name not in used:
                    used.add(name)
                    waiting.append(types[_TOKEN + name])
                waiting += members.values()
    return used
