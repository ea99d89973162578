// Command crd_check does with a CustomResourceDefinition what an API server does when it is applied: it decodes it
// strictly and validates it, the estimated cost of its rules included. Then it validates objects against it, after
// defaulting. It prints one JSON object: errors of the definition, and errors by file of the objects.
//
//	crd_check CRD.yaml [OBJECT.yaml...]
package main

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	objects "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

func main() {
	crd := load(os.Args[1])
	result := map[string]any{"crd": texts(validation.ValidateCustomResourceDefinition(context.Background(), crd))}
	for _, file := range os.Args[2:] {
		result[file] = check(crd, file)
	}
	must(stdjson.NewEncoder(os.Stdout).Encode(result))
}

func load(file string) *apiextensions.CustomResourceDefinition {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	data, err := os.ReadFile(file)
	must(err)
	var given v1.CustomResourceDefinition
	must(yaml.UnmarshalStrict(data, &given))
	scheme.Default(&given)
	var crd apiextensions.CustomResourceDefinition
	must(scheme.Convert(&given, &crd, nil))
	// What the API server writes when it takes the definition.
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			crd.Status.StoredVersions = []string{version.Name}
		}
	}
	return &crd
}

func check(crd *apiextensions.CustomResourceDefinition, file string) []string {
	data, err := os.ReadFile(file)
	must(err)
	data, err = yaml.YAMLToJSON(data)
	must(err)
	var object map[string]any
	must(json.Unmarshal(data, &object)) // whole numbers become integers, as in an API server
	openapi := crd.Spec.Versions[0].Schema
	if openapi == nil { // one version alone is kept for all
		openapi = crd.Spec.Validation
	}
	structural, err := schema.NewStructural(openapi.OpenAPIV3Schema)
	must(err)
	validator, _, err := objects.NewSchemaValidator(openapi.OpenAPIV3Schema)
	must(err)
	defaulting.Default(object, structural)
	found := objects.ValidateCustomResource(nil, object, validator)
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	broken, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
	return texts(append(found, broken...))
}

func texts(errors field.ErrorList) []string {
	found := []string{}
	for _, each := range errors {
		found = append(found, each.Error())
	}
	return found
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
