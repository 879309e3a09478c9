"""The page about what an account would say, written from the table.

python -m tests.account.page > tests/account/README.md
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

Look here if you want to know which values a cloud would refuse before an update. The page lists what AWS, Azure and Kubernetes
accept in the resources that components create. Previews and tests run without an account, so tests check every resource of
every stack of this project against these tables, in previews and in updates. With an engine, stand-in providers refuse what the
tables refuse, and any type of resource that they do not list.

If one of your inputs can break a row, the component itself refuses the input before it registers anything: names, address
blocks, tags, versions, sizes, fixed quotas. The other rows are about values that components choose.

The tables cannot know whether you have the permission (policies, service control policies), whether there is room (quotas,
capacity), and whether a name is still free. Only an update finds that out.

`python -m tests.account.page` writes this page from the tables that the tests use. Quotas are those of a new account. Tests
compare lengths, ranges and enumerations with botocore's models of the services, replacements with CloudFormation's schemas,
and the names of inputs with the SDKs.

The stand-ins also return what the clouds would return, and see a change where the providers see one. So a refresh after an
update, and a second preview, show no change in any stack: [what comes back](#what-comes-back). A replaced resource gets a new
id, and a cluster cannot move to subnets of another VPC.
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
        yield "\nA change of these inputs replaces the resource:\n\n| resource | inputs |\n|---|---|"
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
