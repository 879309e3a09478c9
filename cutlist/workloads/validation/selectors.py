"""Selectors of labels and nodes, affinity, tolerations and topology spread (W-19 to W-25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.core.requirement import Expression
from cutlist.core.shapes import shown
from cutlist.workloads.fields.notation import words_of
from cutlist.workloads.pods import PREFERRED, REQUIRED, LabelSelector
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals, one_of

Manifest = Mapping[str, Any]

_WITH_VALUES: Final = ("In", "NotIn")
_WITHOUT_VALUES: Final = ("Exists", "DoesNotExist")
_COMPARISONS: Final = ("Gt", "Lt")
_OPERATORS: Final = ("Equal", "Exists")
_EFFECTS: Final = words_of("Toleration", "effect")
_ACTIONS: Final = words_of("TopologySpreadConstraint", "whenUnsatisfiable")
_POLICIES: Final = words_of("TopologySpreadConstraint", "nodeAffinityPolicy")
_CHECKED_VALUES: Final = 32  # the first minor version that checks the values of required node affinity


def check_label_selector(selector: Manifest | None, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a selector of labels; a missing one is accepted."""
    if not selector:
        return
    formats.labels(selector.get("matchLabels"), f"{path}.matchLabels", refusals)
    for index, expression in enumerate(selector.get("matchExpressions") or ()):
        _check_expression(expression, f"{path}.matchExpressions[{index}]", refusals)


def _check_expression(expression: Manifest, path: str, refusals: Refusals, more: Sequence[str] = ()) -> None:
    """Add what is wrong with an expression, whose operator may also be one of `more`, which compare with one number."""
    operator, values = expression.get("operator") or "", expression.get("values") or ()
    if operator in _WITH_VALUES:
        if not values:
            refusals.required(f"{path}.values", "operator is 'In' or 'NotIn'")
    elif operator in _WITHOUT_VALUES:
        if values:
            refusals.add(f"{path}.values", "must be empty when operator is 'Exists' or 'DoesNotExist'")
    elif operator in more:
        if len(values) != 1:
            refusals.add(f"{path}.values", f"must hold a single value when operator is {shown(operator)}")
    else:
        refusals.unsupported(f"{path}.operator", operator, (*_WITH_VALUES, *_WITHOUT_VALUES, *more))
    formats.qualified_name(expression.get("key") or "", f"{path}.key", refusals)


def selects(selector: Manifest | None, labels: Manifest | None) -> bool:
    """Tell whether a selector whose operators are known matches labels; a missing one matches nothing."""
    if selector is None:
        return False
    pairs = tuple((key, value or "") for key, value in (selector.get("matchLabels") or {}).items())
    expressions = tuple(map(Expression.read, selector.get("matchExpressions") or ()))
    return LabelSelector(pairs, expressions).matches({key: value or "" for key, value in (labels or {}).items()})


def labels_text(labels: Manifest) -> str:
    """Return labels as messages list them: `app: web, tier: front`."""
    return ", ".join(f"{key}: {value}" for key, value in labels.items())


def check_values_of_selector(selector: Manifest | None, path: str, refusals: Refusals) -> None:
    """Add values of expressions that no label can have."""
    for index, expression in enumerate((selector or {}).get("matchExpressions") or ()):
        for position, value in enumerate(expression.get("values") or ()):
            formats.label_value(value or "", f"{path}.matchExpressions[{index}].values[{position}]", refusals)


