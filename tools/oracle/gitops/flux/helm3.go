package main

import (
	"io"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"

	"cutlist/oracle-gitops/objects"
)

// helm3 renders with the packages of Helm 3, which Argo CD and most people run; Flux renders with those of Helm 4.
func helm3(path string, values map[string]any, o Options, name string) ([]objects.Object, error) {
	loaded, err := loader.Load(path)
	if err != nil {
		return nil, err
	}
	kube, err := chartutil.ParseKubeVersion(o.Kube)
	if err != nil {
		return nil, err
	}
	memory := driver.NewMemory()
	memory.SetNamespace(o.Namespace)
	client := action.NewInstall(&action.Configuration{
		Releases: storage.Init(memory), KubeClient: &fake.PrintingKubeClient{Out: io.Discard}, Log: func(string, ...any) {},
	})
	client.DryRun, client.ClientOnly, client.IncludeCRDs, client.Replace = true, true, true, true
	client.ReleaseName, client.Namespace, client.KubeVersion = name, o.Namespace, kube
	client.APIVersions = chartutil.VersionSet(o.APIs)
	made, err := client.Run(loaded, values)
	if err != nil {
		return nil, err
	}
	list := []objects.Object{}
	add := func(text, hook string) error {
		found, err := documents(text)
		for _, one := range found {
			list = append(list, objects.New(one, o.Namespace, "", hook))
		}
		return err
	}
	if err := add(made.Manifest, ""); err != nil {
		return nil, err
	}
	for _, hook := range made.Hooks {
		for _, event := range hook.Events {
			if event == release.HookPreInstall || event == release.HookPostInstall {
				if err := add(hook.Manifest, strings.ToLower(string(event))); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	objects.Sort(list)
	return list, nil
}
