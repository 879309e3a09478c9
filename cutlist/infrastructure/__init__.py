"""Everything that Karpenter needs around it, as plain facts: names, documents, versions, checks. No SDK, no account, no Pulumi.
The components create what these modules describe, the gates check it, and the command line explains it.
"""
