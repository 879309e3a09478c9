"""Answers of disruption scenarios (oracle/core/FORMAT.md), held against the recorded ones.

Texts of events, blocked nodes and logs are compared only where `messages` asks for it.
"""

import json
import re
from fractions import Fraction

PARTS = [
    "synced",
    "first",
    "candidates",
    "commands",
    "nodes",
    "blocked",
    "budgets",
    "balanced",
    "hashes",
    "conditions",
    "expiry",
    "repair",
    "drain",
    "running",
    "events",
]
SUFFIX = {
    "": 1,
    "m": Fraction(1, 1000),
    "u": Fraction(1, 10**6),
    "n": Fraction(1, 10**9),
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "E": 10**18,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
    "Pi": 2**50,
    "Ei": 2**60,
}
LOOSE = "Not all pods would schedule"


def quantity(s):
    m = re.fullmatch(r"([+-]?[0-9.]+)(?:[eE]([+-]?[0-9]+))?([a-zA-Z]*)", str(s))
    if not m or m.group(3) not in SUFFIX:
        return str(s)
    return Fraction(m.group(1)) * Fraction(10) ** int(m.group(2) or 0) * SUFFIX[m.group(3)]


def close(a, b):
    if a is None or b is None:
        return a is b
    return abs(float(a) - float(b)) <= 1e-7 * max(1.0, abs(float(a)))


def requirement(r):
    return (r["key"], r["operator"], tuple(sorted(r.get("values") or [])), r.get("minValues"))


def same_types(exp, cand):
    """Equal lists but for the order inside a run of equal prices."""
    a, p, b = exp["instanceTypes"], exp.get("prices") or [], cand.get("instanceTypes", [])
    if len(a) != len(b):
        return f"{len(b)} instance types, expected {len(a)}: missing {sorted(set(a) - set(b))[:5]}, extra {sorted(set(b) - set(a))[:5]}"
    i = 0
    while i < len(a):
        j = i + 1
        while j < len(a) and len(p) == len(a) and p[j] == p[i]:
            j += 1
        if sorted(a[i:j]) != sorted(b[i:j]):
            return f"instance types {i}..{j - 1}: {b[i:j][:5]}, expected {a[i:j][:5]}"
        i = j
    q = cand.get("prices")
    if q is not None and p and (len(q) != len(p) or not all(close(x, y) for x, y in zip(p, q, strict=False))):
        return "prices differ"
    return None


def replacement_diff(e, c, messages):
    if e["nodePool"] != c.get("nodePool"):
        return f"NodePool {c.get('nodePool')}, expected {e['nodePool']}"
    if sorted(e["pods"]) != sorted(c.get("pods", [])):
        return f"pods {sorted(c.get('pods', []))[:5]}, expected {sorted(e['pods'])[:5]}"
    re_, rc = sorted(map(requirement, e["requirements"]), key=str), sorted(map(requirement, c.get("requirements", [])), key=str)
    if re_ != rc:
        return f"requirements: missing {[r for r in re_ if r not in rc]}, extra {[r for r in rc if r not in re_]}"
    qe = {k: quantity(v) for k, v in e.get("requests", {}).items()}
    qc = {k: quantity(v) for k, v in c.get("requests", {}).items()}
    if qe != qc:
        return f"requests {c.get('requests')}, expected {e.get('requests')}"
    d = same_types(e, c)
    if d:
        return d
    if messages and e.get("list", "") != c.get("list", ""):
        return f"type list {c.get('list')!r}, expected {e.get('list')!r}"
    return None


def command_diff(e, c, messages):
    for k in ("decision", "reason"):
        if e[k] != c.get(k):
            return f"{k} {c.get(k)}, expected {e[k]}"
    if sorted(e["nodes"]) != sorted(c.get("nodes", [])):
        return f"nodes {sorted(c.get('nodes', []))[:6]}, expected {sorted(e['nodes'])[:6]}"
    if not close(e["savings"], c.get("savings", 0)):
        return f"savings {c.get('savings')}, expected {e['savings']}"
    me = {k: sorted(v) for k, v in e.get("moves", {}).items()}
    mc = {k: sorted(v) for k, v in c.get("moves", {}).items()}
    if me != mc:
        return (
            f"moves: {[(k, mc.get(k), 'expected', me.get(k)) for k in sorted(set(me) | set(mc)) if me.get(k) != mc.get(k)][:3]}"
        )
    if set(e.get("podErrors", {})) != set(c.get("podErrors", {})):
        return f"pods with errors {sorted(c.get('podErrors', {}))[:5]}, expected {sorted(e.get('podErrors', {}))[:5]}"
    if messages and e.get("podErrors", {}) != c.get("podErrors", {}):
        return "pod error texts differ"
    if messages and "text" in e and e["text"] != c.get("text"):
        return f"text {c.get('text')!r}, expected {e['text']!r}"
    le, lc = e.get("replacements", []), list(c.get("replacements", []))
    if len(le) != len(lc):
        return f"{len(lc)} replacements, expected {len(le)}"
    for r in le:
        diffs = [replacement_diff(r, x, messages) for x in lc]
        if None not in diffs:
            return f"replacement {r['pods'][:3]}: {diffs[0] if diffs else 'missing'}"
        lc.pop(diffs.index(None))
    return None


