// Writes a package's TypeScript sources.
package main

import (
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"cutlist/tests/engine/cli/sdk"
)

func main() {
	sdk.Main(func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage("cutlist", pkg, nil, nil, true, nil)
	})
}
