"""What a cluster's installation says about how many volumes its nodes attach: settings of the disks' CSI drivers (VL-15).

They are arguments of the driver's DaemonSets, values of its chart, the configuration of EKS' add-on, and `volumes` of Figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.csi import AZURE_DISK, EBS
from cutlist.core.notes import Note
from cutlist.core.shapes import closed, integer
from cutlist.core.wording import counted
from cutlist.documents.document import Document
from cutlist.documents.members import containers_of_template, entries, mapping, text
from cutlist.planning.installed_charts import installed_charts
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pods import Pod

VOLUMES: Final = closed(optional={"attachLimit": integer(1), "reservedAttachments": integer(0)})
"""The part `volumes` of a document of kind Figures."""
ATTACH_SETTING: Final = "attach-setting"
"""The code of the warning that a driver does not start with what is set."""
_BY_CONTAINER: Final = {"ebs-plugin": EBS, "azuredisk": AZURE_DISK}
_BY_CHART: Final = {"aws-ebs-csi-driver": EBS, "azuredisk-csi-driver": AZURE_DISK}
_RESERVED: Final = {EBS: "reserved-volume-attachments", AZURE_DISK: "reserved-data-disk-slot-num"}
ARGUMENT: Final = r"--?(volume-attach-limit|reserved-volume-attachments|reserved-data-disk-slot-num)(?:=(.*))?"
"""The arguments of CSI drivers that say how many volumes nodes attach."""
_FLAG: Final = re.compile(ARGUMENT)
_LIMIT: Final = "volume-attach-limit"


@dataclass(frozen=True, slots=True)
class AttachSetting:
    """How many volumes a CSI driver says that a node attaches: `limit`, or all places but those `reserved`.

    `where` says in words where that is set. `pod` is the driver's own on the nodes that it is for; None for all nodes.
    """

    driver: str
    limit: int | None
    reserved: int | None
    where: str
    pod: Pod | None = None


@dataclass(frozen=True, slots=True)
class AttachFigures:
    """What a document of kind Figures says about the driver of a cloud's disks; None where it says nothing."""

    limit: int | None = None
    reserved: int | None = None

    @staticmethod
    def of(data: Mapping[str, Any]) -> AttachFigures:
        """Return the figures of a checked part `volumes`."""
        return AttachFigures(data.get("attachLimit"), data.get("reservedAttachments"))


def attach_settings(
    figures: AttachFigures, documents: Iterable[Document], daemons: Iterable[DaemonSet], *, on_azure: bool
) -> tuple[AttachSetting, ...]:
    """Return what is set: by Figures, by DaemonSets, by charts and add-ons. Of several for a node, the first counts."""
    documents = tuple(documents)
    pods = {(d.namespace, d.name): d.pod for d in daemons}
    own = _settings(AZURE_DISK if on_azure else EBS, figures.limit, figures.reserved, "your own figures")
    return (*own, *_of_daemon_sets(documents, pods), *_of_charts(documents))


def attach_setting_notes(settings: Iterable[AttachSetting]) -> list[Note]:
    """Return warnings of settings that exclude each other: the driver of EBS does not start with both."""
    text_ = "the EBS CSI driver does not start with both a limit and reserved places for volumes"
    both = [s for s in settings if s.driver == EBS and s.limit is not None and s.reserved is not None]
    return [Note(ATTACH_SETTING, f"{s.where}: {text_}; the plan follows the limit") for s in both]


def attach_assumptions(settings: Iterable[AttachSetting]) -> list[Note]:
    """Return notes on the settings that a plan with volumes follows."""
    return [
        Note(
            ATTACH_SETTING,
            f"nodes attach {_in_words(s)} of {s.driver}{' where its pod runs' if s.pod else ''}, as set by {s.where}",
        )
        for s in settings
    ]


def _in_words(setting: AttachSetting) -> str:
    if setting.limit is not None:
        return counted(setting.limit, "volume")
    return f"all volumes but {setting.reserved}"


def _settings(driver: str, limit: Any, reserved: Any, where: str, pod: Pod | None = None) -> Iterator[AttachSetting]:
    most, kept = _count(limit), _count(reserved)
    # Helm leaves out a zero, and Azure's driver reads a limit of zero as one.
    most = None if most == 0 and driver == EBS else most
    if most is not None or kept is not None:
        yield AttachSetting(driver, most, kept, where, pod)


def _count(value: Any) -> int | None:
    """Return a number that may be written as a text; None for -1, which means that nothing is set."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _of_daemon_sets(documents: Iterable[Document], pods: Mapping[tuple[str, str], Pod]) -> Iterator[AttachSetting]:
    for document in documents:
        if document.kind != "DaemonSet":
            continue
        for container in containers_of_template(document.data):
            driver = _BY_CONTAINER.get(text(container.get("name")))
            if driver is None:
                continue
            written = _arguments([*entries(container.get("command")), *entries(container.get("args"))])
            namespace = text(mapping(document.data.get("metadata")).get("namespace")) or "default"
            pod = pods.get((namespace, document.name))
            named = f"DaemonSet {document.name} ({document.place})"
            yield from _settings(driver, written.get(_LIMIT), written.get(_RESERVED[driver]), named, pod)


def _arguments(written: Iterable[Any]) -> dict[str, str]:
    """Return the values of the flags among arguments, as `--flag=value` or in two."""
    found: dict[str, str] = {}
    waiting = ""
    for argument in written:
        if waiting:
            found[waiting], waiting = str(argument), ""
        elif isinstance(argument, str) and (match := _FLAG.fullmatch(argument)) is not None:
            if match[2] is None:
                waiting = match[1]
            else:
                found[match[1]] = match[2]
    return found


def _of_charts(documents: Iterable[Document]) -> Iterator[AttachSetting]:
    for chart in installed_charts(documents):
        driver = _BY_CHART.get(chart.name)
        if driver is not None:
            node, where = mapping(chart.values.get("node")), f"{chart.name} ({chart.place})"
            if driver == EBS:
                yield from _settings(driver, node.get("volumeAttachLimit"), node.get("reservedVolumeAttachments"), where)
                yield from _additional(chart.values, where)
            else:
                limit = mapping(chart.values.get("driver")).get("volumeAttachLimit")
                yield from _settings(driver, limit, node.get("reservedDataDiskSlotNum"), where)


def _additional(values: Mapping[str, Any], where: str) -> Iterator[AttachSetting]:
    """Yield the settings of further DaemonSets of EBS' chart that select their nodes by labels."""
    for name, of in mapping(values.get("additionalDaemonSets")).items():
        labels = {key: value for key, value in mapping(mapping(of).get("nodeSelector")).items() if isinstance(value, str)}
        if labels:
            pod = Pod(node_selector=labels)
            limit, reserved = mapping(of).get("volumeAttachLimit"), mapping(of).get("reservedVolumeAttachments")
            yield from _settings(EBS, limit, reserved, f"{name} of {where}", pod)
