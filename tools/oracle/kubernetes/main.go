// Command kubernetes prints what an API server says of objects that are created, one JSON line for each line of standard input.
//
// A question is {"name": ..., "object": ...}; an answer has the same name, whether the object is accepted, and each cause with
// the path and the message that a client would read; of an accepted pod also its requests, as kube-scheduler counts them. It decodes strictly, fills in defaults and asks the strategy of the
// object's kind, as the handler of a create request does. Admission, which needs a cluster, is left out.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/kubernetes/pkg/capabilities"
)

type question struct {
	Name   string          `json:"name"`
	Object json.RawMessage `json:"object"`
}

type cause struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

type answer struct {
	Name     string  `json:"name"`
	Accepted bool    `json:"accepted"`
	Causes   []cause `json:"causes,omitempty"`
	Error    string  `json:"error,omitempty"`

	// Requests are those that kube-scheduler counts for an accepted pod, with the status that the question gives it.
	Requests corev1.ResourceList `json:"requests,omitempty"`
}

func main() {
	capabilities.Setup(true, 0)
	server := newServer()
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	in.Buffer(nil, 1<<26)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			fail(err)
		}
		a := answer{Name: q.Name}
		if object, err := server.created(q.Object); err != nil {
			a.Causes, a.Error = causes(err), err.Error()
		} else {
			a.Accepted = true
			a.Requests = requests(object, q.Object)
		}
		if err := out.Encode(a); err != nil {
			fail(err)
		}
	}
	if err := in.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

var unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)

// causes returns what a refusal names by path: the causes of an invalid object, or its unknown fields.
func causes(err error) []cause {
	var all []cause
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, c := range status.Status().Details.Causes {
			all = append(all, cause{c.Field, c.Message})
		}
	}
	for _, field := range unknownField.FindAllStringSubmatch(err.Error(), -1) {
		all = append(all, cause{field[1], field[0]})
	}
	return all
}
