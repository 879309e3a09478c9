"""Who a cluster is on Azure, and what it may do."""
