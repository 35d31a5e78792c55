package agenthooks_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/testschema"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestSchemasAndTheProgram checks that the schemas accept every HOOK.md and hooks.toml in which the
// program finds no problem: the examples, the vectors and the schema store's test files. What the
// store's negative test files contain is a problem for the program, too.
func TestSchemasAndTheProgram(t *testing.T) {
	fenced := regexp.MustCompile(`(?s)^---[ \t]*\r?\n(.*?)\n---[ \t]*\r?(?:\n|$)`)
	accepted, rejected := 0, 0
	check := func(path, schema string, value any, problems []spec.Diagnostic) {
		t.Helper()
		text, _ := spec.Schema(schema)
		wrong, err := testschema.Check(text, value)
		switch {
		case err != nil:
			t.Fatal(err)
		case wrong == "":
			accepted++
		case len(problems) == 0:
			t.Errorf("%s: the program accepts it, the schema does not: %s", path, wrong)
		default:
			rejected++
		}
		if bad := strings.Contains(path, "negative_test"); bad && len(problems) == 0 {
			t.Errorf("%s: the program accepts it", path)
		}
	}
	hook := func(path string, text []byte) {
		var value map[string]any
		if m := fenced.FindSubmatch(text); m == nil || yaml.Unmarshal(m[1], &value) != nil || value == nil {
			return // no front matter to compare
		}
		folder := filepath.Base(filepath.Dir(path))
		if name, ok := value["name"].(string); ok && filepath.Base(path) != "HOOK.md" {
			folder = name
		}
		_, problems := manifest.Check(text, folder)
		check(path, "hook", value, problems)
	}
	for _, root := range []string{"examples/.agents", "testdata/vectors", "spec/schemastore"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			switch {
			case err != nil:
				return err
			case d.Name() == "HOOK.md":
				hook(path, text)
			case filepath.Ext(path) == ".yaml" && strings.Contains(path, "agent-hooks-hook"):
				hook(path, []byte("---\n"+string(text)+"---\n"))
			case filepath.Ext(path) == ".toml":
				var value map[string]any
				if _, err := toml.Decode(string(text), &value); err == nil {
					check(path, "config", value, config.Parse(text, path, discovery.UserScope).Diagnostics)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if accepted < 200 || rejected < 10 {
		t.Errorf("%d files accepted and %d rejected by the schemas", accepted, rejected)
	}
}
