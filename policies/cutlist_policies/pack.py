"""The policy pack: Cutlist's rules, as the gates of the running stack configure them."""

from pulumi_cutlist.day import today
from pulumi_policy import PolicyPack

from cutlist_policies.gates import gates_from_environment, reader_from_environment
from cutlist_policies.marks import keep_marks
from cutlist_policies.policies import policies


def serve() -> None:
    """Serve the rules to the engine that started this process."""
    reader = reader_from_environment()
    keep_marks(reader.marks)
    PolicyPack(name="cutlist", policies=policies(gates_from_environment(), today(), reader))
