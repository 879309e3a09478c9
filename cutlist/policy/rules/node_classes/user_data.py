"""What the user data of nodes opens or gives away: metadata, the kubelet, credentials (spec: aws-infrastructure H1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.policy.rules.expansion.manifest_texts import plain_texts
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import EC2_NODE_CLASS, EKS_COMPONENT, LAUNCH_TEMPLATE, NATIVE_LAUNCH_TEMPLATE

_OF_COMPONENT: Final = (
    *("nodeUserData", "nodeUserDataOverride", "kubeletExtraArgs", "bootstrapExtraArgs", "nodeadmExtraOptions"),
    *("bottlerocketSettings", "userData"),
)
_OPTIONS: Final = "nodeGroupOptions"
_COMPONENTS: Final = (EKS_COMPONENT, "eks:index:NodeGroup", "eks:index:NodeGroupV2", "eks:index:ManagedNodeGroup")
_PATHS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    EC2_NODE_CLASS: (("spec", "userData"),),
    LAUNCH_TEMPLATE: (("userData",),),
    NATIVE_LAUNCH_TEMPLATE: (("launchTemplateData", "userData"),),
    "aws:ec2/launchConfiguration:LaunchConfiguration": (("userData",), ("userDataBase64",)),
    "aws-native:autoscaling:LaunchConfiguration": (("userData",),),
    **{type_: tuple((*path, member) for path in ((), (_OPTIONS,)) for member in _OF_COMPONENT) for type_ in _COMPONENTS},
}
"""Where resources have user data, or what becomes part of it, by type."""
_COMMENT: Final = re.compile(r"^[ \t]*#(?!!).*$", re.MULTILINE)
_CONTINUED: Final = re.compile(r"\\\r?\n")
_KEPT: Final = r"(?!/[^/\s\"'])"
"""Not what `sed` takes away: `s/PasswordAuthentication yes/PasswordAuthentication no/`."""
_METADATA: Final = r"169\.254\.169\.254"
_Forms = tuple[tuple[re.Pattern[str], str, str], ...]


def _forms(*rows: tuple[str, str, str]) -> _Forms:
    return tuple((re.compile(form, re.IGNORECASE | re.MULTILINE), text, advice) for form, text, advice in rows)


_TOKENS: Final = "leave the metadata service as the node class sets it"
_KUBELET: Final = "leave the kubelet's authentication and authorization as they are"
_STORE: Final = "let the node's or a pod's role read it from a secret store"
_CERTAIN: Final = _forms(
    (r"http-?tokens[\"'\s:=,]+optional", "a metadata service without tokens", _TOKENS),
    (r"http-?put-?response-?hop-?limit[\"'\s:=,]+(?:[2-9]|[1-9]\d)\b", "a metadata service that pods reach", _TOKENS),
    (
        rf"(?:socat|dnat|proxy_pass|--to-destination|ProxyPass)\b[^\n]*{_METADATA}",
        "a way for pods to reach the metadata service",
        _TOKENS,
    ),
    (rf"{_METADATA}[^\n]*\b(?:dnat|--to-destination)\b", "a way for pods to reach the metadata service", _TOKENS),
    (r"--anonymous-auth\b(?!\s*=?\s*[\"']?(?:false|0|f)\b)", "a kubelet that serves everybody", _KUBELET),
    (r"\banonymous\W{1,12}(?:enabled\W{1,6}true|=\s*true)\b", "a kubelet that serves everybody", _KUBELET),
    (r"\bAlwaysAllow\b", "a kubelet that allows everything", _KUBELET),
    (r"read-?only-?port[\"'\s:=,]+[1-9]\d*", "a port of the kubelet without authentication", _KUBELET),
    (
        r"client-?ca-?file[\"'\s:=,]+(?!/etc/kubernetes/pki/ca\.crt)(?=[/$])\S+",
        "a kubelet that trusts another authority",
        _KUBELET,
    ),
    (r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", "an AWS access key", _STORE),
    (r"aws_secret_access_key[\"'\s:=]+(?![\"']?[$<{])[\"']?[A-Za-z0-9/+]{30,}", "an AWS secret key", _STORE),
    (r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----", "a private key", _STORE),
    (r"\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.", "a token", _STORE),
    (r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|glpat-[A-Za-z0-9_-]{20,}|xox[abp]-[A-Za-z0-9-]{20,})", "a token", _STORE),
    (r"\bplain_text_passwd\b|\bchpasswd\b|--stdin\s+root\b|\bnet user \S+ \S+ /add", "a password", _STORE),
    (r"^[ \t-]*passw(?:or)?d[\"']?\s*[:=]\s*(?![\"']?[$<{!*#])[\"']?[^\s\"']{4,}", "a password", _STORE),
    (rf"PasswordAuthentication\s+yes{_KEPT}|\bssh_pwauth[\"'\s:=]+(?:true|yes)", "a shell with a password", _STORE),
    (rf"PermitRootLogin\s+yes{_KEPT}", "a shell for root", "open shells through SSM, which records who does"),
)
_NAMED: Final = "name the reason in an exemption, or open shells through SSM"
_UNSURE: Final = _forms(
    (r"\bssh[_-]authorized[_-]keys\b|authorized_keys\b|\bssh-(?:rsa|ed25519) AAAA", "people's keys", _NAMED),
    (r"host-containers\W{1,4}admin\b[^\[]{0,120}?\benabled\W{1,6}true", "a shell with every right", _NAMED),
    (r"\bsuperpowered\W{1,6}true", "a container with every right on the node", "run it as a DaemonSet, which policies see"),
    (
        r"\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\biex\b[^\n]*\b(?:irm|iwr|DownloadString)\b",
        "an unreviewed script from the network",
        "put it into the image, or fetch a version by its hash",
    ),
    (
        r"\bsetenforce\s+0\b|\bSELINUX=(?:disabled|permissive)\b|\blockdown\W{1,6}none\b",
        "weaker protection of the kernel",
        _NAMED,
    ),
    (r"\b(?:sed|jq|tee)\b[^\n]*/etc/(?:kubernetes/kubelet|eks/nodeadm)", "a kubelet that is set up by hand", _KUBELET),
    (r"\bset(?:tings)?\W{1,4}kubernetes\W{1,4}standalone-mode\W{1,6}true", "a kubelet that ignores the cluster", _KUBELET),
)


@object_rule(
    "NC-12",
    "User data opens neither the metadata service nor the kubelet, and contains no secret",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="nodes that undo at boot what their class demands, and secrets for everybody who may describe a launch template",
    looks_at=tuple(_PATHS),
    source="aws-infrastructure H1, NC-12",
)
def user_data(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the text, also in base64 and gzip, for options of the metadata service and of the kubelet, keys, tokens and
    passwords. What a script assembles at boot is in no text."""
    yield from _matches(resource, _CERTAIN)


@object_rule(
    "NC-13",
    "User data adds no shells and no unreviewed scripts",
    Severity.ADVISORY,
    protects="a way into nodes, or a program on them, that no list names",
    looks_at=tuple(_PATHS),
    source="aws-infrastructure H1, NC-13",
)
def unusual(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Report what may have a good reason: keys of people, administrators' containers, scripts from the network, a kubelet that
    is set up by hand."""
    yield from _matches(resource, _UNSURE)


def _matches(resource: Resource, forms: _Forms) -> Iterator[Finding]:
    for path in _PATHS[resource.type]:
        part = resource.at(*path)
        texts = [_without_comments(text) for written in _texts(part) for text in plain_texts(written)]
        for text, advice in dict.fromkeys((what, advice) for form, what, advice in forms if any(map(form.search, texts))):
            yield part.violation(text, "user data without it", advice)


def _texts(part: Part) -> Iterator[str]:
    """Yield the texts of a part, and members as one text. Raises NotKnownError."""
    value = part.value
    if isinstance(value, str):
        yield value
    elif value is not None:
        yield json.dumps(part.whole(), default=str)


def _without_comments(text: str) -> str:
    return _CONTINUED.sub(" ", _COMMENT.sub("", text))


RULES = (user_data, unusual)
