"""The JSON Schemas of Karpenter's objects and of answers: a file each, and the page that lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.editor_schema import DIALECT, kind_names, schema_for, schema_for_all
from cutlist.core.records import Schema
from cutlist.verbs.schemas import ANSWERS, FILES

FOLDER: Final = "schemas"
_HEAD: Final = """# JSON Schemas

`cutlist schema` prints these files. [Editors](../validate.md#your-editor) use those of Karpenter's objects; programs use those
of answers, which commands write with `-o json`.

"""
_OBJECTS: Final = """## Karpenter's objects

| schema | for |
|---|---|
"""
_ANSWERS: Final = """
## Answers

Every key of an answer is always there unless its schema makes it optional, and there are no others. A new key leaves `version`
as it is. Removing a key, or changing what it means, raises `version`.

| schema | the answer |
|---|---|
"""
_FILES: Final = """
## Files that commands read

| schema | the file |
|---|---|
"""


def schema_files() -> Mapping[str, str]:
    """Return each schema as the text of its file, by its place on the site."""
    objects = {"karpenter": schema_for_all(), **{kind.lower(): schema_for(kind) for kind in kind_names()}}
    others: dict[str, dict[str, Any]] = {name: {"title": name, **schema} for name, schema in {**ANSWERS, **FILES}.items()}
    schemas = {**objects, **others}
    return {
        f"{FOLDER}/{name}.schema.json": json.dumps({"$schema": DIALECT, **schema}, indent=2) + "\n"
        for name, schema in schemas.items()
    }


def schema_page() -> str:
    """Return the page that lists the schemas."""
    rows = {"karpenter": "files with objects of any of these kinds", **{kind.lower(): kind for kind in kind_names()}}
    objects = "".join(f"| [`{name}`]({name}.schema.json) | {text} |\n" for name, text in rows.items())
    return f"{_HEAD}{_OBJECTS}{objects}{_ANSWERS}{_rows(ANSWERS)}{_FILES}{_rows(FILES)}"


def _rows(schemas: Mapping[str, Schema]) -> str:
    """Return the rows of a table, each with what a schema says of itself."""
    described = ((name, str(schema.get("description", "")).replace("|", "\\|")) for name, schema in sorted(schemas.items()))
    return "".join(f"| [`{name}`]({name}.schema.json) | {text} |\n" for name, text in described)
