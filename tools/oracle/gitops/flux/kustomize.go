package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"cutlist/oracle-gitops/objects"
)

// Plain is the answer of the commands that build one thing.
type Plain struct {
	Error   string           `json:"error,omitempty"`
	Objects []objects.Object `json:"objects"`
	Helm3   *Plain           `json:"helm3,omitempty"` // where Helm 3 differs from Helm 4
	Other   *Plain           `json:"other,omitempty"` // where the program of -also differs from kustomize 5.8.1
}

func reduced(built resmap.ResMap, namespace, from string) ([]objects.Object, error) {
	list := []objects.Object{}
	for _, one := range built.Resources() {
		members, err := one.Map()
		if err != nil {
			return nil, err
		}
		list = append(list, objects.New(members, namespace, from, ""))
	}
	objects.Sort(list)
	return list, nil
}

func plainKustomize(o Options) Plain {
	options := krusty.MakeDefaultOptions()
	if o.Restrictor == "LoadRestrictionsNone" {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	if o.Helm != "" {
		options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
		options.PluginConfig.HelmConfig = types.HelmConfig{Enabled: true, Command: o.Helm}
	}
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), filepath.Join(o.Root, o.Path))
	if err != nil {
		return Plain{Error: err.Error(), Objects: []objects.Object{}}
	}
	list, err := reduced(built, "default", "")
	if err != nil {
		return Plain{Error: err.Error(), Objects: []objects.Object{}}
	}
	answer := Plain{Objects: list}
	if o.Also != "" {
		if other, err := alsoKustomize(o); err != nil {
			answer.Other = &Plain{Error: err.Error(), Objects: []objects.Object{}}
		} else if asText(other) != asText(list) {
			answer.Other = &Plain{Objects: other}
		}
	}
	return answer
}

func alsoKustomize(o Options) ([]objects.Object, error) {
	words := []string{"build", "--load-restrictor", o.Restrictor, filepath.Join(o.Root, o.Path)}
	if o.Helm != "" {
		words = append(words, "--enable-helm", "--helm-command", o.Helm)
	}
	text, err := exec.Command(o.Also, words...).Output()
	if err != nil {
		return nil, err
	}
	found, err := documents(string(text))
	list := []objects.Object{}
	for _, one := range found {
		list = append(list, objects.New(one, "default", "", ""))
	}
	objects.Sort(list)
	return list, err
}

func asText(list []objects.Object) string {
	text, _ := json.Marshal(list)
	return string(text)
}
