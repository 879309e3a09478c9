"""Interruption: the queue that tells the controller which instances are about to end."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NotRequired, Optional, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.versions import known_minor
from cutlist.infrastructure.arns import KEY, check_arn
from cutlist.infrastructure.inputs import HERE, Places, chosen, one_of
from cutlist.infrastructure.interruption import (
    RETENTION_SECONDS,
    Breadth,
    EventRule,
    NoticeKind,
    event_rules,
    key_policy,
    queue_policy,
)
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_caller
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.keys import KeyPlan, make_key
from pulumi_cutlist.inputs.known import known
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of

_TARGET: Final = "KarpenterInterruptionQueueTarget"
_UNDELIVERED_SECONDS: Final = 14 * 24 * 3600
_OLDEST_SECONDS: Final = 120  # a message unread for so long means that nobody reads
_ACTIONS: Final = 5
_ENCRYPTIONS: Final = ("managed", "own-key", "given-key")


@section
class InterruptionSection(TypedDict):
    """Further inputs of Interruption, as a section of a call for a whole cluster has them."""

    rebalance: NotRequired[bool]
    """Whether to send rebalance recommendations too; the controller only reports them. Defaults to true."""
    breadth: NotRequired[str]
    """narrow: events that the controller acts on. broad: every event of these kinds in the account. Defaults to narrow."""
    encryption: NotRequired[str]
    """managed: by SQS. own-key: with a new key. given-key: with kms_key_arn. Defaults to managed."""
    kms_key_arn: NotRequired[pulumi.Input[str]]
    """With given-key: ARN of your key. It must let events.amazonaws.com do kms:GenerateDataKey* and kms:Decrypt."""
    dead_letters: NotRequired[bool]
    """Whether to keep undelivered events for two weeks in a separate queue. Defaults to false."""
    alarm_actions: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs that an alarm notifies when nobody reads the queue; [] for an alarm that notifies nobody. Without it, there is no
    alarm."""


class InterruptionArgs(InterruptionSection):
    """Inputs of Interruption."""

    cluster_name: str
    """Name of the cluster. A plain value, because the names of queue and rules contain it."""
    region: str
    """Region of the cluster."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    karpenter_version: str
    """Exact version of Karpenter, such as 1.15.1: older ones know fewer kinds of events."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every child."""


@dataclass(frozen=True, slots=True)
class InterruptionPlan:
    """A queue and its rules that can be made."""

    args: InterruptionArgs
    facts: ClusterFacts
    rules: tuple[EventRule, ...]
    breadth: Breadth
    encryption: str


def plan_interruption(args: InterruptionArgs, at: Places = HERE) -> InterruptionPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, InterruptionArgs, problems, at)
    facts = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER))
    version = known_minor(args["karpenter_version"], at.member("karpenterVersion"), problems)
    breadth = chosen(args.get("breadth", Breadth.NARROW), Breadth.NARROW, at.member("breadth"), problems)
    encryption = args.get("encryption", _ENCRYPTIONS[0])
    _check_encryption(encryption, args.get("kms_key_arn"), problems, at)
    check_arn(args.get("kms_key_arn"), KEY, facts.region, at.member("kmsKeyArn"), problems)
    _check_actions(args.get("alarm_actions") or [], facts.region, problems, at.member("alarmActions"))
    problems.raise_if_any()
    without = () if args.get("rebalance", True) else (NoticeKind.REBALANCE,)
    return InterruptionPlan(args, facts, event_rules(version, without), breadth, encryption)


def _check_actions(actions: Sequence[object], region: str, problems: Problems, place: Place) -> None:
    if len(actions) > _ACTIONS:
        problems.add(place, f"{len(actions)} actions", f"at most {_ACTIONS}, the limit of CloudWatch; a topic reaches more")
    for index, action in enumerate(actions):
        if isinstance(action, str) and not action.startswith("arn:"):
            problems.add(place.item(index), f"{action!r} is not an ARN", "the ARN of a topic, for example")
        elif isinstance(action, str) and ((elsewhere := action.split(":")[3:4]) and elsewhere[0] not in ("", region)):
            problems.add(place.item(index), f"an alarm of {region} cannot notify {action}", f"one of {region}")


def _check_encryption(encryption: str, key: object, problems: Problems, at: Places) -> None:
    place = at.member("encryption")
    if unknown := list(one_of(encryption, _ENCRYPTIONS, place)):
        problems.extend(unknown)
    elif (encryption == "given-key") != (key is not None):
        problems.add(place, f"encryption {encryption!r} {'with' if key else 'without'} kmsKeyArn", "given-key with kmsKeyArn")


