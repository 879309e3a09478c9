"""Monitoring of Karpenter: series, dashboards, alerts, and the values of the charts that install them (spec: 10)."""
