"""The page about what an account would say, written from the table.

python -m tests.account.page > docs/what-an-account-says.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from tests.account import add_ons, azure, cluster, identity, messages, network, nodes, objects, sources
from tests.account.kept import KEPT
from tests.account.rows import Limit, Row
from tests.account.sources import Source
from tests.account.stack import LAWS, QUOTAS
from tests.account.tags import tags

_BEGINNING = """\
# What an account would say

Previews and tests run without an account. In its place stands this table: what AWS, Azure and Kubernetes accept of
the resources that components make. Every resource of every stack of this project is held against it, in a preview and
in an update; on an engine the stand-in providers refuse by it too. A type of resource without a row is refused.

What inputs of yours can break is refused by the component itself, before anything is registered: names, address blocks, tags,
versions, sizes, quotas that are fixed. The rest of the table holds for what components choose by themselves.

An account says more than this: whether you may do it (permissions, service control policies), whether there is room
(quotas that are used up, capacity of a type of machine), and whether a name is still free. Only an update finds that out.

The page is written by `python -m tests.account.page`, from the table that the tests ask. Quotas are those of a new account.
Lengths, ranges and enumerations are held against the models of the services that botocore has, what is replaced against
CloudFormation's schemas, and the names of inputs against the SDKs.

The stand-ins also give back what the clouds would, and take for a change what the providers do. So a refresh after an
update and a second preview show no change of any stack: [what comes back](#what-comes-back). What is replaced has
another id than before, and a cluster is not moved to subnets of another VPC.
"""
_THEMES: tuple[tuple[str, tuple[Row, ...]], ...] = (
    ("Roles, policies and keys", identity.ROWS),
    ("Clusters", cluster.ROWS),
    ("Nodes and add-ons", (*nodes.ROWS, *add_ons.ROWS)),
    ("Networks and launch templates", network.ROWS),
    ("Queues, events, logs and alarms", messages.ROWS),
    ("Azure", azure.ROWS),
    ("Kubernetes", (objects.OBJECT, objects.RELEASE)),
)


def page() -> str:
    """Return the page."""
    return "\n".join([_BEGINNING, *_tags(), *_sections(), *_together(), *_kept(), *_sources()]) + "\n"


def _tags() -> Iterator[str]:
    yield "## Tags\n\n| resource | input | accepted | source |\n|---|---|---|---|"
    for of, limits in (("all of AWS", tags()), ("all of Azure", azure.tags())):
        yield from (f"| {of} | {_path(limit)} | {_cell(limit.check.says)} | {limit.source.name} |" for limit in limits)
    yield ""


def _sections() -> Iterator[str]:
    for theme, rows in _THEMES:
        yield f"## {theme}\n\n| resource | input | accepted | source |\n|---|---|---|---|"
        for row in rows:
            yield from _lines(row)
        yield "\nAnother one takes its place where these change:\n\n| resource | inputs |\n|---|---|"
        for row in rows:
            if row.replaces:
                once = (f"`{path}` that was there" for path in sorted(row.once))
                yield f"| `{_short(row.type)}` | {', '.join((*(f'`{path}`' for path in sorted(row.replaces)), *once))} |"
        yield ""


def _lines(row: Row) -> Iterator[str]:
    for limit in row.limits:
        if limit.path.partition("{")[0] == "tags":  # said once for all
            continue
        yield f"| `{_short(row.type)}` | {_path(limit)} | {_cell(limit.check.says)} | {limit.source.name} |"
    if row.autonamed:
        key, longest = row.autonamed
        says = f"left out, the name in the program and 8 characters, at most {longest}"
        yield f"| `{_short(row.type)}` | `{key}` | {says} | {sources.PULUMI_NAMES.name} |"


def _path(limit: Limit) -> str:
    return f"`{limit.path}`" if limit.path else "together"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _short(type_: str) -> str:
    package, _, rest = type_.partition(":")
    return f"{package}:{rest.rpartition(':')[2]}" if rest else type_


def _together() -> Iterator[str]:
    yield "## Several resources together\n\n| resource | accepted | source |\n|---|---|---|"
    for quota in QUOTAS:
        yield f"| `{_short(quota.type)}` | {_cell(quota.says)} | {quota.source.name} |"
    for law in LAWS:
        yield f"| all | {_cell(law.says)} | {law.source.name} |"
    yield "| all | no text with None in place of a missing value | Python |"
    yield ""


def _kept() -> Iterator[str]:
    yield "## What comes back\n"
    yield "Inputs that a program leaves out and the cloud or its provider fills in, and those that come back in another form:"
    yield "\n| resource | filled in | in another order | in another spelling |\n|---|---|---|---|"
    for type_, kept in KEPT.items():
        filled, spelled = (path for path, _ in kept.filled()), (*kept.documents, *kept.spelled)
        yield f"| `{_short(type_)}` | {_paths(filled)} | {_paths(kept.sets)} | {_paths(spelled)} |"
    yield ""


def _paths(paths: Iterable[str]) -> str:
    return ", ".join(f"`{path}`" for path in sorted(paths))


def _sources() -> Iterator[str]:
    yield "## Sources\n\n| source | where | read on |\n|---|---|---|"
    for source in sorted(_used(), key=lambda source: source.name):
        yield f"| {source.name} | <{source.url}> | {source.read} |"


def _used() -> Iterable[Source]:
    of_rows = {limit.source for _, rows in _THEMES for row in rows for limit in row.limits}
    return {*of_rows, *(quota.source for quota in QUOTAS), *(law.source for law in LAWS), sources.PULUMI_NAMES}


if __name__ == "__main__":
    sys.stdout.write(page())
