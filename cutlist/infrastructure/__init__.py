"""What has to surround Karpenter, as plain facts: names, documents, versions, checks. No SDK, no account, no Pulumi.

The components register what these modules describe, the gates judge it, and the command line explains it.
"""
