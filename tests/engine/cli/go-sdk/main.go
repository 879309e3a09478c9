// Reads a package schema from standard input and writes the package's Go sources below a folder: what
// `pulumi package add` does for a Go program, without a language host.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go-sdk FOLDER < schema.json")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	var spec schema.PackageSpec
	if err := json.NewDecoder(os.Stdin).Decode(&spec); err != nil {
		return err
	}
	pkg, err := schema.ImportSpec(spec, nil, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	files, err := golang.GeneratePackage("cutlist", pkg, nil)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
