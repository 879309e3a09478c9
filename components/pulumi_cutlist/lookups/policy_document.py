"""The document of `aws:iam/getPolicyDocument`, computed as the provider for AWS computes it (spec: pulumi 4.5.1).

The provider asks no account for it: statements of the arguments are merged with documents, and written as Go writes JSON.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cutlist.core.go_json import go_json
from pulumi_cutlist.errors import LookupRefusedError

_VERSIONS: Final = ("2008-10-17", "2012-10-17")
_EFFECTS: Final = ("Allow", "Deny")
_SID: Final = re.compile(r"[a-zA-Z0-9]*", re.ASCII)
_LISTS: Final = {"actions": "Action", "notActions": "NotAction", "resources": "Resource", "notResources": "NotResource"}
_ORDER: Final = ("Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Principal", "NotPrincipal", "Condition")
_Document = dict[str, Any]


def policy_document(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the function's result. Raises LookupRefusedError for arguments that the provider refuses."""
    version = str(arguments.get("version") or _VERSIONS[1])
    if version not in _VERSIONS:
        raise LookupRefusedError(f"expected version to be one of {list(_VERSIONS)}, got {version}")
    merged: _Document = {"Version": "", "Id": "", "Statement": []}
    sids: set[str] = set()
    for number, source in enumerate(arguments.get("sourcePolicyDocuments") or ()):
        document = _read(source, f"source document {number}")
        for statement in document["Statement"]:
            _note_sid(statement.get("Sid"), sids, f"merging source document {number}: duplicate Sid")
        _merge(merged, document)
    own_sids: set[str] = set()
    statements = [_statement(raw, version, own_sids) for raw in arguments.get("statements") or ()]
    _merge(merged, {"Version": version, "Id": str(arguments.get("policyId") or ""), "Statement": statements})
    for number, source in enumerate(arguments.get("overridePolicyDocuments") or ()):
        _merge(merged, _read(source, f"override document {number}"))
    written = {key: value for key, value in merged.items() if value}
    text = go_json(written, indent=2, sort_keys=False)
    result = {key: value for key, value in arguments.items() if value is not None}
    if "statements" in result:
        result["statements"] = [{"effect": "Allow", **statement} for statement in result["statements"]]
    return {
        **result,
        "version": version,
        "json": text,
        "minifiedJson": go_json(written, sort_keys=False),
        "id": str(zlib.crc32(text.encode())),
    }


def _note_sid(sid: Any, sids: set[str], what: str) -> None:
    if sid and sid in sids:
        raise LookupRefusedError(f"writing IAM Policy Document: {what} ({sid})")
    sids.update([sid] if sid else [])


def _merge(merged: _Document, other: _Document) -> None:
    """Add a document to another: its Id and a later version replace those, a statement replaces one of its Sid."""
    merged["Id"] = other["Id"] or merged["Id"]
    merged["Version"] = max(merged["Version"], other["Version"])
    for statement in other["Statement"]:
        sid = statement.get("Sid")
        same = (number for number, held in enumerate(merged["Statement"]) if sid and held.get("Sid") == sid)
        number = next(same, None)
        if number is None:
            merged["Statement"].append(statement)
        else:
            merged["Statement"][number] = statement


def _statement(raw: Mapping[str, Any], version: str, sids: set[str]) -> _Document:
    effect, sid = raw.get("effect") or _EFFECTS[0], raw.get("sid") or ""
    if effect not in _EFFECTS:
        raise LookupRefusedError(f"expected effect to be one of {list(_EFFECTS)}, got {effect}")
    if not _SID.fullmatch(sid):
        raise LookupRefusedError(f"invalid value for sid {sid!r} (must only include alphanumeric characters)")
    _note_sid(sid, sids, "duplicate Sid")
    written: _Document = {"Sid": sid, "Effect": effect}
    for key, name in _LISTS.items():
        values = _distinct(raw.get(key) or ())
        if values:
            one_or_more = _one_or_more(values)
            written[name] = _with_variables(one_or_more, version) if "esource" in key else one_or_more
    for key, name in (("principals", "Principal"), ("notPrincipals", "NotPrincipal")):
        principals = [
            (str(p["type"]), _with_variables(_one_or_more(_distinct(p["identifiers"])), version))
            for p in _as_set(raw.get(key) or (), _hash_of_principal)
        ]
        if principals:
            written[name] = _principals(principals)
    conditions = [
        (str(c["test"]), str(c["variable"]), [_with_variables(str(value), version) for value in c["values"]])
        for c in _as_set(raw.get("conditions") or (), _hash_of_condition)
    ]
    if conditions:
        written["Condition"] = _conditions(conditions)
    return _in_order(written)


