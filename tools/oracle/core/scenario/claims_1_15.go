//go:build karpenter_1_15

package scenario

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/events"
)

// devices is what a world knows of claims.
type devices struct {
	// MadeFor maps namespace/name of a claim made from a template to namespace/name of its pod.
	MadeFor   map[string]string
	templates map[string]*resourcev1.ResourceClaimTemplate
}

// deviceObjects gives the scenario's lists of resource.k8s.io objects their kind.
func (s *Scenario) deviceObjects() ([]json.RawMessage, error) {
	var out []json.RawMessage
	for _, list := range []struct {
		kind string
		raws []json.RawMessage
	}{
		{"DeviceClass", s.DeviceClasses}, {"ResourceSlice", s.ResourceSlices},
		{"ResourceClaimTemplate", s.ResourceClaimTemplates}, {"ResourceClaim", s.ResourceClaims},
	} {
		for i, raw := range list.raws {
			m := map[string]any{}
			if err := json.Unmarshal(raw, &m); err != nil {
				return nil, fmt.Errorf("%s %d, %w", list.kind, i, err)
			}
			m["apiVersion"], m["kind"] = "resource.k8s.io/v1", list.kind
			b, err := json.Marshal(m)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// defaultClaims sets what the API server sets in claims and templates, and remembers templates.
func (w *World) defaultClaims(o client.Object) {
	switch o := o.(type) {
	case *resourcev1.ResourceClaim:
		defaultClaim(&o.Spec)
	case *resourcev1.ResourceClaimTemplate:
		defaultClaim(&o.Spec.Spec)
		if w.templates == nil {
			w.templates = map[string]*resourcev1.ResourceClaimTemplate{}
		}
		w.templates[o.Namespace+"/"+o.Name] = o
	}
}

// defaultClaim sets the mode, and one device.
func defaultClaim(spec *resourcev1.ResourceClaimSpec) {
	fill := func(mode *resourcev1.DeviceAllocationMode, count *int64) {
		if *mode == "" {
			*mode = resourcev1.DeviceAllocationModeExactCount
		}
		if *mode == resourcev1.DeviceAllocationModeExactCount && *count == 0 {
			*count = 1
		}
	}
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if r.Exactly != nil {
			fill(&r.Exactly.AllocationMode, &r.Exactly.Count)
		}
		for j := range r.FirstAvailable {
			fill(&r.FirstAvailable[j].AllocationMode, &r.FirstAvailable[j].Count)
		}
	}
}

// claimsOf makes the claims of a pod from its templates, as the cluster's controller does, and notes their names in the pod's status.
// A template that does not exist yields nothing.
func (w *World) claimsOf(p *corev1.Pod) []client.Object {
	var out []client.Object
	known := map[string]bool{}
	for _, st := range p.Status.ResourceClaimStatuses {
		known[st.Name] = true
	}
	for _, pc := range p.Spec.ResourceClaims {
		if pc.ResourceClaimTemplateName == nil || known[pc.Name] {
			continue
		}
		t, ok := w.templates[p.Namespace+"/"+*pc.ResourceClaimTemplateName]
		if !ok {
			continue
		}
		name := p.Name + "-" + pc.Name
		p.Status.ResourceClaimStatuses = append(p.Status.ResourceClaimStatuses, corev1.PodResourceClaimStatus{Name: pc.Name, ResourceClaimName: &name})
		if w.MadeFor == nil {
			w.MadeFor = map[string]string{}
		}
		w.MadeFor[p.Namespace+"/"+name] = p.Namespace + "/" + p.Name
		out = append(out, &resourcev1.ResourceClaim{
			TypeMeta: metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaim"},
			ObjectMeta: metav1.ObjectMeta{
				Name: name, Namespace: p.Namespace, Labels: t.Spec.Labels, Annotations: t.Spec.Annotations,
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: p.Name, UID: p.UID}},
			},
			Spec: *t.Spec.Spec.DeepCopy(),
		})
	}
	return out
}

// NewProvisioner makes a provisioner on the world, which knows the devices of the claims that are allocated now.
func (w *World) NewProvisioner(c client.Client, recorder events.Recorder, provider cloudprovider.CloudProvider) *provisioning.Provisioner {
	allocated := deviceallocation.NewController(c)
	allocated.Hydrate(w.Ctx)
	return provisioning.NewProvisioner(c, recorder, provider, w.Cluster, w.Clock, allocated, w.VirtualPods)
}
