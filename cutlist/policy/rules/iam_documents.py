"""IAM documents inside resources: JSON text or data, its statements, and the parts of them that can be judged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.iam.reading import read_document
from cutlist.infrastructure.names import ClusterFacts
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import Part

_INVERTED: Final = ("NotAction", "NotResource", "NotPrincipal")
_ARN_PARTS: Final = 6
_ANY_REGION, _ANY_ACCOUNT = "us-east-1", "111122223333"


@dataclass(frozen=True, slots=True)
class Written:
    """A document as written: its statements as parts; None where the text is not a document."""

    part: Part
    statements: tuple[Part, ...] | None

    @property
    def size(self) -> int:
        """Return how much of IAM's limits it uses: characters, whitespace excluded."""
        data = self.part.whole()
        text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
        return sum(not character.isspace() for character in text)


def written_document(part: Part) -> Written:
    """Return the document that a part holds, as JSON text or as data. Raises NotKnownError when it is not known yet."""
    data = _data(part.whole())
    statements = data.get("Statement") if isinstance(data, Mapping) else None
    if isinstance(statements, Mapping):
        return Written(part, (Part(part.resource, f"{part.path}.Statement", statements),))
    if not isinstance(statements, list):
        return Written(part, None)
    return Written(part, tuple(Part(part.resource, f"{part.path}.Statement[{i}]", s) for i, s in enumerate(statements)))


def judged(written: Written) -> Iterator[Finding | Document]:
    """Yield the document as far as it can be judged, and a finding for each part that cannot."""
    if written.statements is None:
        yield written.part.violation("no IAM document", "JSON with a list of statements", "write Version and Statement")
        return
    plain = []
    for statement in written.statements:
        inverted = [key for key in _INVERTED if statement.at(key).is_there]
        allows = statement.at("Effect").text == "Allow"
        if inverted and allows:
            text = f"Allow with {inverted[0]}, which grants all but what it names"
            yield statement.at(inverted[0]).violation(text, "what is granted, by name", f"write {inverted[0][3:]} instead")
        elif not inverted:
            plain.append(statement)
    problems = Problems()
    known = [{k: v for k, v in s.members().items() if k != "Principal"} for s in plain]
    statements = [{key: part.data for key, part in statement_parts.items()} for statement_parts in known]
    document = read_document(statements, written.part.resource.place(f"{written.part.path}.Statement"), problems)
    for problem in problems.found:
        yield written.part.cannot_tell(f"what the document grants: {problem}")
    yield document


def reached_clusters(document: Document) -> Iterator[ClusterFacts]:
    """Yield a stand-in cluster for each region and account that the document's resources name, so that each can be checked."""
    places = {(_ANY_REGION, _ANY_ACCOUNT)}
    for statement in document:
        for resource in statement.resources:
            parts = resource.split(":", _ARN_PARTS - 1)
            if len(parts) == _ARN_PARTS:
                region, account = parts[3], parts[4]
                plain = region if region and "*" not in region and "?" not in region else _ANY_REGION
                places.add((plain, account if account.isdigit() else _ANY_ACCOUNT))
    return (ClusterFacts("any", region, account) for region, account in sorted(places))


def _data(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None
