"""ControllerIdentity: what the controller may do in AWS, and how its pods get the credentials for it."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.controller_access import Credentials, identity_hash
from cutlist.infrastructure.iam.table import Part
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_caller
from pulumi_cutlist.aws.identity.controller_identity_plan import (
    ControllerIdentityArgs,
    ControllerIdentityPlan,
    PolicyForm,
    plan_controller_identity,
)
from pulumi_cutlist.aws.identity.roles import known_arn, text_of
from pulumi_cutlist.aws.identity.service_accounts import associate, role_annotations, trust_of
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of


class ControllerIdentity(Component):
    """The role of one cluster's controller, its policies, and what gives the role to the controller's pods.

    `depends_on` this component waits for the association and all policies: pods that start earlier run without credentials.
    Raises InputError with every mistake found, before anything is registered.
    """

    role_name: pulumi.Output[str]
    """Name of the role."""
    role_arn: pulumi.Output[str]
    """ARN of the role."""
    service_account_annotations: pulumi.Output[dict[str, str]]
    """Annotations for the controller's service account, including those given."""
    identity_hash: pulumi.Output[str]
    """For an annotation of the controller's pods: it changes with the role, the association and every document, so pods restart
    with the current permissions. A first preview does not know it."""
    documents_hash: pulumi.Output[str]
    """For an annotation of NodeClasses: it changes with role and documents, so that the controller checks them again."""

    @planned(plan_controller_identity)
    def __init__(
        self,
        name: str,
        args: ControllerIdentityArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: ControllerIdentityPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        alone = plan is None
        if plan is None:
            plan = plan_controller_identity(args)
            args = plan.args
        caller = compared_caller(self, plan.facts) if alone else NOT_COMPARED
        super().__init__("cutlist:index:ControllerIdentity", name, {**args}, opts)
        caller.warn(self)
        self._plan, self._tags = plan, args.get("tags")
        role = self._role(args)
        self.role_name = role.name
        self.role_arn = known_arn(role, self._plan.facts, self._plan.facts.controller_role, self._plan.path)
        documents = {part: self._document(part, args) for part in self._plan.parts}
        self._policies(role, documents)
        wiring = self._wiring(args)
        own = args.get("service_account_annotations")
        self.service_account_annotations = role_annotations(self._plan.credentials, self.role_arn, own)
        granted = self.with_values([self.role_arn, *documents.values()])
        self.documents_hash = _hash(*granted)
        self.identity_hash = _hash(*granted, role.unique_id, wiring)
        self.register_outputs(outputs_of(self))

    def _role(self, args: ControllerIdentityArgs) -> "aws.iam.Role":
        return aws.iam.Role(
            f"{self.pulumi_resource_name}-role",
            name=self._plan.facts.controller_role,
            path=self._plan.path,
            permissions_boundary=args.get("permissions_boundary"),
            assume_role_policy=self._trust(args),
            tags=self._tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _trust(self, args: ControllerIdentityArgs) -> str | pulumi.Output[str]:
        return text_of(trust_of(args, self._plan.facts, self._plan.credentials))

    def _document(self, part: Part, args: ControllerIdentityArgs) -> pulumi.Output[str]:
        arns: pulumi.Output[dict[str, Any]] = pulumi.Output.from_input(
            {key: args.get(key) for key in self._plan.inputs_of(part)}
        )
        return arns.apply(lambda known_arns: self._plan.document(part, known_arns).text())

    def _policies(self, role: "aws.iam.Role", documents: Mapping[Part, pulumi.Output[str]]) -> None:
        for part, text in documents.items():
            if self._plan.form is PolicyForm.INLINE:
                name = f"{self.pulumi_resource_name}-{part}"
                aws.iam.RolePolicy(name, role=role.name, policy=text, opts=pulumi.ResourceOptions(parent=self))
            else:
                self._managed(part, role, text)

    def _managed(self, part: Part, role: "aws.iam.Role", text: pulumi.Output[str]) -> None:
        policy = aws.iam.Policy(
            f"{self.pulumi_resource_name}-{part}",
            name=self._plan.facts.controller_policy(part),
            path=self._plan.path,
            description=f"{part} of Karpenter's controller in the cluster {self._plan.facts.cluster}",
            policy=text,
            tags=self._tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        aws.iam.RolePolicyAttachment(
            f"{self.pulumi_resource_name}-{part}",
            role=role.name,
            policy_arn=policy.arn,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _wiring(self, args: ControllerIdentityArgs) -> pulumi.Output[str]:
        if self._plan.credentials is Credentials.IRSA:
            return pulumi.Output.from_input(self._trust(args))
        association = associate(
            self, self.pulumi_resource_name, self._plan.facts, args, self.role_arn, args.get("target_role_arn")
        )
        return association.association_id


def _hash(*texts: pulumi.Output[str]) -> pulumi.Output[str]:
    return pulumi.Output.all(*texts).apply(lambda values: identity_hash(*map(str, values)))
