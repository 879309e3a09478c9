"""Replace the variables of `postBuild` in the objects of a Kustomization.

Flux does so in the text of each object as YAML, which no longer has the quotes that were written: `"${count}"` becomes a
number, and a text may become several members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.flux.envsubst import BadSubstitution, expand
from cutlist.documents.document import Document
from cutlist.documents.members import mapping
from cutlist.documents.text.go_yaml import from_yaml, to_yaml

_NAME: Final = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_USED: Final = re.compile(r"\$\{([_a-zA-Z][_a-zA-Z0-9]*)")
_SWITCH: Final = "kustomize.toolkit.fluxcd.io/substitute"
_OFF: Final = "disabled"


@dataclass(frozen=True, slots=True)
class Variables:
    """What is substituted. Without any value nothing is, unless `always` is set; `strict` refuses a name without a value.

    If they are `partial`, a name without a value may have one that is not known here: its expression stays as it is. `unset`
    gets the names that are empty for lack of a value, where no object says whether Flux is strict.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    always: bool = False
    strict: bool = False
    partial: bool = False
    unset: list[str] | None = None


def substituted(documents: Iterable[Document], variables: Variables, problems: Problems) -> tuple[Document, ...]:
    """Return the objects with their variables replaced. What Flux refuses is added to `problems`."""  # GO-14 to GO-18
    listed = tuple(documents)
    # Then even `$$` stays as it is (GO-16).
    if not (variables.values or variables.always or variables.partial):
        return listed
    wrong = sorted(name for name in variables.values if not _NAME.fullmatch(name))
    if wrong and listed:
        problems.add(listed[0].place, f"the variable {wrong[0]!r} of its postBuild has no name that Flux takes", _NAME.pattern)
        return ()
    return tuple(_substituted(document, variables, problems) for document in listed)


def _substituted(document: Document, variables: Variables, problems: Problems) -> Document:
    metadata = mapping(document.data.get("metadata"))
    if _OFF in (mapping(metadata.get(member)).get(_SWITCH) for member in ("labels", "annotations")):
        return document
    # Written again, which loses the quotes of the file: this is how `"${count}"` becomes a number (GO-14).
    text = to_yaml(document.data)
    if "$" not in text:
        return document
    unknown = {name: f"${{{name}}}" for name in _USED.findall(text)} if variables.partial else {}
    try:
        unset: list[str] = []
        data = from_yaml(expand(text, {**unknown, **variables.values}, strict=variables.strict, unset=unset.append))
        if variables.unset is not None:
            variables.unset.extend(unset)
    except BadSubstitution as error:
        problems.add(document.place, f"Flux cannot substitute its variables: {error}", "${name} or ${name:=default}")
        return document
    except ValueError as error:
        problems.add(document.place, f"is no object after Flux substitutes its variables: {error}")
        return document
    if not isinstance(data, dict):
        problems.add(document.place, "is no object after Flux substitutes its variables")
        return document
    return replace(document, data=data)