def _in_order(written: Mapping[str, Any]) -> _Document:
    return {name: written[name] for name in _ORDER if written.get(name)}


def _distinct(values: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(map(str, values)))


def _one_or_more(values: Sequence[str]) -> Any:
    """Return a single value as a text, several in descending order."""
    return values[0] if len(values) == 1 else sorted(values, key=str.encode, reverse=True)


def _with_variables(value: Any, version: str) -> Any:
    """Return values with `${` for `&{`, which older programs write since `${` had a meaning of its own in theirs."""
    if isinstance(value, list):
        return [_with_variables(item, version) for item in value]
    if version == _VERSIONS[0] and "&{" in value:
        raise LookupRefusedError(f"found &{{ sequence in ({value}), which is not supported in document version {version}")
    return str(value).replace("&{", "${")


def _principals(principals: Sequence[tuple[str, Any]]) -> Any:
    if len(principals) == 1 and principals[0] in (("*", "*"), ("*", ["*"])):
        return "*"
    raw: dict[str, Any] = {}
    for type_, identifiers in principals:
        held = raw.get(type_)
        if isinstance(identifiers, list):
            before = [] if held is None else held if isinstance(held, list) else [held]
            raw[type_] = [*before, *sorted(identifiers, key=str.encode, reverse=True)]
        else:
            raw[type_] = identifiers if held is None else [*(held if isinstance(held, list) else [held]), identifiers]
    return dict(sorted(raw.items()))


def _conditions(conditions: Sequence[tuple[str, str, Any]]) -> _Document:
    raw: dict[str, dict[str, Any]] = {}
    for test, variable, values in conditions:
        raw.setdefault(test, {}).setdefault(variable, []).extend(values)
    return {
        test: {variable: values[0] if len(values) == 1 else values for variable, values in sorted(of_test.items())}
        for test, of_test in sorted(raw.items())
    }


def _as_set(items: Sequence[Mapping[str, Any]], hashed: Any) -> list[Mapping[str, Any]]:
    """Return items in the order of a set of the provider's SDK: that of their hashes as texts."""
    coded = {str(zlib.crc32(hashed(item).encode())): item for item in items}
    return [coded[code] for code in sorted(coded)]


def _hash_of_principal(item: Mapping[str, Any]) -> str:
    members = {str(zlib.crc32(f"{text};".encode())): text for text in _distinct(item["identifiers"])}
    listed = "".join(f"{members[code]};" for code in sorted(members))
    return f"identifiers:{{{listed}}};type:{item['type']};"


def _hash_of_condition(item: Mapping[str, Any]) -> str:
    listed = "".join(f"{value};" for value in item["values"])
    return f"test:{item['test']};values:({listed});variable:{item['variable']};"


def _read(source: Any, what: str) -> _Document:
    """Return a document in JSON with the members that the provider reads."""
    try:
        raw = json.loads(str(source or "{}"))
        statements = raw.get("Statement") or []
        if not isinstance(statements, list):
            raise TypeError("Statement is not a list")
        read = [_read_statement(statement) for statement in statements]
        return {"Version": str(raw.get("Version") or ""), "Id": str(raw.get("Id") or ""), "Statement": read}
    except (json.JSONDecodeError, RecursionError, AttributeError, TypeError, ValueError) as error:
        raise LookupRefusedError(f"writing IAM Policy Document: merging {what}: {error}") from error


def _read_statement(raw: Mapping[str, Any]) -> _Document:
    written = {name: raw.get(name) for name in _ORDER}
    for name in ("Principal", "NotPrincipal"):
        held = raw.get(name)
        if isinstance(held, str):
            written[name] = "*"
        elif held:
            written[name] = _principals([(key, sorted(v) if isinstance(v, list) else v) for key, v in held.items()])
    if raw.get("Condition"):
        written["Condition"] = _conditions(
            [
                (test, variable, [_text(value) for value in (values if isinstance(values, list) else [values])])
                for test, of_test in raw["Condition"].items()
                for variable, values in of_test.items()
            ]
        )
    return _in_order(written)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
