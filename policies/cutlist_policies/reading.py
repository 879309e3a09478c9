"""Resources as an engine shows them to a pack, in the form that rules read. Values unknown in a preview are marked, not
read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Final

from pulumi_cutlist.recorded.policy_resources import object_name
from pulumi_cutlist.recorded.registered_plan import registered_plan
from pulumi_cutlist.wire import with_whole_numbers
from pulumi_policy import PolicyResource, ResourceValidationArgs, StackValidationArgs
from pulumi_policy.proxy import UnknownValueError

from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.policy.rules import UNKNOWN, Options, Resource
from cutlist.policy.rules.expansion.expansion import expanded
from cutlist.policy.rules.tokens import NODE_PLAN
from cutlist_policies.marks import Marks

_KUBERNETES: Final = "kubernetes:"


class StillUnknownError(UnknownValueError):
    """Ends a policy whose rules need values that only an update knows. `text` says what is undetermined."""

    def __init__(self, first: UnknownValueError, text: str) -> None:
        super().__init__(first.unknown_type_sentinel, first.props)
        self.message = f"{self.message}: {text}"


class Read:
    """A resource in the rules' form, with those that it contains, and the unknown values among its properties."""

    def __init__(
        self,
        resource: ResourceValidationArgs | PolicyResource,
        inputs: Mapping[str, Any] | None = None,
        karpenter: Baseline = DEFAULT,
        feature_gates: frozenset[str] = frozenset(),
    ) -> None:
        """Read a resource, with its requested `inputs` where they are known. At the end a pack sees outputs: an object whose
        cluster is still to be made has none, and what is unknown and was not requested only the cloud decides, so rules read it
        as not set. Objects are for a Karpenter with some feature gates of its AWS provider."""
        self.type: str = resource.resource_type
        self.urn: str = resource.urn
        self.unknown: list[UnknownValueError] = []
        props = resource.props if inputs is None or list(resource.props) else inputs
        requested = {*(props if inputs is None else inputs)}
        data = {key: self._at(props, key) for key in props if key in requested or _is_known(props, key)}
        name = object_name(resource.resource_type, resource.name, data)
        # An engine reports neither retention, nor deletion with another resource, nor what is replaced on changes.
        options = Options(protect=bool(resource.opts.protect), ignore_changes=tuple(resource.opts.ignore_changes or ()))
        whole = Resource(
            resource.resource_type,
            name,
            data,
            options=options,
            urn=resource.urn,
            karpenter=karpenter,
            feature_gates=feature_gates,
            references=_references(resource),
        )
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


def _is_known(held: Mapping[str, Any], key: str) -> bool:
    try:
        held[key]
    except UnknownValueError:
        return False
    return True


class Reader:
    """Reads the resources of one stack, whose objects are for a Karpenter with some feature gates of its AWS provider.

    It keeps the requested properties by URN as policies for single resources receive them, which run before those for the
    stack, and in `marks` the texts that the engine has marked as secret.
    """

    def __init__(
        self,
        karpenter: Baseline = DEFAULT,
        feature_gates: frozenset[str] = frozenset(),
        config: Mapping[str, str] | None = None,
        project: str = "",
    ) -> None:
        self._karpenter, self._feature_gates = karpenter, feature_gates
        self._config, self._project = config or {}, project
        self._registered: tuple[str, Resource | None] = ("", None)
        self.marks = Marks()
        self._properties: dict[str, Mapping[str, Any]] = {}

    def keep(self, resource: ResourceValidationArgs) -> None:
        """Keep the requested properties of a resource."""
        self._properties[resource.urn] = resource.props

    def read(self, resource: ResourceValidationArgs) -> Read:
        """Return a resource that is to be made."""
        return Read(resource, None, self._karpenter, self._feature_gates)

    def registered(self, args: StackValidationArgs) -> list[Resource]:
        """Return the plan of the NodePools and workloads among a stack's resources, as rules read one; none where the stack has
        a NodePlan, or where the objects do not make one. Every policy asks for it, and it is made once."""
        types = {shown.resource_type for shown in args.resources}
        if NODE_PLAN in types or not any(token.startswith(_KUBERNETES) for token in types):
            return []
        resources = [resource for shown in args.resources for resource in self.read_in_stack(shown).resources]
        key = str([(resource.type, resource.name, resource.data) for resource in resources])
        if self._registered[0] != key:
            plan = registered_plan(resources, self._config, self._project)
            self._registered = key, None if plan is None else plan.resource
        planned = self._registered[1]
        return [] if planned is None else [planned]

    def read_in_stack(self, resource: PolicyResource) -> Read:
        """Return a resource as the end of a preview or an update shows it, with its requested properties where it has none."""
        return Read(resource, self._properties.get(resource.urn), self._karpenter, self._feature_gates)


def _references(resource: ResourceValidationArgs | PolicyResource) -> dict[str, tuple[str, ...]]:
    """Return the URNs of the resources whose outputs are in each property; a policy for single resources does not get them."""
    dependencies = getattr(resource, "property_dependencies", None) or {}
    return {key: tuple(other.urn for other in others) for key, others in dependencies.items()}


def assign(props: MutableMapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Copy changed members into properties one by one: replacing whole mappings would lose the marks of secrets inside them."""
    for key, value in changed(before, after):
        old = before.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            assign(props[key], old, value)
        else:
            props[key] = value


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the members that are new or have changed."""
    return ((key, value) for key, value in after.items() if key not in before or before[key] != value)
