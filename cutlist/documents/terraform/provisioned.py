"""The resources of a plan or a state as `tofu show -json` and `terraform show -json` print it.

The form is that of OpenTofu's page "JSON Output Format" (November 2026), which Terraform shares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.secrecy import leaf_texts
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.members import entries, mapping

_INSTANCE_KEY: Final = re.compile(r"\[(?:\"(?:[^\"\\]|\\.)*\"|[^\]]*)\]")
_DEEPEST: Final = 40
_OF_NO_RESOURCE: Final = ("data", "local", "each", "count", "path", "self", "terraform", "tofu")
_MANAGED: Final = "managed"
_REPEATED: Final = frozenset(("count_expression", "for_each_expression"))
ACTION: Final = "action"
"""The type of what an apply invokes."""
EXTERNAL: Final = "external"
"""The type of data sources that run a program."""
_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "local_exec": ("command",),
    "remote_exec": ("inline", "script", "scripts"),
}
"""The members that say what a provisioner runs, by type."""
_NEVER_FILLED_IN: Final[Mapping[str, frozenset[str]]] = {
    type_: frozenset(blocks.split())
    for type_, blocks in {
        "aws_autoscaling_group": "launch_template mixed_instances_policy tag warm_pool initial_lifecycle_hook",
        "aws_cloudwatch_event_target": (
            "batch_target dead_letter_config ecs_target http_target input_transformer kinesis_target retry_policy "
            "run_command_targets sqs_target"
        ),
        "aws_eks_cluster": "compute_config encryption_config outpost_config remote_network_config storage_config vpc_config "
        "zonal_shift_config",
        "aws_eks_node_group": "launch_template node_repair_config remote_access scaling_config taint",
        "aws_launch_configuration": "ephemeral_block_device",
        "aws_launch_template": (
            "block_device_mappings capacity_reservation_specification cpu_options credit_specification enclave_options "
            "hibernation_options iam_instance_profile instance_market_options instance_requirements license_specification "
            "maintenance_options monitoring network_interfaces placement private_dns_name_options tag_specifications"
        ),
        "aws_pipes_pipe": "enrichment_parameters log_configuration",
        "azurerm_kubernetes_cluster_node_pool": "linux_os_config node_network_profile upgrade_settings windows_profile",
        "helm_release": "set set_list set_sensitive postrender",
    }.items()
}
"""Blocks that no provider fills in, by type: unknown as a whole, they are `dynamic` ones of which nobody knows how many come.
The configuration in a plan leaves these out."""
_KEPT_BY_UPDATES: Final[Mapping[str, frozenset[str]]] = {
    type_: frozenset(blocks.split())
    for type_, blocks in {
        "aws_default_security_group": "egress ingress",
        "aws_eks_cluster": "access_config kubernetes_network_config upgrade_policy",
        "aws_eks_node_group": "update_config",
        "aws_iam_role": "inline_policy",
        "aws_launch_template": "metadata_options",
        "aws_security_group": "egress ingress",
    }.items()
}
"""Blocks that the provider fills in where nobody writes them, by type. An update then keeps them as they are: unknown as a
whole, they are `dynamic` ones too. For a resource that is created the two look the same."""


@dataclass(frozen=True, slots=True)
class Provisioned:
    """A resource as it will be after an apply: its values, with UNKNOWN for what only the apply will know.

    `references` has by member the addresses of the resources that the configuration refers to, without keys of instances;
    `secrets` are the texts that are marked as sensitive, `shown` those that are not.
    """

    address: str
    type: str
    values: Mapping[str, Any]
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()

    @property
    def configured_address(self) -> str:
        """Return the address without the keys of instances."""
        return without_keys(self.address)


@dataclass(frozen=True, slots=True)
class _Configured:
    """A resource block: the members that it writes, what each refers to, and the commands of its provisioners by type."""

    members: frozenset[str]
    references: Mapping[str, tuple[str, ...]]
    commands: tuple[tuple[str, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class _Module:
    """A module of the configuration, with what its caller gives it."""

    prefix: str
    data: Mapping[str, Any]
    caller: _Module | None = None
    given: Mapping[str, Any] = field(default_factory=dict)

    def called(self, name: str) -> _Module | None:
        call = mapping(mapping(self.data.get("module_calls")).get(name))
        if not call:
            return None
        return _Module(f"{self.prefix}module.{name}.", mapping(call.get("module")), self, mapping(call.get("expressions")))

    def all(self) -> Iterator[_Module]:
        """Yield this module and all below it."""
        yield self
        for name in mapping(self.data.get("module_calls")):
            called = self.called(str(name))
            if called is not None:
                yield from called.all()

    def targets(self, expression: Any, visited: set[tuple[str, str]]) -> Iterator[str]:
        """Yield the addresses of the resources that an expression refers to, through variables and outputs of modules."""
        for reference in _references_in(expression):
            first, *rest = without_keys(reference).split(".")
            if (self.prefix, reference) in visited or not rest or first in _OF_NO_RESOURCE:
                continue
            visited.add((self.prefix, reference))
            if first == "var":
                if self.caller is not None:
                    yield from self.caller.targets(self.given.get(rest[0]), visited)
            elif first == "module":
                called = self.called(rest[0])
                if called is not None and len(rest) > 1:
                    output = mapping(mapping(called.data.get("outputs")).get(rest[1]))
                    yield from called.targets(output.get("expression"), visited)
            else:
                yield f"{self.prefix}{first}.{rest[0]}"


def without_keys(address: str) -> str:
    """Return an address without the keys of instances: `aws_iam_role.node` for `aws_iam_role.node["a"]`."""
    return _INSTANCE_KEY.sub("", address)


def provisioned(value: Mapping[str, Any]) -> Iterator[Provisioned]:
    """Yield the managed resources of a plan as an apply leaves them, or those of a state; deleted ones are left out."""
    if isinstance(value.get("resource_changes"), list):
        configured = _configured(value)
        for change in value["resource_changes"]:
            if isinstance(change, Mapping) and change.get("mode") == _MANAGED and not change.get("deposed"):
                yield from _planned(change, mapping(change.get("change")), configured)
        yield from _invoked(value)
        yield from _asked(value)
        return
    for resource in listed_resources(value.get("values")):
        if resource.get("mode") == _MANAGED:
            yield _resource(resource, mapping(resource.get("values")), resource.get("sensitive_values"), {})


def listed_resources(values: Any) -> list[Mapping[str, Any]]:
    """Return the resources of all modules of planned values or of a state."""
    waiting, resources = [mapping(mapping(values).get("root_module"))], list[Mapping[str, Any]]()
    while waiting:
        module = waiting.pop()
        resources += [resource for resource in entries(module.get("resources")) if isinstance(resource, Mapping)]
        waiting += [mapping(child) for child in reversed(entries(module.get("child_modules")))]
    return resources


def _planned(
    resource: Mapping[str, Any], change: Mapping[str, Any], configured: Mapping[str, _Configured] | None
) -> Iterator[Provisioned]:
    actions = entries(change.get("actions"))
    if "create" not in actions and ("delete" in actions or "forget" in actions):
        return
    unknown = change.get("after_unknown")
    of_block = (configured or {}).get(without_keys(str(resource.get("address"))))
    if of_block is not None and isinstance(unknown, Mapping):
        # What nobody wrote and only the provider fills in is not set; rules read it so, as those of an engine's preview do.
        type_ = str(resource.get("type"))
        written = of_block.members | _NEVER_FILLED_IN.get(type_, frozenset())
        if actions == ["update"]:
            written |= _KEPT_BY_UPDATES.get(type_, frozenset())
        unknown = {key: below for key, below in unknown.items() if below is not True or key in written}
    values = with_unknown(change.get("after"), unknown)
    references = {} if of_block is None else of_block.references
    if isinstance(values, Mapping):
        yield _resource(resource, values, change.get("after_sensitive"), references)
    if of_block is not None and "create" in actions:
        for type_, command in of_block.commands:
            yield Provisioned(f"{resource.get('address')}.{type_}", type_, command)


def _invoked(plan: Mapping[str, Any]) -> Iterator[Provisioned]:
    """Yield what providers do beside making resources: the actions that an apply invokes, those of a later plan included."""
    deferred = [mapping(item).get("action_invocation") for item in entries(plan.get("deferred_action_invocations"))]
    for item in map(mapping, (*entries(plan.get("action_invocations")), *deferred)):
        values = with_unknown(item.get("config_values"), item.get("config_unknown"))
        yield Provisioned(str(item.get("address")), ACTION, {"type": item.get("type"), "config": values})


def _asked(plan: Mapping[str, Any]) -> Iterator[Provisioned]:
    """Yield the programs that data sources run, at each plan already."""
    for module in _Module("", mapping(mapping(plan.get("configuration")).get("root_module"))).all():
        for block in map(mapping, entries(module.data.get("resources"))):
            if block.get("mode") == "data" and block.get("type") == EXTERNAL:
                program = constant(mapping(block.get("expressions")).get("program"))
                yield Provisioned(f"{module.prefix}{block.get('address')}", EXTERNAL, {"create": _line(program)})


def _commands(block: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the commands of the provisioners of a resource block, by type."""
    for provisioner in map(mapping, entries(block.get("provisioners"))):
        type_ = str(provisioner.get("type")).replace("-", "_")
        expressions = mapping(provisioner.get("expressions"))
        members = _COMMANDS.get(type_, ())
        if members:
            written = next((expressions[member] for member in members if member in expressions), None)
            yield type_, {"create": _line(constant(written)), "interpreter": constant(expressions.get("interpreter"))}


