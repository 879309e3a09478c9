//go:build tools

// Package tools pins the module that `make kustomize` builds; it is compiled into nothing.
package tools

import _ "sigs.k8s.io/kustomize/kustomize/v5"
