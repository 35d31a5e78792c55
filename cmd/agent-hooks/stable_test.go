package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestStable compares the exit statuses, the keys of the stable outputs and those of the schemas with
// testdata/stable.txt (docs/embedding.md). -update adds lines to it but removes none: a line that is
// gone is a change on which somebody may rely.
func TestStable(t *testing.T) {
	got := stableLines(t)
	file := filepath.Join("testdata", "stable.txt")
	text, err := os.ReadFile(file)
	if err != nil && !updating() {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range want {
		if line != "" && !slices.Contains(got, line) {
			t.Errorf("%q is gone, or has another type; it is stable", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) && !updating() {
			t.Errorf("%q is new: go test -run TestStable -update adds it, and then it is stable", line)
		}
	}
	if updating() && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func stableLines(t *testing.T) (lines []string) {
	for status, meaning := range map[int]string{spec.ExitContinue: "success", spec.ExitError: "an error, or something to report", spec.ExitBlock: "run: blocked", spec.ExitUsage: "wrong usage", exitUnreadable: "commands: not certain"} {
		lines = append(lines, fmt.Sprintf("exit status %d: %s", status, meaning))
	}
	for name, value := range map[string]any{
		"run --report": &agenthooks.Report{}, "list --json": []explain.Listed{}, "log --json": runlog.Entry{}, "log --summary --json": []runlog.Hook{},
		"doctor --json": []install.Report{}, "test --json": suite.Report{}, "update --check --json": []pack.Locked{},
	} {
		filled := reflect.New(reflect.TypeOf(value)).Elem()
		fill(filled, 0)
		text, err := json.Marshal(filled.Interface())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var data any
		if err := json.Unmarshal(text, &data); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, keysOf(name+": ", data)...)
	}
	for _, name := range spec.SchemaNames() {
		text, _ := spec.Schema(name)
		var schema any
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, propertiesOf("schema "+name+": ", schema)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// fill sets every exported field to a value that is not its type's zero value.
func fill(v reflect.Value, depth int) {
	if depth > 8 || !v.CanSet() {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage("{}")))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("KEY")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	}
}

// keysOf returns the paths and types of the keys of a JSON value.
func keysOf(prefix string, v any) (lines []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			lines = append(lines, fmt.Sprintf("%s%s (%s)", prefix, key, kindOf(value)))
			lines = append(lines, keysOf(prefix+key+".", value)...)
		}
	case []any:
		for _, value := range v {
			lines = append(lines, keysOf(prefix, value)...)
		}
	}
	return lines
}

func kindOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "object"
	case []any:
		if len(v) > 0 {
			return "array of " + kindOf(v[0])
		}
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	}
	return "null"
}

// propertiesOf returns the paths of a schema's properties.
func propertiesOf(prefix string, schema any) (lines []string) {
	switch s := schema.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for key, value := range properties {
			lines = append(lines, prefix+key)
			lines = append(lines, propertiesOf(prefix+key+".", value)...)
		}
		for _, key := range slices.Sorted(maps.Keys(s)) {
			if key != "properties" {
				lines = append(lines, propertiesOf(prefix, s[key])...)
			}
		}
	case []any:
		for _, value := range s {
			lines = append(lines, propertiesOf(prefix, value)...)
		}
	}
	return lines
}

// updating reports whether -update is given. The flag does not exist on every system.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}
