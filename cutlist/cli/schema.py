"""`cutlist schema`: the JSON Schema of Karpenter's objects."""

from __future__ import annotations

import json

import click

from cutlist.cli import terminal
from cutlist.cli.options import debug_option
from cutlist.errors import InputError, Place, nearest


@click.command("schema")
@click.argument("kind", required=False)
@debug_option
def command(kind: str | None) -> None:
    """Print the JSON Schema of Karpenter's objects, for editors.

    KIND is nodepool, nodeclaim, nodeoverlay, capacitybuffer, ec2nodeclass, aksnodeclass or nodeclass (EKS Auto Mode). Without
    it the schema is for files that hold any of them, and lets objects of other kinds pass.

    \b
    Examples:
      cutlist schema > karpenter.schema.json
      cutlist schema nodepool
    """
    from cutlist.api.editor_schema import DIALECT, kind_names, schema_for, schema_for_all

    if kind is None:
        schema = schema_for_all()
    else:
        names = {name.lower(): name for name in kind_names()}
        if kind.lower() not in names:
            text = f"there is no schema for {kind!r}"
            raise InputError.one(Place(path="KIND"), text, ", ".join(names), nearest(kind.lower(), names))
        schema = schema_for(names[kind.lower()])
    terminal.write(json.dumps({"$schema": DIALECT, **schema}, indent=2) + "\n")
