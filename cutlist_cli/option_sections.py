"""How help orders the options of commands: the few that matter first, and all of them by what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.core.setting import Setting
from cutlist.settings import (
    accounts,
    budgets,
    catalog,
    diff,
    disruption_gates,
    environments,
    explain,
    gate,
    new,
    nodes,
    plan,
    preview,
    running,
    simulate,
    suggest,
    sweep,
    types,
    upgrade,
    usage,
    userdata,
    validate,
    verify,
    why,
)
from cutlist.settings import planning as of_plans
from cutlist.settings.answers import WATCH
from cutlist.settings.cluster import FROM_PLAN
from cutlist.settings.disrupt import UNTIL_STABLE
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist.settings.planning import FILES, RECURSIVE, REGION
from cutlist.settings.serve import PORT
from cutlist.settings.stack import PROJECT_DIR, STACK, TIME_LIMIT

FIRST: Final[Mapping[str, tuple[Setting, ...]]] = {
    "budgets": (FILES, RECURSIVE, budgets.FROM, budgets.NODES),
    "diff": (FILES, RECURSIVE, diff.GIT, REGION),
    "disrupt": (FILES, REGION, UNTIL_STABLE, SPOT_ENDS),
    "explain": (FILES, RECURSIVE, REGION, explain.RESTRICTIONS),
    "gate": (FILES, RECURSIVE, REGION, STACK, gate.GATES),
    "interrupt": (FILES, REGION, SPOT_ENDS, FROM_PLAN),
    "new": (new.CLOUD, new.REGION, new.CLUSTER, new.LIKE, new.PLATFORM),
    "nodes": (FILES, nodes.CONTEXT, REGION, WATCH),
    "plan": (FILES, RECURSIVE, REGION, of_plans.HELM),
    "preview": (STACK, preview.STRICT, preview.RESOURCES, preview.BEFORE),
    "resolve": (FILES, RECURSIVE, catalog.REGION_OF_SUBNETS, accounts.PROFILE),
    "serve": (FILES, RECURSIVE, REGION, plan.BEFORE, PORT),
    "simulate": (FILES, REGION, simulate.CLUSTER, simulate.DAYS),
    "suggest": (FILES, RECURSIVE, REGION, suggest.WRITE),
    "sweep": (sweep.REGION, sweep.ACCOUNT, sweep.VPC, sweep.DRY_RUN, sweep.YES),
    "types": (FILES, RECURSIVE, REGION, types.LIMIT),
    "update": (catalog.REGIONS, catalog.CLOUD, catalog.PUBLIC, accounts.PROFILE),
    "upgrade": (FILES, RECURSIVE, upgrade.FROM, upgrade.TARGET),
    "userdata": (FILES, REGION, userdata.CLUSTER, userdata.NODE_POOL),
    "validate": (FILES, RECURSIVE, of_plans.KARPENTER, validate.KUBERNETES),
    "verify": (FILES, verify.PLAN, verify.CLUSTER, verify.LOG),
    "why": (FILES, RECURSIVE, REGION, why.LOG),
}
"""The settings that most calls of a command with many options need, by its name; `--output` or `--to` comes last."""

SECTIONS: Final[Mapping[str, tuple[Setting, ...]]] = {
    "What is read": (
        FILES,
        environments.ENVIRONMENT,
        *of_plans.READING,
        *of_plans.FETCHING,
        PROJECT_DIR,
        TIME_LIMIT,
        of_plans.ALLOW_EMPTY,
    ),
    "Region and prices": (REGION, of_plans.ZONES, of_plans.CATALOG, of_plans.PAID, of_plans.PAID_AS, suggest.RATES),
    "Karpenter": (
        of_plans.KARPENTER,
        of_plans.SCHEDULER_CONFIG,
        of_plans.FEATURE_GATES,
        of_plans.DRA,
        of_plans.BUILT_IN_POOLS,
        of_plans.OVERHEAD_PROFILE,
        of_plans.EXTERNAL_CLASSES,
        *disruption_gates.SETTINGS,
    ),
    "Pods": (of_plans.REPLICAS, *usage.SETTINGS),
    "Workers": running.SETTINGS,
    "Form of the answer": (WATCH,),
}
"""Settings that several commands share, by what they are about. Those of a command alone come before them, and what is no
setting belongs to the last."""
