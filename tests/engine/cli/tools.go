//go:build tools

// Package cli pins the modules that `make engine` builds; it is compiled into nothing.
package cli

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
