"""What an engine shows to a pack, as rules read it. Values that a preview does not know are marked, not touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from pulumi_cutlist.policy_resources import object_name
from pulumi_cutlist.wire import with_whole_numbers
from pulumi_policy import PolicyResource, ResourceValidationArgs
from pulumi_policy.proxy import UnknownValueError

from cutlist.policy.rules import UNKNOWN, Options, Resource
from cutlist.policy.rules.expansion import expanded


class StillUnknownError(UnknownValueError):
    """What ends a policy whose rules need values that only an update knows. `text` is what the rules cannot tell."""

    def __init__(self, first: UnknownValueError, text: str) -> None:
        super().__init__(first.unknown_type_sentinel, first.props)
        self.message = f"{self.message}: {text}"


class Read:
    """A resource as rules read it, with those that lie inside it, and the values that are unknown among its properties."""

    def __init__(self, resource: ResourceValidationArgs | PolicyResource, inputs: Mapping[str, Any] | None = None) -> None:
        """`inputs` stand in where an engine shows nothing of a resource: in the end a pack sees outputs, and of an object whose
        cluster is still to be made there are none."""
        self.type: str = resource.resource_type
        self.unknown: list[UnknownValueError] = []
        data = self._plain(resource.props if inputs is None or list(resource.props) else inputs)
        name = object_name(resource.resource_type, resource.name, data)
        # An engine tells packs of protection, and neither of retention nor of deletion with another resource.
        options = Options(protect=bool(resource.opts.protect))
        whole = Resource(resource.resource_type, name, data, options=options, urn=resource.urn)
        self.resources: tuple[Resource, ...] = tuple(expanded(whole))

    def _plain(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._at(value, key) for key in value}
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return [self._at(value, index) for index in range(len(value))]
        return with_whole_numbers(value)

    def _at(self, held: Any, key: Any) -> Any:
        try:
            return self._plain(held[key])
        except UnknownValueError as error:
            self.unknown.append(error)
            return UNKNOWN


def assign(props: MutableMapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Bring changed members into properties one by one: whole mappings would lose what marks secrets inside them."""
    for key, value in changed(before, after):
        old = before.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            assign(props[key], old, value)
        else:
            props[key] = value


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the members that are new or other than before."""
    return ((key, value) for key, value in after.items() if key not in before or before[key] != value)
