"""The ConfigMaps that configured Karpenter until 0.32, as values of its chart (spec: api-objects 7.6, 7.7)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.convert.changes import ConversionChange
from cutlist.api.findings import Finding
from cutlist.core.errors import nearest

SETTINGS: Final = "karpenter-global-settings"
LOGGING: Final = "config-logging"

_RENAMED: Final = {
    "batchMaxDuration": "batchMaxDuration",
    "batchIdleDuration": "batchIdleDuration",
    "aws.clusterName": "clusterName",
    "aws.clusterEndpoint": "clusterEndpoint",
    "aws.clusterCABundle": "clusterCABundle",
    "aws.isolatedVPC": "isolatedVPC",
    "aws.vmMemoryOverheadPercent": "vmMemoryOverheadPercent",
    "aws.interruptionQueueName": "interruptionQueue",
    "aws.reservedENIs": "reservedENIs",
}
"""Keys with a successor below `settings`."""

_DROPPED: Final = {
    "aws.assumeRoleARN": "removed in 1.0; give the controller the rights itself",
    "aws.assumeRoleDuration": "removed in 1.0; give the controller the rights itself",
    "aws.defaultInstanceProfile": "removed; write role or instanceProfile in every EC2NodeClass",
    "aws.enablePodENI": "removed; pod ENIs are always counted",
    "aws.enableENILimitedPodDensity": "removed; set spec.kubelet.maxPods of the EC2NodeClass for another density",
    "aws.tags": "removed; write them in spec.tags of every EC2NodeClass",
    "aws.nodeNameConvention": "removed; nodes are named after their private address by EKS",
    "featureGates.driftEnabled": "removed in 1.0; drift is always on",
}
_ZAP: Final = "zap-logger-config"
_ZAP_VALUES: Final = {"level": "logLevel", "outputPaths": "logOutputPaths", "errorOutputPaths": "logErrorOutputPaths"}
_LEVEL: Final = "loglevel.controller"
_WEBHOOK_LEVEL: Final = "loglevel.webhook"
_SWITCHES: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class ChartValues:
    """Values of the chart, the messages about each key, and the mistakes in the ConfigMap."""

    values: Mapping[str, Any]
    changes: tuple[ConversionChange, ...] = ()
    findings: tuple[Finding, ...] = ()


def is_settings(manifest: Mapping[str, Any]) -> bool:
    """Tell whether an object is one of the two ConfigMaps."""
    name = (manifest.get("metadata") or {}).get("name") if isinstance(manifest.get("metadata"), dict) else None
    return (manifest.get("apiVersion"), manifest.get("kind")) == ("v1", "ConfigMap") and name in (SETTINGS, LOGGING)


def chart_values(config_map: Mapping[str, Any]) -> ChartValues:
    """Return the chart values that correspond to one of the ConfigMaps. Nothing is dropped silently."""
    data = config_map.get("data") or {}
    if not isinstance(data, dict):
        return ChartValues({}, findings=(Finding("data", "is not a mapping of keys to text"),))
    wrong = [Finding(f"data.{k}", "is not text", nearest=json.dumps(str(v))) for k, v in data.items() if not isinstance(v, str)]
    if wrong:
        return ChartValues({}, findings=tuple(wrong))
    return _logging(data) if config_map["metadata"]["name"] == LOGGING else _settings(data)


def _settings(data: Mapping[str, str]) -> ChartValues:
    settings: dict[str, Any] = {}
    changes = []
    for key, text in data.items():
        name = _RENAMED.get(key)
        if name is not None:
            settings[name] = _SWITCHES.get(text, text) if name == "isolatedVPC" else text
            changes.append(ConversionChange("carried over", f"{key} is settings.{name}", f"data.{key}", f"settings.{name}"))
        else:
            changes.append(_without_successor(key, text))
    return ChartValues({"settings": settings} if settings else {}, tuple(changes))


def _without_successor(key: str, text: str) -> ConversionChange:
    if key == "featureGates.driftEnabled" and text == "false":
        return ConversionChange("changes meaning", f"{key} is {_DROPPED[key]}: it was off", f"data.{key}")
    if key in _DROPPED:
        return ConversionChange("lost", f"{key} is {_DROPPED[key]}", f"data.{key}")
    return _unknown(key, (*_RENAMED, *_DROPPED))


def _unknown(key: str, known: tuple[str, ...]) -> ConversionChange:
    near = nearest(key, known)
    advice = f"did you mean {near}?" if near else "look for it in the values of the chart"
    return ConversionChange(
        "needs a decision", f"{key} is not a key that Karpenter had, and stands in no value", f"data.{key}", "", advice
    )


def _logging(data: Mapping[str, str]) -> ChartValues:
    values: dict[str, Any] = {}
    changes: list[ConversionChange] = []
    findings: list[Finding] = []
    for key, text in data.items():
        if key == _ZAP:
            _read_zap(text, values, changes, findings)
        elif key == _WEBHOOK_LEVEL:
            changes.append(ConversionChange("lost", f"{key} was removed with the webhook in 1.1", f"data.{key}"))
        elif key != _LEVEL:
            changes.append(_unknown(key, (_ZAP, _LEVEL, _WEBHOOK_LEVEL)))
    if _LEVEL in data:
        other = values.get("logLevel", data[_LEVEL])
        won = "" if other == data[_LEVEL] else f", and wins over {other} of {_ZAP}"
        values = {"logLevel": data[_LEVEL], **{k: v for k, v in values.items() if k != "logLevel"}}
        changes.append(ConversionChange("carried over", f"{_LEVEL} is logLevel{won}", f"data.{_LEVEL}", "logLevel"))
    return ChartValues(values, tuple(changes), tuple(findings))


def _read_zap(text: str, values: dict[str, Any], changes: list[ConversionChange], findings: list[Finding]) -> None:
    path, bare = f"data.{_ZAP}", without_comments(text)
    if bare != text:
        message = f"{_ZAP} is JSON with # comments in it, which JSON does not have; they are ignored"
        changes.append(ConversionChange("lost", message, path))
    try:
        config = json.loads(bare)
    except ValueError as error:  # includes text that is nested too deeply
        findings.append(Finding(path, f"is not JSON: {error}"))
        return
    except RecursionError:
        findings.append(Finding(path, "is not JSON that can be used: it is nested too deeply"))
        return
    if not isinstance(config, dict):
        findings.append(Finding(path, "is not a JSON object"))
        return
    values.update(_zap_values(config, changes, path))
    dropped = [key for key in config if key not in _ZAP_VALUES]
    if dropped:
        message = f"{', '.join(dropped)} of {_ZAP} have no successor: Karpenter writes JSON, in one form"
        changes.append(ConversionChange("lost", message, path))


def _zap_values(config: Mapping[str, Any], changes: list[ConversionChange], path: str) -> Iterator[tuple[str, Any]]:
    for key, name in _ZAP_VALUES.items():
        if key in config:
            changes.append(ConversionChange("carried over", f"{key} of {_ZAP} is {name}", path, name))
            yield name, config[key]


def without_comments(text: str) -> str:
    """Return JSON text without comments, which run from a `#` outside of quotes to the end of the line."""
    kept: list[str] = []
    in_quotes = in_comment = escaped = False
    for letter in text:
        if in_comment and letter != "\n":
            continue
        in_comment = letter == "#" and not in_quotes
        if in_comment:
            continue
        if letter == '"' and not escaped:
            in_quotes = not in_quotes
        escaped = in_quotes and letter == "\\" and not escaped
        kept.append(letter)
    return "".join(kept)
