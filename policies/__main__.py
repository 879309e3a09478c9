"""The policy pack that `pulumi preview --policy-pack policies` runs: Cutlist's rules, as the stack's gates configure them."""

from cutlist_policies.pack import serve

serve()
