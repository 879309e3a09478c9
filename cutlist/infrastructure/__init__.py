"""What Karpenter needs around it, as plain facts: names, documents, versions, checks. No SDK, no account, no Pulumi.

The components register what these modules describe, the gates check it, and the command line explains it.
"""
