// Package sarif checks the program's SARIF with the schema of SARIF 2.1.0. It is in this module
// because the schema comes with a module that the program does not need.
package sarif

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agent-hooks/agent-hooks/internal/author/output"
)

func TestSARIF(t *testing.T) {
	schema := compile(t)
	findings := []output.Finding{
		{Rule: "trigger", Level: output.Error, File: "/p/a b/HOOK.md", Line: 4, Column: 10, Message: "unknown \x1b event"},
		{Rule: "no-publish", Level: output.Note, File: "/q/HOOK.md", Message: "denied", Count: 7},
		{Rule: "no-file", Level: output.Warning, Message: "no file"},
	}
	for name, r := range map[string]*output.Report{
		"empty": {},
		"full": {
			Version: "1.2.3", Root: "/p", Rules: append(output.DiagnosticRules(), output.Rule{ID: "no-publish", Meaning: "m"}),
			Groups: []output.Group{{Name: "g", Checks: []output.Check{{Name: "a", Findings: findings}}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := output.Find("sarif").Write(&b, r); err != nil {
				t.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(&b)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("%v in\n%v", err, value)
			}
		})
	}
}

// compile compiles the schema, which the module has as a constant of its own.
func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[sarif.Report]().PkgPath()).Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	value := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Trim(value, "`")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("sarif.json")
}
