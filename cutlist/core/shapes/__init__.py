"""Shapes: the form of data, declared once. Reading with every mistake, its path and the nearest word, the JSON Schema, and
words for what is allowed all follow.

    shape = closed({"name": filled("a name")}, {"replicas": integer(0), "zones": list_of(text)})
    shape(data, "", Report(document, problems))   # adds every mistake to the problems
    shape.schema                                  # JSON Schema

A shape is a rule: a function of a value, its path and a `Report`, which returns the value as it is read. Any such function may
stand where a shape does; it only has no schema.
"""

from cutlist.core.shapes.parts import (
    Fields,
    closed,
    either,
    fields,
    list_of,
    map_of,
    nullable,
    object_schema,
)
from cutlist.core.shapes.report import Below, Located, Paths, Report, join, kind_of, quoted, shown
from cutlist.core.shapes.scalars import (
    LAST_YEAR,
    amount,
    anything,
    boolean,
    day,
    filled,
    integer,
    matching,
    number,
    one_of,
    quantity,
    text,
    timestamp,
    values,
    whole,
)
from cutlist.core.shapes.shape import Rule, Ruled, Schema, Shape, Test, quick_test_of
from cutlist.core.shapes.sound import SoundFields, SoundList, SoundMap

__all__ = [
    "LAST_YEAR",
    "Below",
    "Fields",
    "Located",
    "Paths",
    "Report",
    "Rule",
    "Ruled",
    "Schema",
    "Shape",
    "SoundFields",
    "SoundList",
    "SoundMap",
    "Test",
    "amount",
    "anything",
    "boolean",
    "closed",
    "day",
    "either",
    "fields",
    "filled",
    "integer",
    "join",
    "kind_of",
    "list_of",
    "map_of",
    "matching",
    "nullable",
    "number",
    "object_schema",
    "one_of",
    "quantity",
    "quick_test_of",
    "quoted",
    "shown",
    "text",
    "timestamp",
    "values",
    "whole",
]
