package spec

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/testschema"
)

var update = flag.Bool("update", false, "rewrite the schemas for the JSON Schema Store")

// stored are the schemas in the folder schemastore.
var stored = []string{"hook", "config"}

// TestSchemaStore checks that the schemas in the folder schemastore are those of this package in
// draft-07 and with the store's address, and that each accepts and rejects its test files.
func TestSchemaStore(t *testing.T) {
	for _, name := range stored {
		id := "agent-hooks-" + name
		path := filepath.Join("schemastore", "src", "schemas", "json", id+".json")
		source, _ := Schema(name)
		want := strings.NewReplacer(
			"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#",
			`"$id": "agent-hooks/`+name+`.json"`, `"$id": "https://www.schemastore.org/`+id+`.json"`,
		).Replace(string(source))
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		schema, err := os.ReadFile(path)
		if err != nil || string(schema) != want {
			t.Fatalf("%s is not made from spec/schema/%s.json (%v): go test ./spec -run TestSchemaStore -update", path, name, err)
		}
		var head struct {
			Schema string `json:"$schema"`
			ID     string `json:"$id"`
			Title  string
		}
		if err := json.Unmarshal(schema, &head); err != nil || !strings.HasSuffix(head.Schema, "draft-07/schema#") || !strings.HasSuffix(head.ID, "/"+id+".json") || head.Title == "" || bytes.Contains(schema, []byte(`"$ref"`)) {
			t.Errorf("%s: the store takes draft-07, an id, a title and no references: %+v %v", path, head, err)
		}
		for folder, accept := range map[string]bool{"test": true, "negative_test": false} {
			files, _ := filepath.Glob(filepath.Join("schemastore", "src", folder, id, "*"))
			if len(files) == 0 {
				t.Errorf("%s has no files in src/%s", id, folder)
			}
			for _, file := range files {
				wrong, err := testschema.Check(schema, decodeFile(t, file))
				if err != nil || (wrong == "") != accept {
					t.Errorf("%s: rejected because of %q, want accepted: %v (%v)", file, wrong, accept, err)
				}
			}
		}
	}
}

// TestEveryKey checks that the store's test files have each key of a HOOK.md.
func TestEveryKey(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("schemastore", "src", "test", "agent-hooks-hook", "*"))
	var all []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for _, f := range Fields() {
		if key := f.Name[strings.LastIndexByte(f.Name, '.')+1:] + ":"; !bytes.Contains(all, []byte(key)) {
			t.Errorf("no file in %s has %s", filepath.Dir(files[0]), key)
		}
	}
}

// TestSchemaConfig checks the schema of hooks.toml against section 20.1, and its limits and words
// against the tables.
func TestSchemaConfig(t *testing.T) {
	text, _ := Schema("config")
	_, section, _ := strings.Cut(Text(), "\n**20.1** ")
	_, section, _ = strings.Cut(section, "```toml\n")
	section, _, _ = strings.Cut(section, "```")
	var example map[string]any
	if _, err := toml.Decode(section, &example); err != nil {
		t.Fatal(err)
	}
	if wrong, err := testschema.Check(text, example); wrong != "" || err != nil {
		t.Errorf("the example of SPEC.md 20.1: %s %v", wrong, err)
	}
	s := load(t, "config")
	same(t, "SPEC.md 20.1", "key of [hooks]", slices.Sorted(maps.Keys(example["hooks"].(map[string]any))), slices.Sorted(maps.Keys(s.at("hooks").Properties)))
	tools := s.at("tools").Additional.(map[string]any)["enum"].([]any)
	same(t, "schema/config.json", "tool", words(tools), PortableTools())
	override := s.at("hooks.override").Items
	for _, p := range []*schema{s.at("hooks.defaults.timeout"), override.at("timeout")} {
		if *p.Minimum != float64(ms(MinTimeout)) || *p.Maximum != float64(ms(MaxTimeout)) {
			t.Errorf("timeout is limited to %v, %v", *p.Minimum, *p.Maximum)
		}
	}
	if p := s.at("hooks.stop-limit"); *p.Maximum != MaxStopLimit || p.Default != float64(DefaultStopLimit) {
		t.Errorf("stop-limit: %v, %v", *p.Maximum, p.Default)
	}
	if p := override.at("priority"); *p.Maximum != MaxPriority {
		t.Errorf("priority: %v", *p.Maximum)
	}
}

// decodeFile decodes a YAML or TOML file.
func decodeFile(t *testing.T, path string) any {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if filepath.Ext(path) == ".toml" {
		_, err = toml.Decode(string(text), &value)
	} else {
		err = yaml.Unmarshal(text, &value)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return value
}
