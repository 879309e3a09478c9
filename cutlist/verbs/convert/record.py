"""What a conversion changed, as JSON, with the values of the chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.api.convert import Conversion, Kind, Reported
from cutlist.core.records import Count, TextOrNull, about, json_of

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Converted:
    source: str
    document: Count
    from_: str
    name: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    object: str
    source: str
    document: Count
    line: Count
    kind: Kind
    old: Annotated[TextOrNull, about("Path in the old object.")]
    new: Annotated[TextOrNull, about("Path in the new object.")]
    text: str
    advice: TextOrNull
    read_by: Literal["cutlist", "karpenter"]


@dataclass(frozen=True, slots=True)
class ConversionRecord:
    """What changes when objects are converted to v1."""

    version: Literal[1]
    converted: tuple[_Converted, ...]
    changes: tuple[_Change, ...]
    notes: Annotated[tuple[str, ...], about("What v1 changes for all objects.")]
    values: Annotated[Mapping[str, Any], about("Values of Karpenter's chart.")]


def convert_json(conversion: Conversion) -> str:
    """Return the conversion as indented JSON that ends in a newline."""
    record = ConversionRecord(
        version=VERSION,
        converted=tuple(
            _Converted(
                source=converted.document.place.source,
                document=converted.document.place.document,
                from_=f"{converted.document.api_version} {converted.document.kind}",
                name=converted.document.name,
                to=tuple(f"{new['apiVersion']} {new['kind']} {new['metadata']['name']}" for new in converted.objects),
            )
            for converted in conversion.converted
        ),
        changes=tuple(_change(reported) for reported in conversion.changes),
        notes=tuple(conversion.notes),
        values=conversion.values,
    )
    return json_of(record, allow_nan=True)


def _change(reported: Reported) -> _Change:
    change = reported.change
    return _Change(
        object=reported.subject,
        source=reported.place.source,
        document=reported.place.document,
        line=reported.place.line,
        kind=change.kind,
        old=change.old,
        new=change.new,
        text=change.text,
        advice=change.advice,
        read_by="cutlist" if change.is_ours else "karpenter",
    )