class Interruption(Component):
    """The interruption queue of one cluster, and the event rules that send to it; nothing else can send to it.

    `depends_on` this component waits for the queue's policy and for the rules and their targets. Raises InputError with every
    mistake found, before anything is registered.
    """

    queue_name: pulumi.Output[str]
    """Name of the queue, for the controller's `settings.interruptionQueue`."""
    queue_arn: pulumi.Output[str]
    """ARN of the queue, for the controller's permissions."""
    queue_key_arn: pulumi.Output[Optional[str]]  # noqa: UP045 - the component host knows this spelling inside Output
    """ARN of the key that encrypts the queue, for the controller's permissions; null when SQS does it by itself."""
    rule_arns: pulumi.Output[list[str]]
    """ARNs of the rules."""

    @planned(plan_interruption)
    def __init__(
        self,
        name: str,
        args: InterruptionArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: InterruptionPlan | None = None,
    ) -> None:
        self._plan = plan_interruption(args) if plan is None else plan
        caller = compared_caller(self, self._plan.facts) if plan is None else NOT_COMPARED
        super().__init__("cutlist:index:Interruption", name, {**self._plan.args}, opts)
        caller.warn(self)
        self._tags = self._plan.args.get("tags")
        self._key_arn = self._encrypted()
        self.queue_key_arn = pulumi.Output.from_input(self._key_arn)
        queue = self._queue(f"{name}-queue", self._plan.facts.queue, RETENTION_SECONDS)
        self.queue_name = queue.name
        self.queue_arn = self._arn(queue, "sqs", self._plan.facts.queue)
        rules = [self._rule(rule) for rule in self._plan.rules]
        self.rule_arns = pulumi.Output.all(*map(self._rule_arn, rules, self._plan.rules)).apply(list)
        self._admit(f"{name}-policy", queue, self.queue_arn)
        self._targets(rules, self._undelivered())
        self._alarm()
        self.register_outputs(outputs_of(self))

    def _encrypted(self) -> pulumi.Output[str] | None:
        if self._plan.encryption == "managed":
            return None
        own_key = self._plan.args.get("kms_key_arn")
        return pulumi.Output.from_input(self._own_key() if own_key is None else own_key)

    def _own_key(self) -> pulumi.Output[str]:
        facts = self._plan.facts
        alias = facts.named("Karpenter-interruption", 250)
        plan = KeyPlan(facts.region, f"Interruption queue of the cluster {facts.cluster}", key_policy(facts), alias)
        return make_key(self, self.pulumi_resource_name, plan, self._tags).key.arn

    def _queue(self, name: str, physical: str | None, seconds: int) -> "aws.sqs.Queue":
        return aws.sqs.Queue(
            name,
            region=self._plan.facts.region,
            name=physical,
            message_retention_seconds=seconds,
            sqs_managed_sse_enabled=True if self._key_arn is None else None,
            kms_master_key_id=self._key_arn,
            kms_data_key_reuse_period_seconds=None if self._key_arn is None else RETENTION_SECONDS,
            tags=self._tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _arn(
        self, resource: "aws.sqs.Queue | aws.cloudwatch.EventRule", service: str, physical: str | None
    ) -> pulumi.Output[str]:
        arn = None if physical is None else self._plan.facts.arn(service, physical)
        return known(arn, resource.arn, resource)

    def _rule_arn(self, resource: "aws.cloudwatch.EventRule", rule: EventRule) -> pulumi.Output[str]:
        name = self._plan.facts.event_rule(rule.kind)
        return self._arn(resource, "events", name and f"rule/{name}")

    def _rule(self, rule: EventRule) -> "aws.cloudwatch.EventRule":
        return aws.cloudwatch.EventRule(
            f"{self.pulumi_resource_name}-{rule.kind}",
            region=self._plan.facts.region,
            name=self._plan.facts.event_rule(rule.kind),
            description=f"{rule.detail_type}: {rule.effect}",
            event_pattern=rule.pattern_text(self._plan.breadth),
            state="ENABLED",
            tags=self._tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _admit(self, name: str, queue: "aws.sqs.Queue", queue_arn: pulumi.Output[str]) -> None:
        facts, arns = self._plan.facts, pulumi.Output.all(queue_arn, self.rule_arns)
        policy = arns.apply(lambda both: queue_policy(both[0], both[1], facts.account).text())
        options = pulumi.ResourceOptions(parent=self)
        aws.sqs.QueuePolicy(name, region=facts.region, queue_url=queue.url, policy=policy, opts=options)

    def _undelivered(self) -> pulumi.Output[str] | None:
        if not self._plan.args.get("dead_letters", False):
            return None
        physical = self._plan.facts.named("Karpenter-undelivered", 80)
        queue = self._queue(f"{self.pulumi_resource_name}-dead-letters", physical, _UNDELIVERED_SECONDS)
        arn = self._arn(queue, "sqs", physical)
        self._admit(f"{self.pulumi_resource_name}-dead-letters-policy", queue, arn)
        return arn

    def _targets(self, rules: Sequence["aws.cloudwatch.EventRule"], undelivered: pulumi.Output[str] | None) -> None:
        for resource, rule in zip(rules, self._plan.rules, strict=True):
            aws.cloudwatch.EventTarget(
                f"{self.pulumi_resource_name}-{rule.kind}-target",
                region=self._plan.facts.region,
                rule=resource.name,
                target_id=_TARGET,
                arn=self.queue_arn,
                retry_policy={"maximum_event_age_in_seconds": RETENTION_SECONDS, "maximum_retry_attempts": 10},
                dead_letter_config={"arn": undelivered} if undelivered else None,
                opts=pulumi.ResourceOptions(parent=self),
            )

    def _alarm(self) -> None:
        actions = self._plan.args.get("alarm_actions")
        if actions is None:
            return
        aws.cloudwatch.MetricAlarm(
            f"{self.pulumi_resource_name}-alarm",
            region=self._plan.facts.region,
            name=self._plan.facts.named("Karpenter-interruption-unread", 255),
            alarm_description="Nothing reads the interruption queue: the controller is down, or lacks permission",
            namespace="AWS/SQS",
            metric_name="ApproximateAgeOfOldestMessage",
            dimensions={"QueueName": self.queue_name},
            statistic="Maximum",
            period=300,
            evaluation_periods=1,
            comparison_operator="GreaterThanThreshold",
            threshold=_OLDEST_SECONDS,
            treat_missing_data="notBreaching",  # an idle queue reports nothing
            alarm_actions=actions,
            tags=self._tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
