"""Answers on objects of the API, compared with the recorded ones level by level.

Levels: verdict; paths (the field of each expected finding is named); messages (word for word where the record is exact);
defaulted; ready; runtime; hash; allowed. What the record leaves free is left free: the order of findings, names inside the
messages of cases marked `free`, more findings where the server stopped looking (`blocked`), texts on metadata and decoding.
"""

import collections

VERDICT_ONLY = {"decode", "blocked"}


def tail(message):
    """Return the rule's own words of a message whose expression failed."""
    return message.split(" evaluating rule: ", 1)[-1]


def norm(path):
    return (path or "").lstrip(".").replace("<nil>", "")


def exact(finding):
    return finding.get("layer") not in VERDICT_ONLY and not norm(finding.get("path")).startswith("metadata")


def text(finding, free):
    words = tail(finding.get("message", ""))
    return tuple(sorted(words.replace("[", " ").replace("]", " ").replace(",", " ").split())) if free else words


def validate(case, got):
    free = "free" in case
    yield "verdict", case["accepted"] == got.get("accepted"), (case["accepted"], got.get("accepted"))
    want = [e for e in case["errors"] if exact(e)]
    mine = got.get("errors") or []
    paths, theirs = collections.Counter(norm(e.get("path")) for e in mine), [norm(e.get("path")) for e in want]
    if want or not case["errors"]:
        missing = [p for p in theirs if not paths[p]]
        blocked = any(e.get("layer") == "blocked" for e in case["errors"])
        extra = [] if blocked or case["errors"] != want else sorted(set(paths) - set(theirs))
        yield "paths", not missing and not extra, {"missing": missing, "extra": extra}
        said = collections.Counter((norm(e.get("path")), text(e, free)) for e in mine)
        lacking = [(norm(e.get("path")), e["message"]) for e in want if not said[(norm(e.get("path")), text(e, free))]]
        yield "messages", not lacking, {"lacking": lacking, "said": [(norm(e.get("path")), e.get("message")) for e in mine][:4]}
    if "defaulted" in case:
        yield "defaulted", case["defaulted"] == got.get("defaulted"), {"want": case["defaulted"], "got": got.get("defaulted")}
    if "ready" in case:
        yield "ready", case["ready"] == got.get("ready"), (case["ready"], got.get("ready"))
        if case.get("runtime"):
            a = sorted(text(e, free) for e in case["runtime"] if e.get("layer") != "typed")
            b = sorted(text(e, free) for e in got.get("runtime") or [])
            yield "runtime", a == b or (not a and bool(b)), {"want": a, "got": b}
    if "hash" in case:
        yield "hash", str(case["hash"]) == str(got.get("hash")), (case["hash"], got.get("hash"))
    if "allowed" in case:
        yield "allowed", case["allowed"] == got.get("allowed"), (case["allowed"], got.get("allowed"))


def hashes(case, got):
    yield "hash", str(case["hash"]) == str(got.get("hash")), (case["hash"], got.get("hash"))


def convert(case, got):
    yield "from", case["fromAccepted"] == got.get("fromAccepted"), (case["fromAccepted"], got.get("fromAccepted"))
    if "accepted" in case:
        yield "verdict", case["accepted"] == got.get("accepted"), (case["accepted"], got.get("accepted"))
    if case.get("result") is not None:
        yield "result", case["result"] == got.get("result"), {"want": case["result"], "got": got.get("result")}
