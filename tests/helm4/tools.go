//go:build tools

// Package tools pins the module that `make helm` builds; it is compiled into nothing.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