def check_node_selector(selector: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the terms that a node has to match."""
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        refusals.required(f"{path}.nodeSelectorTerms", "at least one term is needed")
    for index, term in enumerate(terms):
        here = f"{path}.nodeSelectorTerms[{index}]"
        _check_node_term(term, here, refusals)
        if refusals.minor >= _CHECKED_VALUES:
            check_values_of_selector(term, here, refusals)


def _check_node_term(term: Manifest, path: str, refusals: Refusals) -> None:
    for index, expression in enumerate(term.get("matchExpressions") or ()):
        _check_expression(expression, f"{path}.matchExpressions[{index}]", refusals, _COMPARISONS)
    for index, field in enumerate(term.get("matchFields") or ()):
        here, values = f"{path}.matchFields[{index}]", field.get("values") or ()
        if field.get("operator") not in _WITH_VALUES:
            refusals.unsupported(f"{here}.operator", field.get("operator") or "", _WITH_VALUES)
        elif len(values) != 1:
            refusals.add(f"{here}.values", "must hold a single value")
        if field.get("key") != "metadata.name":
            refusals.unsupported(f"{here}.key", field.get("key") or "", ("metadata.name",))
        else:
            for position, value in enumerate(values):
                formats.subdomain(value or "", f"{here}.values[{position}]", refusals)


def check_affinity(affinity: Manifest | None, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the affinity of a pod to nodes and to other pods."""
    if not affinity:
        return
    nodes = affinity.get("nodeAffinity") or {}
    if nodes.get(REQUIRED) is not None:
        check_node_selector(nodes[REQUIRED], f"{path}.nodeAffinity.{REQUIRED}", refusals)
    for index, preferred in enumerate(nodes.get(PREFERRED) or ()):
        here = f"{path}.nodeAffinity.{PREFERRED}[{index}]"
        _check_weight(preferred, here, refusals)
        _check_node_term(preferred.get("preference") or {}, f"{here}.preference", refusals)
    for name in ("podAffinity", "podAntiAffinity"):
        pods = affinity.get(name) or {}
        for index, term in enumerate(pods.get(REQUIRED) or ()):
            _check_pod_term(term, f"{path}.{name}.{REQUIRED}[{index}]", refusals)
        for index, weighted in enumerate(pods.get(PREFERRED) or ()):
            here = f"{path}.{name}.{PREFERRED}[{index}]"
            _check_weight(weighted, here, refusals)
            _check_pod_term(weighted.get("podAffinityTerm") or {}, f"{here}.podAffinityTerm", refusals)


def _check_weight(preferred: Manifest, path: str, refusals: Refusals) -> None:
    weight = preferred.get("weight") or 0
    if not 1 <= weight <= 100:
        refusals.invalid(f"{path}.weight", weight, "must be in the range 1-100")


def _check_pod_term(term: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("labelSelector", "namespaceSelector"):
        check_label_selector(term.get(name), f"{path}.{name}", refusals)
        check_values_of_selector(term.get(name), f"{path}.{name}", refusals)
    for namespace in term.get("namespaces") or ():
        formats.dns_label(namespace or "", f"{path}.namespace", refusals)
    _check_label_keys(term, path, refusals)
    if not term.get("topologyKey"):
        refusals.required(f"{path}.topologyKey")
    else:
        formats.qualified_name(term["topologyKey"], f"{path}.topologyKey", refusals)


def _check_label_keys(term: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with matchLabelKeys and mismatchLabelKeys, whose values come from the pod's labels."""
    selector, matched, mismatched = (term.get(name) for name in ("labelSelector", "matchLabelKeys", "mismatchLabelKeys"))
    for name, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            refusals.add(f"{path}.{name}", "must not be set without labelSelector")
        elif keys:
            for index, key in enumerate(keys):
                formats.qualified_name(key or "", f"{path}.{name}[{index}]", refusals)
    if selector is not None:
        _check_selected_twice(selector, matched or (), path, refusals)
    for index, key in enumerate(matched or ()):
        if key in (mismatched or ()):
            refusals.invalid(f"{path}.matchLabelKeys[{index}]", key, "is in both matchLabelKeys and mismatchLabelKeys")


def _check_selected_twice(selector: Manifest, matched: Sequence[str], path: str, refusals: Refusals) -> None:
    selected = set(selector.get("matchLabels") or {})
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key")
        if key in selected and key in matched:
            index = len(matched) - 1 - list(matched)[::-1].index(key)
            text = f"{shown(key)} is in both matchLabelKeys and labelSelector"
            refusals.add_at(f"{path}.matchLabelKeys[{index}]", f"{path}[{index}]", text)
        selected.add(key)


def check_tolerations(tolerations: Sequence[Manifest] | None, path: str, refusals: Refusals) -> None:
    """Add what is wrong with tolerations."""
    for index, toleration in enumerate(tolerations or ()):
        here = f"{path}[{index}]"
        key, operator, value, effect = (toleration.get(name) or "" for name in ("key", "operator", "value", "effect"))
        if key:
            formats.qualified_name(key, f"{here}.key", refusals)
        elif operator != "Exists":
            refusals.invalid(f"{here}.operator", operator, "must be Exists when key is empty, which tolerates every taint")
        if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
            refusals.invalid(f"{here}.effect", effect, "must be 'NoExecute' when tolerationSeconds is set")
        if operator == "Exists":
            if value:
                refusals.add_at(f"{here}.value", f"{here}.operator", f"value {shown(value)} must be empty with 'Exists'")
        elif operator in ("", "Equal"):
            formats.label_value(value, f"{here}.operator", refusals)
        else:
            refusals.unsupported(f"{here}.operator", operator, _OPERATORS)
        if effect:
            one_of(effect, f"{here}.effect", _EFFECTS, refusals)


def check_spread(constraints: Sequence[Manifest] | None, path: str, refusals: Refusals) -> None:
    """Add what is wrong with topology spread constraints."""
    spreads = [(spread.get("topologyKey") or "", spread.get("whenUnsatisfiable") or "") for spread in constraints or ()]
    for index, spread in enumerate(constraints or ()):
        here, (key, action) = f"{path}[{index}]", spreads[index]
        if (spread.get("maxSkew") or 0) <= 0:
            refusals.invalid(f"{here}.maxSkew", spread.get("maxSkew") or 0, "must be greater than zero")
        if not key:
            refusals.required(f"{here}.topologyKey")
        one_of(action, f"{here}.whenUnsatisfiable", _ACTIONS, refusals)
        if spreads[index] in spreads[index + 1 :]:
            refusals.add_at(
                here,
                f"{here}.{{topologyKey, whenUnsatisfiable}}",
                f"a later constraint has the same topologyKey and whenUnsatisfiable, {key} and {action}",
            )
        least = spread.get("minDomains")
        if least is not None and least <= 0:
            refusals.invalid(f"{here}.minDomains", least, "must be greater than zero")
        if least is not None and action != "DoNotSchedule":
            refusals.invalid(f"{here}.minDomains", least, f"needs whenUnsatisfiable DoNotSchedule, not {action}")
        for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            one_of(spread.get(name), f"{here}.{name}", _POLICIES, refusals)
        _check_label_keys({**spread, "mismatchLabelKeys": None}, here, refusals)
        selector = spread.get("labelSelector")
        check_label_selector(selector, f"{here}.labelSelector", refusals)
        check_values_of_selector(selector, f"{here}.labelSelector", refusals)
