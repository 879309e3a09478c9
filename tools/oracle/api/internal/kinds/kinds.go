// Package kinds answers for the kinds that Karpenter's core defines, whichever provider's CRDs are installed.
package kinds

import (
	"context"
	"encoding/json"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// Runtime returns what the controllers refuse of a stored NodePool, NodeOverlay or NodeClaim, and whether the kind is one of these.
func Runtime(kind string, stored []byte) (found []error, known bool, err error) {
	switch kind {
	case "NodePool":
		o := &karpv1.NodePool{}
		if err := json.Unmarshal(stored, o); err != nil {
			return nil, true, err
		}
		return []error{o.RuntimeValidate(context.Background())}, true, nil
	case "NodeOverlay":
		o := &v1alpha1.NodeOverlay{}
		if err := json.Unmarshal(stored, o); err != nil {
			return nil, true, err
		}
		return []error{o.RuntimeValidate(context.Background())}, true, nil
	case "NodeClaim":
		return nil, true, json.Unmarshal(stored, &karpv1.NodeClaim{})
	}
	return nil, false, nil
}

// NodePoolHash returns a stored NodePool's drift hash and its version.
func NodePoolHash(stored []byte) (hash, version string, err error) {
	o := &karpv1.NodePool{}
	if err := json.Unmarshal(stored, o); err != nil {
		return "", "", err
	}
	return o.Hash(), karpv1.NodePoolHashVersion, nil
}
