//go:build karpenter_1_15

package main

import "sigs.k8s.io/karpenter/pkg/scheduling"

func minValues(q *scheduling.Requirement) *int { return q.MinValues() }
