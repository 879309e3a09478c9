// Package autoscaler gives HorizontalPodAutoscalers with a course of metrics to the controller's own code and prints which
// replicas it sets. What asks is a test, because only a test can have a clock of its own (testing/synctest).
package autoscaler

import (
	"context"
	_ "unsafe" // for the name of a method that is not exported

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// reconcile is what the controller does with an autoscaler every 15 seconds. linked.s allows it to have no body here.
//
//go:linkname reconcile k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).reconcileAutoscaler
func reconcile(a *podautoscaler.HorizontalController, ctx context.Context, autoscaler *autoscalingv2.HorizontalPodAutoscaler, key string) error
