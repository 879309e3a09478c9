// Package sdk writes the sources of a package in a language: what `pulumi package add` does, without a language host.
package sdk

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Main reads a package schema from standard input and writes what generate makes of it below the folder that is the only argument.
func Main(generate func(*schema.Package) (map[string][]byte, error)) {
	if len(os.Args) != 2 {
		log.Fatalf("usage: %s FOLDER < schema.json", filepath.Base(os.Args[0]))
	}
	if err := write(os.Args[1], generate); err != nil {
		log.Fatal(err)
	}
}

func write(folder string, generate func(*schema.Package) (map[string][]byte, error)) error {
	var spec schema.PackageSpec
	if err := json.NewDecoder(os.Stdin).Decode(&spec); err != nil {
		return err
	}
	pkg, err := schema.ImportSpec(spec, nil, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	files, err := generate(pkg)
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
