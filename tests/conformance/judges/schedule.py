"""Answers of scheduling scenarios (tools/oracle/core/FORMAT.md), compared with the recorded ones.

An answer is right when it is the recorded one or one of its alternatives, where

- claims are a multiset of NodePool, pods, requirements, requests, instance types, and `launch` when the record has it;
- pods of one entry of the scenario may be swapped: pods are counted by entry;
- instance types of equal price may come in any order, types of different price may not;
- the values of a key that the scenario names under `symmetric` may be renamed throughout, by one permutation a key;
- errors and ignored pods are compared by entry and count, their texts only with `messages`;
- requests are compared as numbers.
"""

import itertools
import re
from collections import Counter
from fractions import Fraction

SUFFIX = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "": 1,
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
PLACEHOLDER = re.compile(r"hostname-placeholder-\d+")
QUANTITY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)")


def quantity(text):
    if isinstance(text, (int, float)):
        return Fraction(str(text))
    m = QUANTITY.fullmatch(text)
    if not m:
        raise ValueError(f"not a quantity: {text!r}")
    return Fraction(m[1]) * (Fraction(10) ** int(m[2]) if m[2] else SUFFIX[m[3] or ""])


def entries(scenario):
    """Pod name -> its entry of the scenario's `pods`."""
    out = {}
    for i, e in enumerate(scenario.get("pods", [])):
        meta = e["pod"].get("metadata", {})
        ns = meta.get("namespace", "default")
        names = [meta.get("name", "")] if e.get("count") is None else [f"{meta.get('name', '')}-{k}" for k in range(e["count"])]
        for n in names:
            out[n if ns == "default" else ns + "/" + n] = (i, meta.get("name", ""))
    return out


def label(group, name):
    g = group.get(name)
    return name if g is None else f"{g[1]} (entry {g[0]})"


def types_of(answer, claim):
    if claim.get("typeSet") is not None:
        s = answer["typeSets"][claim["typeSet"]]
        return s["instanceTypes"], s["prices"]
    return claim.get("instanceTypes") or [], claim.get("prices")


def requirements(reqs, perm):
    out = []
    for r in reqs or []:
        m = perm.get(r["key"], {})
        out.append((r["key"], r["operator"], tuple(sorted(m.get(v, v) for v in r.get("values") or [])), r.get("minValues")))
    return tuple(sorted(out, key=repr))


def free_label(key, value, node):
    """Return a label that Karpenter fills by chance: "*" for one of the requirement's values, "*int" for any integer."""
    for r in node.get("requirements") or []:
        if r["key"] == key:
            if r["operator"] == "In" and len(r.get("values") or []) > 1 and value in r["values"]:
                return "*"
            if r["operator"] in ("Exists", "NotIn", "Gte", "Lte") and re.fullmatch(r"\d+", value):
                return "*int"
    return value


def launch(node, perm):
    if node is None:
        return None
    labels = tuple(sorted((k, free_label(k, perm.get(k, {}).get(v, v), node)) for k, v in (node.get("labels") or {}).items()))
    taints = tuple(
        tuple(sorted((t.get("key", ""), t.get("value", ""), t.get("effect", "")) for t in node.get(k) or []))
        for k in ("taints", "startupTaints")
    )
    return labels, tuple(sorted((node.get("annotations") or {}).items())), requirements(node.get("requirements"), perm), taints


def price_groups(names, prices):
    """[{names of one price}, ...], cheapest first."""
    out, last = [], object()
    for n, p in zip(names, prices, strict=False):
        if not out or p != last:
            out.append(set())
        out[-1].add(n)
        last = p
    return out


def order_error(groups, names):
    at = 0
    for g in groups:
        if set(names[at : at + len(g)]) != g:
            return True
        at += len(g)
    return at != len(names)


class Claim:
    def __init__(self, answer, claim, group, perm, want_launch):
        self.names, self.prices = types_of(answer, claim)
        self.pods = claim.get("pods") or []
        self.parts = {
            "nodePool": claim.get("nodePool"),
            "pods": tuple(sorted(Counter(label(group, p) for p in self.pods).items())),
            "requirements": requirements(claim.get("requirements"), perm),
            "requests": tuple(sorted((k, quantity(v)) for k, v in (claim.get("requests") or {}).items())),
            "instanceTypes": tuple(sorted(self.names)),
            "launch": launch(claim.get("launch"), perm) if want_launch else None,
        }
        self.key = tuple(self.parts.values())

    def distance(self, other):
        """In how many parts another claim differs."""
        return sum(mine != theirs for mine, theirs in zip(self.key, other.key, strict=True))

    def text(self):
        return "{} with {}".format(
            self.parts["nodePool"],
            ", ".join(f"{n} x {p}" for p, n in self.parts["pods"]) or "no pods",
        )


