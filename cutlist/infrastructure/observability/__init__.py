"""What shows how Karpenter is doing: series, dashboards, alerts, and the values of the charts that carry them (spec: 10)."""
