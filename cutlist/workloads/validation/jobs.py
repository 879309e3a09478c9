"""Jobs and CronJobs (W-65 to W-70)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.api import schedules
from cutlist.core.errors import Problems
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.pods import check_template
from cutlist.workloads.validation.refusals import Refusals, not_negative, one_of
from cutlist.workloads.validation.selectors import check_label_selector, labels_text, selects
from cutlist.workloads.validation.success_policies import check_success_policy

Manifest = Mapping[str, Any]

_COUNTS: Final = (
    *("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"),
    *("backoffLimitPerIndex", "maxFailedIndexes"),
)
_MOST_PARALLEL: Final = 100_000
_MOST_RULES: Final = 20
_MOST_CONDITIONS: Final = 20
_MOST_CODES: Final = 255
_LONGEST_LABEL: Final = 63
_LONGEST_CRON_NAME: Final = 52  # the controller appends 11 characters to the names of Jobs, which have at most 63
_ACTIONS: Final = ("Count", "FailIndex", "FailJob", "Ignore")
_ZONE_PART: Final = re.compile(r"(?!-)[A-Za-z._0-9+-]{1,14}", re.ASCII)
_AREAS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile", "Etc"}
    | {"Europe", "Indian", "Mexico", "Pacific", "US"}
)
_ZONES_WITHOUT_AREA: Final = frozenset(
    {"CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT", "GMT+0", "GMT-0", "GMT0"}
    | {"Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST"}
    | {"MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey"}
    | {"UCT", "UTC", "Universal", "W-SU", "WET", "Zulu"}
)
"""Names of the time zone database (https://www.iana.org/time-zones, read 2026-11-23)."""


def check_job(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a Job."""
    spec, name = manifest.get("spec") or {}, (manifest.get("metadata") or {}).get("name") or ""
    _check_job_spec(spec, "spec", refusals)
    if spec.get("manualSelector") is True:
        selector = spec.get("selector")
        if selector is None:
            refusals.required("spec.selector", "manualSelector is true")
        check_label_selector(selector, "spec.selector", refusals)
        labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
        if selector is not None and not selects(selector, labels):
            wanted = labels_text(selector.get("matchLabels") or {})
            refusals.add("spec.template.metadata.labels", "do not match the selector", wanted)
    elif name:
        _check_generated_label(name, refusals)
    if spec.get("selector") and spec.get("manualSelector") is not True and refusals.is_whole:
        refusals.add("spec.selector", "is set by the API server unless manualSelector is true")
    if spec.get("completionMode") == "Indexed" and (spec.get("completions") or 0) > 0:
        host = f"{name}-{spec['completions'] - 1}"
        if len(host) > _LONGEST_LABEL or "." in host:
            refusals.invalid("metadata.name", name, f"would name a pod's host {host}, which is not a DNS label")


def _check_generated_label(name: str, refusals: Refusals) -> None:
    """Add that a Job's name cannot be the label that the API server gives its pods."""
    problems = Problems()
    formats.label_value(name, "", Refusals(refusals.document, problems))
    if problems:
        refusals.add_at(
            "metadata.name", "spec.template.labels", f"the label job-name cannot be {shown(name)}", "at most 63 characters"
        )


def check_cron_job(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a CronJob."""
    spec, name = manifest.get("spec") or {}, (manifest.get("metadata") or {}).get("name") or ""
    if len(name) > _LONGEST_CRON_NAME:
        refusals.invalid("metadata.name", name, f"must have at most {_LONGEST_CRON_NAME} characters")
    _check_schedule(spec.get("schedule") or "", refusals)
    if spec.get("timeZone") is not None:
        _check_time_zone(spec["timeZone"], refusals)
    for count in ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"):
        not_negative(spec.get(count), f"spec.{count}", refusals)
    policies = ("Allow", "Forbid", "Replace")
    one_of(spec.get("concurrencyPolicy") or None, "spec.concurrencyPolicy", policies, refusals)
    job = (spec.get("jobTemplate") or {}).get("spec") or {}
    _check_job_spec(job, "spec.jobTemplate.spec", refusals)
    if job.get("selector") is not None:
        refusals.add("spec.jobTemplate.spec.selector", "is set by the API server")
    if job.get("manualSelector") is True:
        refusals.add("spec.jobTemplate.spec.manualSelector", "cannot be true for the Jobs of a CronJob", "false")


def _check_job_spec(spec: Manifest, path: str, refusals: Refusals) -> None:
    for name in _COUNTS:
        not_negative(spec.get(name), f"{path}.{name}", refusals)
    mode = spec.get("completionMode")
    one_of(mode, f"{path}.completionMode", ("NonIndexed", "Indexed"), refusals)
    if spec.get("managedBy") is not None:
        _check_manager(spec["managedBy"], f"{path}.managedBy", refusals)
    _check_indexes(spec, path, refusals)
    _check_failure_policy(spec, path, refusals)
    check_success_policy(spec, path, refusals)
    replacement = ("Failed",) if spec.get("podFailurePolicy") is not None else ("Failed", "TerminatingOrFailed")
    one_of(spec.get("podReplacementPolicy"), f"{path}.podReplacementPolicy", replacement, refusals)
    template = spec.get("template") or {}
    check_template(template, f"{path}.template", refusals)
    _check_restart_policy(spec, template, f"{path}.template.spec.restartPolicy", refusals)


def _check_restart_policy(spec: Manifest, template: Manifest, path: str, refusals: Refusals) -> None:
    restart = (template.get("spec") or {}).get("restartPolicy") or ""
    if restart in ("", "Always"):
        refusals.add(path, f"{shown(restart or 'Always')} is not for Jobs, whose pods end", "OnFailure, Never")
    elif restart == "OnFailure" and spec.get("podFailurePolicy") is not None:
        refusals.invalid(path, restart, "must be 'Never' when podFailurePolicy is set")


def _check_manager(value: str, path: str, refusals: Refusals) -> None:
    domain, slash, rest = value.partition("/")
    if not (domain and slash and rest):
        refusals.invalid(path, value, "must be a path below a domain", "such as example.com/controller")
    else:
        formats.subdomain(domain, path, refusals)
    if len(value) > _LONGEST_LABEL:
        refusals.add(path, f"has {len(value)} characters", f"at most {_LONGEST_LABEL}")


def _check_indexes(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the counts of indexed Jobs, and such counts of other Jobs."""
    completions, failed = spec.get("completions"), spec.get("maxFailedIndexes")
    if failed is not None and spec.get("backoffLimitPerIndex") is None:
        refusals.required(f"{path}.backoffLimitPerIndex", "maxFailedIndexes needs it")
    if (mode := spec.get("completionMode")) != "Indexed":
        of_indexes = ("backoffLimitPerIndex", "maxFailedIndexes") if mode in (None, "NonIndexed") else ()
        for name in (*of_indexes, "successPolicy"):
            if spec.get(name) is not None:
                refusals.add(f"{path}.{name}", "needs completionMode Indexed")
        return
    if completions is None and spec.get("parallelism") is not None:
        refusals.required(f"{path}.completions", "completionMode is Indexed")
    if (spec.get("parallelism") or 0) > _MOST_PARALLEL:
        text = f"must be at most {_MOST_PARALLEL} when completionMode is Indexed"
        refusals.invalid(f"{path}.parallelism", spec["parallelism"], text)
    if failed is not None and failed > min(_MOST_PARALLEL, completions if completions is not None else _MOST_PARALLEL):
        refusals.invalid(f"{path}.maxFailedIndexes", failed, "must be at most completions, and at most 100000")


def _check_failure_policy(spec: Manifest, path: str, refusals: Refusals) -> None:
    rules: Sequence[Manifest] = (spec.get("podFailurePolicy") or {}).get("rules") or ()
    pod = ((spec.get("template") or {}).get("spec")) or {}
    containers = [c.get("name") for part in ("containers", "initContainers") for c in pod.get(part) or ()]
    if len(rules) > _MOST_RULES:
        refusals.add(f"{path}.podFailurePolicy.rules", f"has {len(rules)} rules", f"at most {_MOST_RULES}")
    for index, rule in enumerate(rules):
        here, action = f"{path}.podFailurePolicy.rules[{index}]", rule.get("action") or ""
        one_of(action, f"{here}.action", _ACTIONS, refusals)
        if action == "FailIndex" and spec.get("backoffLimitPerIndex") is None:
            refusals.invalid(f"{here}.action", action, "needs backoffLimitPerIndex")
        codes, conditions = rule.get("onExitCodes"), rule.get("onPodConditions") or ()
        if len(conditions) > _MOST_CONDITIONS:
            refusals.add(f"{here}.onPodConditions", f"has {len(conditions)} entries", f"at most {_MOST_CONDITIONS}")
        if (codes is None) == (not conditions):
            refusals.add(here, "must have either onExitCodes or onPodConditions")
        if codes is not None:
            _check_exit_codes(codes, f"{here}.onExitCodes", containers, refusals)
        for position, condition in enumerate(conditions):
            of_condition = f"{here}.onPodConditions[{position}]"
            formats.qualified_name(condition.get("type") or "", f"{of_condition}.type", refusals)
            one_of(condition.get("status") or None, f"{of_condition}.status", ("False", "True", "Unknown"), refusals)


def _check_exit_codes(codes: Manifest, path: str, containers: Sequence[Any], refusals: Refusals) -> None:
    operator = codes.get("operator") or ""
    values = [value or 0 for value in codes.get("values") or ()]
    one_of(operator, f"{path}.operator", ("In", "NotIn"), refusals)
    if codes.get("containerName") is not None and codes["containerName"] not in containers:
        refusals.not_found(f"{path}.containerName", codes["containerName"], "container", filter(None, containers))
    if not values:
        refusals.add(f"{path}.values", "is empty; at least one value is needed")
    if len(values) > _MOST_CODES:
        refusals.add(f"{path}.values", f"has {len(values)} values", f"at most {_MOST_CODES}")
    for index in formats.first_repeated(values):
        refusals.duplicate(f"{path}.values[{index}]", values[index])
    if operator == "In" and 0 in values:
        refusals.add(f"{path}.values[{values.index(0)}]", "0 is success; it must not be listed for the operator In")
    if values != sorted(values):
        refusals.add(f"{path}.values", "must be in ascending order")


def _check_schedule(schedule: str, refusals: Refusals) -> None:
    if not schedule:
        refusals.required("spec.schedule")
    elif "TZ" in schedule:
        refusals.invalid("spec.schedule", schedule, "must not name a time zone; spec.timeZone does")
    elif not schedule.startswith("@every ") and (mistake := schedules.mistake(schedule)):
        refusals.add("spec.schedule", mistake)


def _check_time_zone(zone: str, refusals: Refusals) -> None:
    """Add why a text cannot be a time zone. The cities of an area are not checked: the API server's own list decides."""
    area, *places = zone.split("/")
    is_formed = all(_ZONE_PART.fullmatch(part) and part not in (".", "..") for part in (area, *places))
    if not is_formed or area not in (_AREAS if places else _ZONES_WITHOUT_AREA):
        refusals.invalid(
            "spec.timeZone", zone, "is not a time zone", "a name of the IANA list, such as Europe/Berlin or Etc/UTC"
        )
