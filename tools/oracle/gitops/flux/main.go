// Command flux prints what Flux's controllers, kustomize, and helm's engine make of a checkout, with their own packages.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"cutlist/oracle-gitops/objects"
)

type words []string

func (w *words) String() string         { return strings.Join(*w, ",") }
func (w *words) Set(value string) error { *w = append(*w, value); return nil }

// Options are those of all commands; each uses some of them.
type Options struct {
	Root, Path, Charts, Kube, Release, Namespace string
	URLs, APIs, Values                           words
	Strict, Hooks                                bool
	Restrictor, Helm, Also                       string
}

func usage() {
	fmt.Fprintln(os.Stderr, `flux cluster   -root DIR -path PATH [-url ADDRESS] [-charts DIR] [-strict] [-kube-version V] [-api-version A]
flux kustomize -root DIR -path PATH [-load-restrictor LoadRestrictionsNone] [-enable-helm COMMAND] [-also COMMAND]
flux helm      -root DIR -path CHART [-values FILE] [-release NAME] [-namespace NAME] [-kube-version V] [-api-version A]
flux prune     CRD.yaml OBJECT.yaml`)
	os.Exit(2)
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	var o Options
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	flags.StringVar(&o.Root, "root", ".", "checkout")
	flags.StringVar(&o.Path, "path", ".", "path of the cluster, kustomization or chart in it")
	flags.StringVar(&o.Charts, "charts", "", "folder with charts of other sources: NAME/ or NAME-VERSION.tgz")
	flags.Var(&o.URLs, "url", "address of the checkout; without one every GitRepository is the checkout")
	flags.StringVar(&o.Kube, "kube-version", "v1.34.0", "version of Kubernetes that charts see")
	flags.Var(&o.APIs, "api-version", "further API that charts see")
	flags.Var(&o.Values, "values", "values file")
	flags.StringVar(&o.Release, "release", "", "name of the release; the folder's by default")
	flags.StringVar(&o.Namespace, "namespace", "default", "namespace of the release")
	flags.BoolVar(&o.Strict, "strict", false, "feature gate StrictPostBuildSubstitutions")
	flags.StringVar(&o.Restrictor, "load-restrictor", "LoadRestrictionsRootOnly", "as kustomize build")
	flags.StringVar(&o.Helm, "enable-helm", "", "helm command for helmCharts")
	flags.StringVar(&o.Also, "also", "", "kustomize command whose answer is printed too where it differs")
	_ = flags.Parse(os.Args[2:])
	switch os.Args[1] {
	case "cluster":
		objects.Print(cluster(o))
	case "kustomize":
		objects.Print(plainKustomize(o))
	case "helm":
		objects.Print(plainHelm(o))
	case "prune":
		objects.Print(prune(flags.Args()))
	default:
		usage()
	}
}
