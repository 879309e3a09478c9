"""Answers of disruption scenarios (tools/oracle/core/FORMAT.md), compared with the recorded ones.

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
VALUES = ("nodes", "blocked", "budgets", "balanced", "hashes", "conditions", "expiry", "repair", "drain")
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
    """Return equal lists but for the order inside a run of equal prices."""
    a, p, b = exp["instanceTypes"], exp.get("prices") or [], cand.get("instanceTypes", [])
    if len(a) != len(b):
        missing, extra = sorted(set(a) - set(b))[:5], sorted(set(b) - set(a))[:5]
        return f"{len(b)} instance types, expected {len(a)}: missing {missing}, extra {extra}"
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


def _values(path, e, c, out):
    """Generic comparison; numbers with tolerance, lists as sorted."""
    if isinstance(e, dict) and isinstance(c, dict):
        for k in sorted(set(e) | set(c)):
            if k not in c:
                out.append(f"{path}.{k}: missing")
            elif k not in e:
                out.append(f"{path}.{k}: not expected")
            else:
                _values(f"{path}.{k}", e[k], c[k], out)
    elif isinstance(e, list) and isinstance(c, list):
        if sorted(map(json.dumps, e)) != sorted(map(json.dumps, c)):
            out.append(f"{path}: {c}, expected {e}")
    elif isinstance(e, (int, float)) and not isinstance(e, bool) and isinstance(c, (int, float)) and not isinstance(c, bool):
        if e != c if isinstance(e, int) and isinstance(c, int) else not close(e, c):
            out.append(f"{path}: {c}, expected {e}")
    elif e != c:
        out.append(f"{path}: {c!r}, expected {e!r}")


def compare(expected, answer, messages=False, parts=PARTS, path=""):
    """Return what sets an answer apart from the recorded one; nothing when it is right."""
    differences = [
        f"{path}{part}: {answer.get(part)}, expected {expected.get(part)}"
        for part in ("synced", "first")
        if part in parts and expected.get(part) != answer.get(part)
    ]
    for name, method in expected.get("methods", {}).items():
        differences += _method(f"{path}{name}", name, method, answer.get("methods", {}).get(name), messages, parts)
    for part in VALUES:
        if part in parts:
            _values(path + part, _shown(part, expected, messages), _shown(part, answer, messages), differences)
    if "running" in parts:
        running = ([sorted(command) for command in each.get("running", [])] for each in (expected, answer))
        _values(f"{path}running", *running, differences)
        _values(f"{path}tainted", expected.get("tainted", []), answer.get("tainted", []), differences)
    if messages and "events" in parts:
        for part in ("poolEvents", "podEvents"):
            _values(path + part, expected.get(part, {}), answer.get(part, {}), differences)
    steps, answered = expected.get("steps", []), answer.get("steps", [])
    if len(steps) != len(answered):
        differences.append(f"{path}steps: {len(answered)}, expected {len(steps)}")
    for number, (step, other) in enumerate(zip(steps, answered, strict=False), 1):
        differences += compare(step, other, messages, parts, f"{path}step {number}: ")
    return differences


def _shown(part, answer, messages):
    """Return a part of an answer as it is compared: texts are left out where they do not count."""
    value = answer.get(part, {})
    if messages:
        return value
    if part == "blocked":
        return {kind: dict.fromkeys(names, "") for kind, names in value.items()}
    hidden = {"repair": "events", "drain": "message"}.get(part)
    return {key: inner for key, inner in value.items() if key != hidden} if hidden else value


def _method(where, name, expected, answer, messages, parts):
    """Return what sets the answer of one method apart."""
    if answer is None:
        return [f"{where}: missing"]
    differences = []
    if "candidates" in parts:
        differences += _missing_and_extra(f"{where}: candidates", expected["candidates"], answer.get("candidates", []), 8)
    same_commands = True
    if "commands" in parts:
        difference = commands_diff(expected["commands"], answer.get("commands", []), messages)
        same_commands = difference is None
        if difference and not _is_alternative(expected, answer):
            differences.append(f"{where}: {difference}")
        if _error(expected, messages) != _error(answer, messages):
            differences.append(f"{where}: error {answer.get('error')!r}, expected {expected.get('error')!r}")
    if "events" in parts and same_commands:
        # Of many candidates Karpenter names some, in the order of a map.
        skipped = "ConsolidationCandidate" if name == "multi" and len(expected["candidates"]) > 10 else None
        events = (
            [event_key(e, messages) for e in each.get("events", []) if e["reason"] != skipped] for each in (expected, answer)
        )
        differences += _missing_and_extra(f"{where}: events", *events, 3)
    return differences


def _missing_and_extra(what, expected, answered, most):
    missing, extra = set(expected) - set(answered), set(answered) - set(expected)
    return [f"{what} missing {sorted(missing)[:most]}, extra {sorted(extra)[:most]}"] if missing or extra else []


def _error(answer, messages):
    return answer.get("error") if messages else bool(answer.get("error"))


def _is_alternative(expected, answer):
    """Tell whether the commands are other ones that Karpenter may choose as well."""
    commands = answer.get("commands", [])
    if any(commands_diff(each, commands, False) is None for each in expected.get("alternatives", [])):
        return True
    return bool(expected.get("moreAlternatives")) and similar(expected["commands"], commands)
