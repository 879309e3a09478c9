"""The NodeClass of EKS Auto Mode: what of a node's launch Auto Mode leaves to the user (spec: api-objects 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api._findings import Finding, Hints
from cutlist.api._model import Condition, present, without_nulls
from cutlist.api._reading import BuiltInPython, Source, fields_of, plain_copy, refuse
from cutlist.api.autonodeclass_fields import (
    API_VERSION,
    KIND,
    AdvancedNetworking,
    AdvancedSecurity,
    AutoNodeClassFields,
    AutoNodeClassSpec,
    AutoNodeClassStatus,
    AutoReservationTerm,
    CertificateBundle,
    EphemeralStorage,
)
from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS, rules
from cutlist.api.ec2nodeclass_fields import (
    PATTERNS_IN_WORDS,
    PlacementGroupSelector,
    SecurityGroup,
    SecurityGroupSelectorTerm,
    Subnet,
    SubnetSelectorTerm,
)
from cutlist.api.versions import version_findings
from cutlist.documents import Document
from cutlist.errors import Place
from cutlist.labels import MANAGED_BY

_MANAGED: Final = "Auto Mode manages this"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{
            f"spec.{name}": _MANAGED
            for name in (
                "amiFamily",
                "amiSelectorTerms",
                "userData",
                "metadataOptions",
                "kubelet",
                "instanceStorePolicy",
                "detailedMonitoring",
                "context",
            )
        },
        "spec.blockDeviceMappings": f"{_MANAGED}; set the size of the data volume in spec.ephemeralStorage",
        "spec.ipPrefixCount": f"{_MANAGED}; count prefixes in spec.advancedNetworking.networkInterfaces",
        "spec.associatePublicIPAddress": "here it is spec.advancedNetworking.associatePublicIPAddress",
        "spec.networkInterfaces": "here it is spec.advancedNetworking.networkInterfaces",
        "spec.capacityReservationSelectorTerms.ownerID": "here it is owner",
    },
)


@dataclass(frozen=True, slots=True, init=False)
class AutoNodeClass:
    """A NodeClass of EKS Auto Mode: network, identity, storage of the nodes. What is absent has the default of Auto Mode.

    `subnets` are what the controller found, empty for a class that no cluster has seen. Two classes are equal when these values
    are, however they were written.
    """

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    role: str | None
    instance_profile: str | None
    subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    pod_subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    pod_security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    snat_policy: str
    network_policy: str
    network_policy_event_logs: str
    ephemeral_storage: EphemeralStorage
    advanced_networking: AdvancedNetworking
    certificate_bundles: tuple[CertificateBundle, ...]
    capacity_reservation_selector_terms: tuple[AutoReservationTerm, ...]
    placement_group_selector: PlacementGroupSelector | None
    advanced_security: AdvancedSecurity
    tags: dict[str, str]
    deleting: bool
    status: AutoNodeClassStatus
    source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        role: str | None = None,
        instance_profile: str | None = None,
        discovery: str | None = None,
        subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
        security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
        pod_subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
        pod_security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
        snat_policy: str | None = None,
        network_policy: str | None = None,
        network_policy_event_logs: str | None = None,
        ephemeral_storage: EphemeralStorage | None = None,
        advanced_networking: AdvancedNetworking | None = None,
        certificate_bundles: Sequence[CertificateBundle] | None = None,
        capacity_reservation_selector_terms: Sequence[AutoReservationTerm] | None = None,
        placement_group_selector: PlacementGroupSelector | None = None,
        advanced_security: AdvancedSecurity | None = None,
        tags: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a class. Raises InputError with everything that would be refused.

        - `role` (a bare name) or `instance_profile`: the identity of the nodes, exactly one of them. A role of your own needs
          an EKS access entry of type EC2 with the policy AmazonEKSAutoNodePolicy, else its nodes never register.
        - `discovery`: the value of the tag `karpenter.sh/discovery` on subnets and security groups, short for one entry of
          `subnet_selector_terms` and of `security_group_selector_terms`, where those are not given.
        - `pod_subnet_selector_terms` put pods into subnets of their own, which costs the node its first interface.
        """
        by_tag = [{"tags": {"karpenter.sh/discovery": discovery}}] if discovery is not None else None
        groups = security_group_selector_terms
        written = {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "metadata": {"name": name, **present(labels=labels, annotations=annotations)},
            "spec": present(
                role=role,
                instance_profile=instance_profile,
                subnet_selector_terms=by_tag if subnet_selector_terms is None else subnet_selector_terms,
                security_group_selector_terms=by_tag if groups is None else groups,
                pod_subnet_selector_terms=pod_subnet_selector_terms,
                pod_security_group_selector_terms=pod_security_group_selector_terms,
                snat_policy=snat_policy,
                network_policy=network_policy,
                network_policy_event_logs=network_policy_event_logs,
                ephemeral_storage=ephemeral_storage,
                advanced_networking=advanced_networking,
                certificate_bundles=certificate_bundles,
                capacity_reservation_selector_terms=capacity_reservation_selector_terms,
                placement_group_selector=placement_group_selector,
                advanced_security=advanced_security,
                tags=tags,
            ),
        }
        self._fill(written, BuiltInPython(KIND, name))

    @classmethod
    def read(cls, document: Document) -> AutoNodeClass:
        """From a document. Raises InputError with everything that is wrong, each with file, line and path."""
        return cls._of(document.data, document)

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> AutoNodeClass:
        """From a manifest in plain Python data. Raises InputError with everything that is wrong."""
        return cls._of(manifest, BuiltInPython.of(KIND, manifest))

    def manifest(self) -> dict[str, Any]:
        """The Kubernetes object as it was written, status included; no default is added."""
        return plain_copy(self._written)

    def at(self, path: str) -> Place:
        """Where a path of this class is written, such as `spec.subnetSelectorTerms`."""
        return self.source.at(path)

    @property
    def is_managed(self) -> bool:
        """Whether EKS made the class, together with its built-in NodePools."""
        return self.labels.get(MANAGED_BY) == MANAGED_BY_EKS

    @property
    def has_pod_subnets(self) -> bool:
        """Whether pods have subnets of their own and so leave the node's first interface unused."""
        return bool(self.pod_subnet_selector_terms)

    @property
    def subnets(self) -> tuple[Subnet, ...]:
        """The subnets that the controller found."""
        return self.status.subnets

    @property
    def security_groups(self) -> tuple[SecurityGroup, ...]:
        """The security groups that the controller found."""
        return self.status.security_groups

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What the controller says of the class."""
        return self.status.conditions

    @classmethod
    def _of(cls, manifest: Mapping[str, Any], source: Source) -> AutoNodeClass:
        refuse(version_findings(manifest), source)
        made = object.__new__(cls)
        made._fill(without_nulls(dict(manifest)), source)
        return made

    def _fill(self, written: dict[str, Any], source: Source) -> None:
        fields, findings = fields_of(AutoNodeClassFields, written, HINTS)
        metadata = written.get("metadata")
        if not isinstance(metadata, dict) or metadata.get("name", "") == "":
            findings.append(Finding("metadata.name", "is missing and required"))
        if fields is not None:
            attributes = {name: getattr(fields.spec, name) for name in AutoNodeClassSpec.model_fields}
            attributes |= {name: getattr(fields.metadata, name) for name in ("name", "labels", "annotations")}
            attributes |= {"deleting": fields.metadata.deletion_timestamp is not None, "status": fields.status}
            for attribute, value in {**attributes, "source": source, "_written": written}.items():
                object.__setattr__(self, attribute, value)
            findings += rules(self)
        refuse(findings, source)
