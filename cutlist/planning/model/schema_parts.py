"""What the schemas of our answers are made of: texts, counts, prices, amounts, lists and objects."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
YES_OR_NO: Final[Schema] = {"type": "boolean"}
INSTANT: Final[Schema] = {"type": "string", "format": "date-time", "description": "In UTC."}
INSTANT_OR_NULL: Final[Schema] = {"type": ["string", "null"], "format": "date-time", "description": "In UTC."}
COUNT_OR_NULL: Final[Schema] = {"type": ["integer", "null"], "minimum": 0}
PRICE: Final[Schema] = {"type": ["number", "null"], "description": "USD; null when it is not known."}
PART: Final[Schema] = {"type": ["number", "null"], "description": "1 is all; null where there is none of it."}
AMOUNT: Final[Schema] = {
    "type": "string",
    "pattern": "^-?[0-9]+(\\.[0-9]+)?(n|u|m|k|[KMGTPE]i?|e[0-9]+)?$",
    "description": "An amount as Kubernetes writes it, such as 1500m or 2Gi.",
}
AMOUNTS: Final[Schema] = {"type": "object", "additionalProperties": AMOUNT, "description": "Amounts by resource."}
TEXTS: Final[Schema] = {"type": "array", "items": TEXT}
USD: Final[Schema] = {"type": "number", "description": "USD."}
COUNTS: Final[Schema] = {"type": "object", "additionalProperties": COUNT, "description": "Counts by name."}
ANYTHING: Final[Schema] = {"type": "object"}


def array(of: Schema, told: str = "") -> Schema:
    """The schema of a list."""
    return {"type": "array", "items": of, **({"description": told} if told else {})}


def or_null(of: Schema, told: str) -> Schema:
    """The schema of what may be null."""
    return {"anyOf": [of, {"type": "null"}], "description": told}


def record(members: dict[str, Schema], told: str = "", optional: tuple[str, ...] = ()) -> Schema:
    """The schema of an object with these members and no others; all but the optional ones are always there."""
    required = [name for name in members if name not in optional]
    found: Schema = {"type": "object", "properties": members, "required": required, "additionalProperties": False}
    return {**found, "description": told} if told else found


NOTE: Final = record({"code": {**TEXT, "description": "Stable, for programs."}, "text": TEXT})
REQUIREMENT: Final = record(
    {"key": TEXT, "operator": TEXT, "values": TEXTS, "minValues": COUNT}, optional=("values", "minValues")
)
