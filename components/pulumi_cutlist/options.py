"""Options of what components hold: which are passed on, and which must not be (spec: aws-infrastructure 0.5, pulumi 2.2)."""

from collections.abc import Sequence

import pulumi

from cutlist.core.errors import InputError, Place, Problems


def refuse_orphaning(opts: pulumi.ResourceOptions | None) -> None:
    """Raise InputError for options by which an engine would leave machines behind.

    An engine passes `deleted_with` and `retain_on_delete` on to everything that a component holds. It would then drop
    NodePools, or the controller that serves their deletion, without deleting them, and their instances would keep running.
    """
    problems = Problems()
    allowed = "leave it out; use it only on resources without effect outside the cluster"
    if opts is not None and opts.deleted_with is not None:
        problems.add(Place(path="opts.deleted_with"), "would leave behind instances that Karpenter launched", allowed)
    if opts is not None and opts.retain_on_delete:
        problems.add(Place(path="opts.retain_on_delete"), "would leave behind instances that Karpenter launched", allowed)
    if problems:
        raise InputError(problems.found)


def named_part(name: str, part: str, options: pulumi.ResourceOptions) -> tuple[str, pulumi.ResourceOptions]:
    """Return the name of a component's part in the program, and its options.

    The name is the component's with the part's behind it, unless it ends in it already. A stack that made the part before that
    exception keeps it by an alias.
    """
    doubled = f"{name}-{part}"
    if not name.endswith(f"-{part}"):
        return doubled, options
    return name, pulumi.ResourceOptions.merge(options, pulumi.ResourceOptions(aliases=[pulumi.Alias(name=doubled)]))


def child_options(
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None,
    after: Sequence[pulumi.Resource] = (),
    *,
    retain_on_delete: bool = False,
) -> pulumi.ResourceOptions:
    """Return the options of a component's child: of the component's own it has what that waits for, and waits for more after
    it."""
    own = pulumi.ResourceOptions(parent=parent, depends_on=list(after), retain_on_delete=retain_on_delete or None)
    return pulumi.ResourceOptions.merge(pulumi.ResourceOptions(depends_on=opts.depends_on if opts else None), own)
