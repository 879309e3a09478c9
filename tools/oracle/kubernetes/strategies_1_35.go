//go:build !kubernetes_1_37

package main

import (
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// ofVersion has the strategies that other versions have not, or make in another way.
var ofVersion = map[string]rest.RESTCreateStrategy{
	"ResourceClaim": resourceclaim.NewStrategy(adminNamespaces{}),
}