def constant(expression: Any) -> Any:
    """Return the value of an expression that is a constant; UNKNOWN for any other, and None for none."""
    if expression is None:
        return None
    return mapping(expression).get("constant_value", UNKNOWN)


def _line(words: Any) -> Any:
    return "\n".join(map(str, words)) if isinstance(words, list) else words


def left_out(plan: Mapping[str, Any]) -> list[str]:
    """Return the addresses of the resources that a plan's configuration has, each of them once, and the plan has not."""
    planned = {without_keys(str(mapping(change).get("address"))) for change in entries(plan.get("resource_changes"))}
    root = mapping(mapping(plan.get("configuration")).get("root_module"))
    return [address for address in _single(root, "") if address not in planned]


def _single(module: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """Yield the addresses of the managed resources of a configuration of which there is exactly one."""
    for block in map(mapping, entries(module.get("resources"))):
        if block.get("mode", _MANAGED) == _MANAGED and not _REPEATED & block.keys():
            yield f"{prefix}{block.get('address')}"
    for name, call in mapping(module.get("module_calls")).items():
        if not _REPEATED & mapping(call).keys():
            yield from _single(mapping(mapping(call).get("module")), f"{prefix}module.{name}.")


def with_unknown(value: Any, unknown: Any) -> Any:
    """Return a value with UNKNOWN wherever a mask of the same form is true."""
    if unknown is True:
        return UNKNOWN
    if isinstance(unknown, Mapping):
        known = value if isinstance(value, Mapping) else {}
        masked = {key: with_unknown(known.get(key), below) for key, below in unknown.items() if _has_true(below)}
        return {**known, **masked} if isinstance(value, Mapping) or masked else value
    if isinstance(unknown, list) and any(map(_has_true, unknown)):
        items = [*entries(value)]
        items += [None] * (len(unknown) - len(items))
        masks = [*unknown, *[False] * (len(items) - len(unknown))]
        return [with_unknown(item, mask) for item, mask in zip(items, masks, strict=True)]
    return value


def _resource(
    resource: Mapping[str, Any], values: Mapping[str, Any], sensitive: Any, references: Mapping[str, tuple[str, ...]]
) -> Provisioned:
    secrets, shown = set[str](), set[str]()
    _sort_texts(values, sensitive, secrets, shown)
    address = str(resource.get("address") or "")
    return Provisioned(address, str(resource.get("type") or ""), values, references, frozenset(secrets), frozenset(shown))


def _sort_texts(value: Any, sensitive: Any, secrets: set[str], shown: set[str]) -> None:
    """Sort the texts of a value into those that a mask of the same form marks and the others."""
    if sensitive is True:
        secrets.update(leaf_texts(value))
    elif isinstance(value, Mapping):
        for key, below in value.items():
            _sort_texts(below, mapping(sensitive).get(key), secrets, shown)
    elif isinstance(value, list):
        masks = entries(sensitive)
        for index, item in enumerate(value):
            _sort_texts(item, masks[index] if index < len(masks) else False, secrets, shown)
    elif isinstance(value, str):
        shown.add(value)


def _configured(plan: Mapping[str, Any]) -> Mapping[str, _Configured] | None:
    """Return the resource blocks of the configuration by address; or None for a plan without one."""
    root = mapping(plan.get("configuration")).get("root_module")
    if not isinstance(root, Mapping):
        return None
    blocks: dict[str, _Configured] = {}
    for module in _Module("", root).all():
        for resource in entries(module.data.get("resources")):
            expressions = mapping(mapping(resource).get("expressions"))
            references = {str(key): tuple(sorted(set(module.targets(below, set())))) for key, below in expressions.items()}
            own = _Configured(frozenset(references), references, tuple(_commands(mapping(resource))))
            blocks[f"{module.prefix}{mapping(resource).get('address')}"] = own
    return blocks


def _references_in(expression: Any, depth: int = 0) -> Iterator[str]:
    """Yield what an expression, or the blocks below a member, refer to."""
    if depth > _DEEPEST:
        return
    if isinstance(expression, Mapping):
        for key, below in expression.items():
            if key == "references" and isinstance(below, list):
                yield from (reference for reference in below if isinstance(reference, str))
            elif key != "constant_value":
                yield from _references_in(below, depth + 1)
    elif isinstance(expression, list):
        for item in expression:
            yield from _references_in(item, depth + 1)


def _has_true(mask: Any) -> bool:
    if isinstance(mask, Mapping):
        return any(map(_has_true, mask.values()))
    return any(map(_has_true, mask)) if isinstance(mask, list) else mask is True
