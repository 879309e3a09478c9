"""The policy pack that `pulumi preview --policy-pack policies` runs: Cutlist's rules, as the stack's gates configure them."""

from cutlist_policies.gates import gates_from_environment, reader_from_environment, today
from cutlist_policies.marks import keep_marks
from cutlist_policies.policies import policies
from pulumi_policy import PolicyPack

reader = reader_from_environment()
keep_marks(reader.marks)
PolicyPack(name="cutlist", policies=policies(gates_from_environment(), today(), reader))
