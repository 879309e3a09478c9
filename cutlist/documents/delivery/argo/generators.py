"""The generators of ApplicationSets: the values with which templates are filled in."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.documents.delivery.argo.clusters import matches_selector, of_clusters
from cutlist.documents.delivery.argo.elsewhere import ELSEWHERE
from cutlist.documents.delivery.argo.repository import flat, of_files, of_folders
from cutlist.documents.delivery.argo.sources import repository_of
from cutlist.documents.delivery.argo.templates import Parameters, Templates
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.delivery.gotemplate.dicts import as_data, as_json, merge_over
from cutlist.documents.delivery.gotemplate.values import TemplateError, printed
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml

KINDS: Final = ("list", "clusters", "git", "matrix", "merge")
"""The generators whose values are known here."""
_PAIR: Final = 2

Values = dict[str, Any]


class Elsewhere(Exception):
    """A generator takes its values from something that is not here; the text says what."""


@dataclass(frozen=True, slots=True)
class Generators:
    """Makes values from generators: those of git from a checkout or what is fetched, those of clusters from Secrets."""

    templates: Templates
    checkout: Checkout
    secrets: Sequence[Document]
    fetcher: Fetcher | None = None

    def values(self, generator: Manifest, outer: Parameters | None = None) -> list[Values]:
        """Return the values of a generator; those of an outer one are filled into it first.

        Raises TemplateError for what Argo CD refuses, Elsewhere and NotFetched.
        """
        kinds = [kind for kind in (*KINDS, *ELSEWHERE) if generator.get(kind) is not None]
        if not kinds:
            raise TemplateError("a generator has no kind that is known")
        # An entry may name several kinds, and Argo CD takes the values of each.
        made = [values for kind in kinds for values in self._of_kind(kind, generator, outer or {})]
        selector = generator.get("selector")
        if selector is None:
            return made
        return [values for values in made if matches_selector(flat(as_json(values)), mapping(selector))]

    def _of_kind(self, kind: str, generator: Manifest, outer: Parameters) -> list[Values]:
        if kind in ELSEWHERE:
            raise Elsewhere(ELSEWHERE[kind])
        own = mapping(generator.get(kind))
        own = mapping(self.templates.filled(own, outer)) if outer else own
        makers: Mapping[str, Callable[[Manifest], list[Values]]] = {
            "list": self._of_list,
            "clusters": self._of_clusters,
            "git": self._of_git,
            "matrix": self._of_matrix,
            "merge": self._of_merge,
        }
        return makers[kind](own)

    def _of_list(self, own: Manifest) -> list[Values]:
        """Return the elements of a list; without Go's templates their values are texts."""  # GO-41
        elements = [self._element(mapping(element)) for element in entries(own.get("elements"))]
        if not text(own.get("elementsYaml")):
            return elements
        try:
            more = from_yaml(own["elementsYaml"])
        except ValueError as error:
            raise TemplateError(f"elementsYaml cannot be read: {error}") from None
        if more is not None and not (isinstance(more, list) and all(isinstance(item, Mapping) for item in more)):
            raise TemplateError("elementsYaml is not a list of mappings")
        return [*elements, *map(as_data, more or ())]

    def _element(self, element: Manifest) -> Values:
        if self.templates.of_go:
            return dict(as_data(element))
        values: Values = {}
        for key, value in element.items():
            # Without Go's templates only `values` may be a mapping; its members get names with a dot.
            inner = {f"{key}.{name}": item for name, item in mapping(value).items()} if key == "values" else {key: value}
            wrong = next((name for name, item in inner.items() if not isinstance(item, str)), None)
            if wrong is not None or (key == "values" and not isinstance(value, Mapping)):
                raise TemplateError(f"{wrong or key} of an element is not a text")
            values |= inner
        return values

    def _of_clusters(self, own: Manifest) -> list[Values]:
        found = [self._with_own_values(own, values) for values in of_clusters(own, self.secrets, self.templates)]
        return [{"clusters": found}] if own.get("flatList") is True else found

    def _of_git(self, own: Manifest) -> list[Values]:
        address = text(own.get("repoURL"))
        if not address:
            raise TemplateError("a generator of git names no repository")
        is_here = self.checkout.is_of(address)
        checkout = self.checkout if is_here else repository_of(address, text(own.get("revision")), self.fetcher)
        if entries(own.get("directories")):
            found = of_folders(own, checkout, self.templates)
        elif entries(own.get("files")):
            found = of_files(own, checkout, self.templates)
        else:
            raise TemplateError("a generator of git names neither directories nor files")
        return [self._with_own_values(own, values) for values in found]

    def _with_own_values(self, own: Manifest, values: Values) -> Values:
        """Return values with those that a generator itself adds to them."""
        added = {str(name): self.templates.text(str(value), values) for name, value in mapping(own.get("values")).items()}
        if not added:
            return values
        return {**values, **({"values": added} if self.templates.of_go else {f"values.{k}": v for k, v in added.items()})}

    def _of_matrix(self, own: Manifest) -> list[Values]:
        """Return each of the first generator's values with each of those that the second one makes of it."""  # GO-44
        inner = list(map(mapping, entries(own.get("generators"))))
        if len(inner) != _PAIR:
            raise TemplateError(f"a matrix has {len(inner)} generators, and not two")
        return [self._combined(first, second) for first in self.values(inner[0]) for second in self.values(inner[1], first)]

    def _combined(self, first: Values, second: Values) -> Values:
        if self.templates.of_go:
            # Laid over those of the second generator, so the first one's values win.
            return merge_over(copy.deepcopy(second), first)
        # Compared as they would be printed: without Go's templates every value is a text.
        texts = [{key: printed(value, nested=True) for key, value in values.items()} for values in (first, second)]
        twice = next((key for key, value in texts[1].items() if texts[0].get(key, value) != value), None)
        if twice is not None:
            raise TemplateError(f"both generators of a matrix have {twice}, with different values")
        return {**texts[0], **texts[1]}

    def _of_merge(self, own: Manifest) -> list[Values]:
        """Return the first generator's values, with what later ones have for the same keys laid over."""  # GO-44
        inner = list(map(mapping, entries(own.get("generators"))))
        if len(inner) < _PAIR:
            raise TemplateError("a merge has less than two generators")
        keys = [str(key) for key in entries(own.get("mergeKeys"))]
        if not keys:
            raise TemplateError("a merge has no mergeKeys")
        first, *others = (_by_key(self.values(generator), keys) for generator in inner)
        # Only the first generator's keys: a merge adds no values of its own (GO-44).
        merged = copy.deepcopy(first)
        for other in others:
            for key in merged.keys() & other.keys():
                merged[key] = merge_over(merged[key], other[key]) if self.templates.of_go else {**merged[key], **other[key]}
        return list(merged.values())


def _by_key(values: list[Values], keys: Sequence[str]) -> dict[str, Values]:
    by_key: dict[str, Values] = {}
    for item in values:
        # A text for any values, lists and mappings too, which are no keys in Python.
        key = json.dumps([item.get(name) for name in sorted(set(keys))], sort_keys=True, default=str)
        if key in by_key:
            raise TemplateError(f"two values of a generator have the same mergeKeys {key}")
        by_key[key] = item
    return by_key
