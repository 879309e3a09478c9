// Writes a package's Go sources.
package main

import (
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"cutlist/tests/engine/cli/sdk"
)

func main() {
	sdk.Main(func(pkg *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage("cutlist", pkg, nil)
	})
}
