package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelper "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/features"
)

// requests returns what kube-scheduler counts for a pod as it is stored; the status is that of the question, since a new pod has none.
func requests(object runtime.Object, raw []byte) corev1.ResourceList {
	stored, ok := object.(*core.Pod)
	if !ok {
		return nil
	}
	pod := &corev1.Pod{}
	if err := legacyscheme.Scheme.Convert(stored, pod, nil); err != nil {
		fail(err)
	}
	var written struct {
		Status corev1.PodStatus `json:"status"`
	}
	if err := json.Unmarshal(raw, &written); err == nil {
		pod.Status = written.Status
	}
	enabled := utilfeature.DefaultFeatureGate.Enabled
	return resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: enabled(features.InPlacePodLevelResourcesVerticalScaling),
		SkipPodLevelResources:                          !enabled(features.PodLevelResources),
	})
}