def commands_diff(e, c, messages):
    if len(e) != len(c):
        return f"{len(c)} commands, expected {len(e)}"
    rest = list(c)
    for cmd in e:
        diffs = [command_diff(cmd, x, messages) for x in rest]
        if None not in diffs:
            return f"{cmd['decision']} {cmd['nodes'][:4]}: {diffs[0] if diffs else 'missing'}"
        rest.pop(diffs.index(None))
    return None


def similar(e, c):
    """Used where Karpenter has more free choices than are listed: same shape, same savings."""

    def shape(cs):
        return sorted(
            (x["decision"], x["reason"], len(x["nodes"]), round(x["savings"], 7), len(x.get("replacements", []))) for x in cs
        )

    return shape(e) == shape(c)


def event_key(ev, messages):
    msg = ev["message"] if messages else ""
    return (ev["object"], ev["reason"], LOOSE if msg.startswith(LOOSE) else msg)


def values_diff(path, e, c, out):
    """Generic comparison; numbers with tolerance, lists as sorted."""
    if isinstance(e, dict) and isinstance(c, dict):
        for k in sorted(set(e) | set(c)):
            if k not in c:
                out.append(f"{path}.{k}: missing")
            elif k not in e:
                out.append(f"{path}.{k}: not expected")
            else:
                values_diff(f"{path}.{k}", e[k], c[k], out)
    elif isinstance(e, list) and isinstance(c, list):
        if sorted(map(json.dumps, e)) != sorted(map(json.dumps, c)):
            out.append(f"{path}: {c}, expected {e}")
    elif isinstance(e, (int, float)) and not isinstance(e, bool) and isinstance(c, (int, float)) and not isinstance(c, bool):
        if e != c if isinstance(e, int) and isinstance(c, int) else not close(e, c):
            out.append(f"{path}: {c}, expected {e}")
    elif e != c:
        out.append(f"{path}: {c!r}, expected {e!r}")


def compare(e, c, messages=False, parts=PARTS, path=""):
    out = []
    for k in ("synced", "first"):
        if k in parts and e.get(k) != c.get(k):
            out.append(f"{path}{k}: {c.get(k)}, expected {e.get(k)}")
    for name, m in e.get("methods", {}).items():
        x = c.get("methods", {}).get(name)
        where = f"{path}{name}"
        if x is None:
            out.append(f"{where}: missing")
            continue
        if "candidates" in parts and sorted(m["candidates"]) != sorted(x.get("candidates", [])):
            a, b = set(m["candidates"]), set(x.get("candidates", []))
            out.append(f"{where}: candidates missing {sorted(a - b)[:8]}, extra {sorted(b - a)[:8]}")
        main = True
        if "commands" in parts:
            d = commands_diff(m["commands"], x.get("commands", []), messages)
            main = d is None
            if d and not any(commands_diff(alt, x.get("commands", []), False) is None for alt in m.get("alternatives", [])):
                if not (m.get("moreAlternatives") and similar(m["commands"], x.get("commands", []))):
                    out.append(f"{where}: {d}")
            if bool(m.get("error")) != bool(x.get("error")) or (messages and m.get("error") != x.get("error")):
                out.append(f"{where}: error {x.get('error')!r}, expected {m.get('error')!r}")
        if "events" in parts and main:

            def keep(evs):
                return [
                    v
                    for v in evs
                    if not (name == "multi" and v["reason"] == "ConsolidationCandidate" and len(m["candidates"]) > 10)
                ]

            a = {event_key(v, messages) for v in keep(m.get("events", []))}
            b = {event_key(v, messages) for v in keep(x.get("events", []))}
            if a != b:
                out.append(f"{where}: events missing {sorted(a - b)[:3]}, extra {sorted(b - a)[:3]}")
    if "nodes" in parts:
        values_diff(f"{path}nodes", e.get("nodes", {}), c.get("nodes", {}), out)
    if "blocked" in parts:

        def strip(b):
            return b if messages else {k: dict.fromkeys(v, "") for k, v in b.items()}

        values_diff(f"{path}blocked", strip(e.get("blocked", {})), strip(c.get("blocked", {})), out)
    for k in ("budgets", "balanced", "hashes", "conditions", "expiry"):
        if k in parts:
            values_diff(path + k, e.get(k, {}), c.get(k, {}), out)
    if "repair" in parts:

        def drop(r):
            return {k: v for k, v in r.items() if k != "events" or messages}

        values_diff(path + "repair", drop(e.get("repair", {})), drop(c.get("repair", {})), out)
    if "drain" in parts:

        def drop(r):
            return {k: v for k, v in r.items() if k != "message" or messages}

        values_diff(path + "drain", drop(e.get("drain", {})), drop(c.get("drain", {})), out)
    if "running" in parts:
        values_diff(path + "running", [sorted(x) for x in e.get("running", [])], [sorted(x) for x in c.get("running", [])], out)
        values_diff(path + "tainted", e.get("tainted", []), c.get("tainted", []), out)
    if messages and "events" in parts:
        values_diff(path + "poolEvents", e.get("poolEvents", {}), c.get("poolEvents", {}), out)
        values_diff(path + "podEvents", e.get("podEvents", {}), c.get("podEvents", {}), out)
    es, cs = e.get("steps", []), c.get("steps", [])
    if len(es) != len(cs):
        out.append(f"{path}steps: {len(cs)}, expected {len(es)}")
    for i, (a, b) in enumerate(zip(es, cs, strict=False)):
        out.extend(compare(a, b, messages, parts, f"{path}step {i + 1}: "))
    return out
