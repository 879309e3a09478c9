"""What a plan is with the NodeOverlays for shared GPUs that are missing, as a line of its text."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.report.estimates import money_of
from cutlist.settings.plan import WRITE


def shared_gpus_line(plan: Plan) -> str:
    """Return what the plan is with the NodeOverlays that are missing: `2 NodeOverlays are missing (--write writes them); with
    them: 1 node for 4 pods, $734 a month`; empty if none is."""
    found = plan.miscounted_gpus
    if found is None:
        return ""
    after, number = found.with_them, len(found.overlays)
    verb, them = ("is", "it") if number == 1 else ("are", "them")
    parts = [f"{counted(after.nodes, 'node')} for {counted(after.pods, 'pod')}"]
    parts += [f"{counted(after.pending, 'pod')} pending"] if after.pending else []
    if after.price is not None and after.nodes:
        parts.append(f"{money_of(plan, after.price, '*' if after.is_estimated else '').month()} a month")
    missing = f"{counted(number, 'NodeOverlay')} {verb} missing ({WRITE.flag} writes {them})"
    return f"{missing}; with {them}: {', '.join(parts)}"
