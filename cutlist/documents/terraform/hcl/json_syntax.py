"""The JSON syntax of configurations, as `.tf.json` files have it: the same blocks, whose texts are templates.

What is a nested block in HCL is a mapping or a list of mappings here, like any other value. Which of them are blocks only the
provider's schema says; the tables name those that matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import join
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.terraform.hcl.parsing import JSON_VALUE, Block
from cutlist.documents.text import json

ENDING: Final = ".json"
_LABELS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("resource", "data", "ephemeral"), 2),
    **dict.fromkeys(("module", "output", "provider", "variable"), 1),
    **dict.fromkeys(("locals", "terraform"), 0),
}
"""How many words follow the kind of a block."""
_COMMENT: Final = "//"
_KEY: Final = re.compile(r'"(\w+)"\s*:')
_DYNAMIC, _CONTENT = "dynamic", "content"
_OBJECTS: Final = "kubernetes_"
_UNTYPED: Final = "kubernetes_manifest"
_MAPS: Final = frozenset(
    (
        *("annotations", "binary_data", "data", "driver_options", "hard", "labels", "limits", "match_labels", "node_selector"),
        *("options", "parameters", "requests", "string_data", "volume_attributes"),
    )
)
"""Members of typed resources of Kubernetes that are mappings; all others with mappings are blocks."""
_BLOCKS: Final[Mapping[str, frozenset[str]]] = {
    "helm_release": frozenset(("postrender", "set", "set_list", "set_sensitive")),
    "aws_eks_cluster": frozenset(("access_config", "compute_config", "kubernetes_network_config", "vpc_config")),
    "aws_eks_node_group": frozenset(("launch_template", "remote_access", "scaling_config", "taint", "update_config")),
    "azurerm_kubernetes_cluster": frozenset(("default_node_pool", "network_profile", "node_provisioning_profile")),
    "azurerm_kubernetes_cluster_node_pool": frozenset(("upgrade_settings",)),
}
"""The blocks of other resources that are read."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a block, and its line."""

    text: str
    line: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Node:
    """A node as the parser of HCL gives it: the name of its rule, and what is below."""

    data: str
    children: list[Any]


def is_json(path: str) -> bool:
    """Tell whether a file of a configuration is in the JSON syntax."""
    return path.endswith(ENDING)


def blocks_in_json(path: str, problems: Problems) -> list[Block]:
    """Return the blocks of a file, each with the line of its body; none, with a problem added, if it is not JSON."""
    parsed = json.parse(beginning_of(path), path, problems)
    if parsed is None:
        return []
    root, lines = parsed
    return list(_blocks(root, lines))


def values_in_json(path: str, problems: Problems) -> dict[str, Any]:
    """Return the nodes of the values in a file of variables, by name."""
    parsed = json.parse(beginning_of(path), path, problems)
    written = parsed[0] if parsed is not None and isinstance(parsed[0], dict) else {}
    return {name: _Node(JSON_VALUE, [value]) for name, value in written.items() if name != _COMMENT}


def searchable(path: str) -> str:
    """Return the text of a configuration for a search by its blocks; of one in JSON, their first lines as HCL has them, and the
    sources of modules."""
    text = beginning_of(path)
    if not is_json(path):
        return text
    problems = Problems()
    heads: list[str] = []
    for block in blocks_in_json(path, problems):
        heads.append(" ".join([block.words[0], *(f'"{word}"' for word in block.words[1:])]) + " {")
        source = block.attributes.get("source")
        heads += [f'  source = "{source.children[0]}"'] if source is not None else []
    if problems:  # whatever it names may be a type
        heads = [f'resource "{name}" {{' for name in dict.fromkeys(_KEY.findall(text))]
    return "\n".join((*heads, text))


def _blocks(root: Any, lines: Mapping[str, int]) -> Iterator[Block]:
    for number, whole in _each(root):
        for kind, below in whole.items():
            if kind in _LABELS:
                at = kind if number is None else f"[{number}].{kind}"
                yield from _labelled((kind,), _LABELS[kind], below, at, lines)


def _labelled(words: tuple[str, ...], labels: int, value: Any, at: str, lines: Mapping[str, int]) -> Iterator[Block]:
    for number, below in _each(value):
        here = at if number is None else f"{at}[{number}]"
        if not labels:
            line = lines.get(here, 1)
            yield Block(words, line, _body(below, words[1] if len(words) > 1 else ""))
            continue
        for name, inside in below.items():
            if name != _COMMENT:
                yield from _labelled((*words, name), labels - 1, inside, join(here, name), lines)


def _each(value: Any) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    """Yield a mapping, or those of a list with their numbers: of a block there may be several."""
    if isinstance(value, dict):
        yield None, value
    elif isinstance(value, list):
        yield from ((number, item) for number, item in enumerate(value) if isinstance(item, dict))


def _body(members: Mapping[str, Any], type_: str) -> _Node:
    children: list[_Node] = []
    for name, value in members.items():
        if name == _DYNAMIC:
            for label, inside in _bodies(value):
                children += [_block((_DYNAMIC, label), below, type_) for _, below in _each(inside)]
        elif name == _CONTENT and isinstance(value, dict):
            children.append(_block((_CONTENT,), value, type_))
        elif name != _COMMENT:
            children.append(_Node("attribute", [name, _Node(JSON_VALUE, [_shaped(name, value, type_)])]))
    return _Node("body", children)


def _bodies(value: Any) -> Iterator[tuple[str, Any]]:
    for _, item in _each(value):
        yield from item.items()


def _block(words: tuple[str, ...], members: Mapping[str, Any], type_: str) -> _Node:
    return _Node("block", [*(_Node("identifier", [_Word(word, 0)]) for word in words), _body(members, type_), "}"])


def _shaped(name: str, value: Any, type_: str) -> Any:
    """Return a value as HCL's blocks give it: a mapping that is a block as a list of one."""
    is_typed = type_.startswith(_OBJECTS) and type_ != _UNTYPED
    if isinstance(value, list):
        return [_shaped("", item, type_) if isinstance(item, dict) and is_typed else item for item in value]
    if not isinstance(value, dict) or (is_typed and name in _MAPS):
        return value
    shaped = {key: _shaped(key, below, type_) for key, below in value.items()} if is_typed else value
    return [shaped] if (is_typed and name) or name in _BLOCKS.get(type_, ()) else shaped
