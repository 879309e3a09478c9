"""Remedies as sentences."""

from __future__ import annotations

from cutlist.catalog.prices import a_month
from cutlist.core.quantity import NANO, amount_text
from cutlist.core.wording import counted, currency_sign, listed, monthly
from cutlist.planning.reasons import PoolRemarks
from cutlist.planning.remedies.changes import (
    AddOverlay,
    Allow,
    Correct,
    CountShares,
    Drop,
    EnlargeDisk,
    FewerHugePages,
    Loosen,
    MoveToStartup,
    MoveVolume,
    OfOthers,
    OfPool,
    RaiseLimit,
    RaiseReplicas,
    Remedy,
    RequestDevices,
    RequestOther,
    RequireOther,
    Shrink,
    Tolerate,
    Widen,
)
from cutlist.providers.instance_types import EPHEMERAL_STORAGE
from cutlist.settings.planning import EXTERNAL_CLASSES
from cutlist.state.scheduling_node import NODES


def pool_advice(remedy: Remedy, remarks: PoolRemarks) -> str:
    """Return a single change that was found to help, as a sentence. What an assumed disk refuses is no reason to request
    less."""
    match remedy:
        case Shrink(pool, resource) if resource == EPHEMERAL_STORAGE and pool in remarks.assumed_disks:
            return _named_disk()
        case EnlargeDisk(pool) if pool in remarks.assumed_disks:
            return _named_disk()
    return _advice(remedy, remarks.currency)


def _named_disk() -> str:
    return f"name the class together with its disk, as in {EXTERNAL_CLASSES.flag} NAME:disk=200Gi"


def _advice(remedy: Remedy, currency: str) -> str:
    match remedy:
        case RaiseLimit() | RaiseReplicas() | MoveToStartup() | Allow() | Widen() | Correct():
            return _of_pool(remedy, currency)
    text = f"{_condition(remedy)} it fits NodePool {remedy.node_pool}"
    match remedy:
        case Drop(_, _, values) if values:
            return f"{text}, as it does with {listed(values)} among the values of that label there"
        case Shrink(larger=Allow(_, key, values)):
            return f"{text}, as it does with {listed(values)} among the values of {key} there"
    return text


def _condition(remedy: OfOthers) -> str:
    """Return with what or without what pods fit a NodePool, for the beginning of a sentence."""
    match remedy:
        case EnlargeDisk() | FewerHugePages() | AddOverlay() | CountShares():
            return _of_nodes(remedy)
        case Tolerate(_, taints):
            return f"with a toleration for {listed(taints)}"
        case RequireOther(_, key, value, other_key, other):
            return f"with {other} in place of {value} as {key}" if key == other_key else f"with {other_key} in place of {key}"
        case Drop(_, key):
            return f"without its requirement on {key}"
        case RequestOther(_, resource, others):
            return f"with {' or '.join(others)} in place of {resource}"
        case RequestDevices(_, resource):
            return f"with a limit of {resource}: 1 in place of its resource claims"
        case Shrink(_, resource, to, replicas, _):
            shared = f" or, where a part of a GPU is enough for it, with {replicas} replicas of each in the device plugin's "
            shared += "configuration and a NodeOverlay that counts them,"
            less = f"with {_article(resource)} {resource} request of at most {amount_text(resource, to)}"
            return less + (shared if replicas else "")
        case Loosen(_, kinds):
            return f"without its {listed(kinds) if kinds else 'topology rules'}"
        case MoveVolume(_, claims):
            return f"with {listed(claims)} in another place"


def _of_nodes(remedy: EnlargeDisk | FewerHugePages | AddOverlay | CountShares) -> str:
    """Return what a node class or a NodeOverlay gives the nodes."""
    match remedy:
        case EnlargeDisk(_, of, raid0, size, device):
            disk = f"a disk of {size}" + (f" ({device})" if device else "")
            ways = ["instanceStorePolicy: RAID0"] * raid0 + [disk] * bool(size)
            return f"with {' or '.join(ways)} in {of}"
        case FewerHugePages(_, overlay, resource, to):
            return f"with only {amount_text(resource, to)} of {resource} in NodeOverlay {overlay}"
        case AddOverlay(_, resource, amount):
            given = f"{resource}: {amount_text(resource, amount)}"
            return f"with a NodeOverlay that gives its nodes {given} (feature gate NodeOverlay)"
        case CountShares(_, source, of_each):
            each = listed(f"{amount} {resource}" for resource, amount in of_each)
            counts = f"counts {each} for each GPU" if each else "counts the parts of its GPUs"
            return f"with a NodeOverlay that {counts}, as {source} makes them (feature gate NodeOverlay),"


def _of_pool(remedy: OfPool, currency: str) -> str:
    match remedy:
        case RaiseLimit():
            return _raised(remedy, currency)
        case RaiseReplicas(pool, to, limit):
            besides = "" if limit is None else f" and limits.nodes: {limit}"
            return f"with replicas: {to}{besides}, NodePool {pool} has {counted(to, 'node')} and room for them"
        case MoveToStartup(pool, taints):
            return f"move {listed(taints)} of NodePool {pool} from taints to startupTaints: an agent removes it once it runs"
        case Correct(pool, key, values, others):
            return f"with {listed(others)} in place of {listed(values)} as {key}, NodePool {pool} has instance types that fit"
        case Widen(pool, key):
            return f"without its requirement on {key}, NodePool {pool} has instance types that fit"
        case Allow(pool, key, values, managed):
            if managed:
                return f"with a NodePool of your own that is like {pool} and allows {key} In [{', '.join(values)}] it fits"
            return f"with {listed(values)} among the values of {key} in NodePool {pool} it fits there"


def _raised(remedy: RaiseLimit, currency: str) -> str:
    """Return which limits are to be raised by how much, for how many pods, and what that costs."""
    match remedy.by:
        case ((resource, by),) if resource == NODES:
            what = f"raise the limit on nodes of NodePool {remedy.node_pool} by {by // NANO:,} (limits.nodes)"
        case ((resource, by),):
            what = f"raise the {resource} limit of NodePool {remedy.node_pool} by {amount_text(resource, by)}"
        case several:
            amounts = listed(f"{resource} by {amount_text(resource, by)}" for resource, by in several)
            what = f"raise the limits of NodePool {remedy.node_pool}: {amounts}"
    it = "it" if len(remedy.by) == 1 else "them"
    pods = f"the pod that waits for {it} gets" if remedy.pods == 1 else f"the {remedy.pods:,} pods that wait for {it} get"
    if remedy.price is None:
        return f"{what}: {pods} a node"
    month = a_month(remedy.price)
    about, amount = ("about ", _roughly(abs(month))) if remedy.is_estimated else ("", monthly(abs(month)))
    more = "more" if month >= 0 else "less"
    return f"{what}: {pods} a node, for {about}{currency_sign(currency)}{amount} a month {more}"


def _roughly(amount: float) -> str:
    """Return an amount that rests on estimates with two digits: these are off by a tenth in the median."""
    rounded = float(f"{amount:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"


def _article(resource: str) -> str:
    return "an" if resource.startswith(("a", "e", "i", "o", "u", "nv")) else "a"  # as they are spoken
