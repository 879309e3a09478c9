"""What shows how Karpenter fares: series, dashboards, alerts, and the values of the charts that carry them (spec: 10)."""