def part_text(name, a, b):
    if name == "instanceTypes":
        x, y = set(a), set(b)
        return f"missing types {sorted(x - y)[:8]}, extra types {sorted(y - x)[:8]}"
    if name in ("requirements", "requests", "pods"):
        x, y = set(a), set(b)

        def show(s):
            return [
                " ".join(
                    str(float(v)) if isinstance(v, Fraction) else str(list(v) if isinstance(v, tuple) else v)
                    for v in e
                    if v is not None
                )
                for e in sorted(s, key=repr)
            ]

        return f"{name}: wanted {show(x - y)}, got {show(y - x)}"
    if name == "launch" and a and b:
        return "; ".join(
            part_text("requirements" if f == "requirements" else f, x, y)
            for f, x, y in zip(("labels", "annotations", "requirements", "taints"), a, b, strict=False)
            if x != y
        )
    if isinstance(a, tuple) and isinstance(b, tuple):
        return f"{name}: wanted {[x for x in a if x not in b]}, got {[y for y in b if y not in a]}"
    return f"{name}: wanted {a!r}, got {b!r}"


def counts(group, names):
    return Counter(label(group, n) for n in names)


def one(group, answer, want, got, perm, messages):
    """Return differences between one answer and the candidate under one renaming of the candidate's symmetric values."""
    differences = _claims(group, answer, want, got, perm)
    nodes, placed_on = want.get("existing") or {}, got.get("existing") or {}
    for node in sorted({*nodes, *placed_on}):
        expected, answered = counts(group, nodes.get(node, [])), counts(group, placed_on.get(node, []))
        if expected != answered:
            differences.append(f"node {node}: wanted {dict(expected)}, got {dict(answered)}")
    for field in ("errors", "ignored"):
        differences += _texts(group, field, want.get(field) or {}, got.get(field) or {}, messages)
    lists = [*(claim.get("pods") or [] for claim in got.get("claims") or []), *placed_on.values()]
    named = Counter([*itertools.chain(*lists), *(got.get("errors") or {}), *(got.get("ignored") or {})])
    twice = sorted(name for name, times in named.items() if times > 1)
    return [*differences, f"pods named more than once: {twice[:8]}"] if twice else differences


def _claims(group, answer, want, got, perm):
    detail = any(claim.get("launch") is not None for claim in want.get("claims") or [])
    expected = [Claim(answer, claim, group, {}, detail) for claim in want.get("claims") or []]
    answered = [Claim(got, claim, group, perm, detail) for claim in got.get("claims") or []]
    left, right = Counter(claim.key for claim in expected), Counter(claim.key for claim in answered)
    if left == right:
        by_key = {claim.key: claim for claim in reversed(expected)}
        pairs = ((by_key[claim.key], claim) for claim in answered)
        return [
            f"claim of {claim.text()}: instance types are not in price order: {claim.names[:8]}"
            for recorded, claim in pairs
            if order_error(price_groups(recorded.names, recorded.prices), claim.names)
        ]
    differences, extra = [], surplus(answered, right - left)
    for claim in surplus(expected, left - right):
        nearest = min(extra, key=lambda other: claim.distance(other), default=None)
        if nearest is None or claim.distance(nearest) > 3:
            differences.append(f"missing claim: {claim.text()}")
            continue
        extra.remove(nearest)
        parts = [part_text(k, claim.parts[k], nearest.parts[k]) for k in claim.parts if claim.parts[k] != nearest.parts[k]]
        differences.append(f"claim of {claim.text()}: {'; '.join(parts)}")
    return [*differences, *(f"extra claim: {claim.text()}" for claim in extra)]


def _texts(group, field, expected, answered, messages):
    """Return what sets the pods that are not placed apart, by entry and count; and their texts, where these count."""
    wanted, got = counts(group, expected), counts(group, answered)
    if wanted != got:
        return [f"{field}: wanted {dict(wanted)}, got {dict(got)}"]
    shared = sorted(set(expected) & set(answered)) if messages else ()
    return [
        f"{field} of {name}: wanted {expected[name]!r}, got {answered[name]!r}"
        for name in shared
        if len({PLACEHOLDER.sub("hostname-placeholder", each[name]) for each in (expected, answered)}) > 1
    ]


def surplus(claims, counter):
    out, left = [], Counter(counter)
    for c in claims:
        if left[c.key] > 0:
            left[c.key] -= 1
            out.append(c)
    return out


def permutations(symmetric):
    keys = sorted(symmetric or {})
    for combo in itertools.product(*[itertools.permutations(symmetric[k]) for k in keys]):
        yield {k: dict(zip(symmetric[k], p, strict=False)) for k, p in zip(keys, combo, strict=False)}


def compare(scenario, answer, candidate, messages=False):
    group, best = entries(scenario), None
    for want in [answer] + (answer.get("alternatives") or []):
        for perm in permutations(scenario.get("symmetric")):
            diff = one(group, answer, want, candidate, perm, messages)
            if not diff:
                return []
            if best is None or len(diff) < len(best):
                best = diff
    return best
