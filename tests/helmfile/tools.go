//go:build tools

// Package tools pins the module that `make helmfile` builds; it is compiled into nothing.
package tools

import _ "github.com/helmfile/helmfile"
