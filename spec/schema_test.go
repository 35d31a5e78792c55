package spec

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schema is the part of JSON Schema that the schemas use.
type schema struct {
	Schema     string             `json:"$schema"`
	ID         string             `json:"$id"`
	Title      string             `json:"title"`
	Text       string             `json:"description"`
	Comment    string             `json:"$comment"`
	Type       any                `json:"type"`
	Enum       []any              `json:"enum"`
	Default    any                `json:"default"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Additional any                `json:"additionalProperties"`
	Items      *schema            `json:"items"`
	Pattern    string             `json:"pattern"`
	Format     string             `json:"format"`
	MinLength  *float64           `json:"minLength"`
	MaxLength  *float64           `json:"maxLength"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	Not        *schema            `json:"not"`
	AnyOf      []*schema          `json:"anyOf"`
	Names      *schema            `json:"propertyNames"`
	If         *schema            `json:"if"`
	Then       *schema            `json:"then"`
	Else       *schema            `json:"else"`
	MinItems   *float64           `json:"minItems"`
}

func load(t *testing.T, name string) *schema {
	t.Helper()
	b, ok := Schema(name)
	if !ok {
		t.Fatalf("no schema %q", name)
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields() // reject misspelled keywords
	var s schema
	if err := d.Decode(&s); err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return &s
}

func TestSchemas(t *testing.T) {
	for _, name := range SchemaNames() {
		s := load(t, name)
		if s.Schema != "https://json-schema.org/draft/2020-12/schema" || s.ID != "agent-hooks/"+name+".json" || s.Type != "object" {
			t.Errorf("%s: %q, %q, %v", name, s.Schema, s.ID, s.Type)
		}
		for key, p := range s.Properties {
			if p.Text == "" {
				t.Errorf("%s: %s has no description", name, key)
			}
		}
		for _, key := range s.Required {
			if s.Properties[key] == nil {
				t.Errorf("%s requires %q, which it does not describe", name, key)
			}
		}
	}
	if _, ok := Schema("nothing"); ok {
		t.Error("there is a schema \"nothing\"")
	}
}

// keys returns the paths of all properties.
func (s *schema) keys(prefix string) []string {
	var all []string
	for key, p := range s.Properties {
		all = append(append(all, prefix+key), p.keys(prefix+key+".")...)
	}
	return all
}

// at returns the schema of the value at a path; an empty one if s has none.
func (s *schema) at(path string) *schema {
	for key := range strings.SplitSeq(path, ".") {
		if s = s.Properties[key]; s == nil {
			return &schema{}
		}
	}
	return s
}

func TestSchemaHook(t *testing.T) {
	s := load(t, "hook")
	var names, required []string
	for _, f := range Fields() {
		names = append(names, f.Name)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	same(t, "schema/hook.json", "key", slices.Sorted(slices.Values(s.keys(""))), slices.Sorted(slices.Values(names)))
	same(t, "schema/hook.json", "required key", s.Required, required)
	for _, f := range Fields() {
		p := s.at(f.Name)
		if p.Text != f.Description {
			t.Errorf("%s: description %q, want %q", f.Name, p.Text, f.Description)
		}
		if f.Extension != strings.HasPrefix(p.Comment, "extension") {
			t.Errorf("%s: comment %q, extension %v", f.Name, p.Comment, f.Extension)
		}
		if b, _ := json.Marshal(p.Default); f.Default != "" && strings.Trim(string(b), `"`) != f.Default {
			t.Errorf("%s: default %s, want %s", f.Name, b, f.Default)
		}
	}
	for _, closed := range []*schema{s, s.at("matcher")} {
		if closed.Additional != false {
			t.Error("the schema takes unknown keys")
		}
	}
	if s.at("metadata").Additional != nil {
		t.Error("metadata does not take every key")
	}
	same(t, "schema/hook.json", "protocol", words(s.at("metadata.protocol").Enum), strings.Fields(strings.Join(protocols[:], " ")))
}

func TestSchemaHookLimits(t *testing.T) {
	s := load(t, "hook")
	tests := []struct {
		key  string
		got  *float64
		want int
	}{
		{"name", s.at("name").MinLength, 1},
		{"name", s.at("name").MaxLength, MaxName},
		{"description", s.at("description").MinLength, 1},
		{"description", s.at("description").MaxLength, MaxDescription},
		{"timeout", s.at("timeout").Minimum, ms(MinTimeout)},
		{"timeout", s.at("timeout").Maximum, ms(MaxTimeout)},
		{"priority", s.at("priority").Minimum, 0},
		{"priority", s.at("priority").Maximum, MaxPriority},
		{"metadata.retry", s.at("metadata.retry").Minimum, 0},
		{"metadata.retry", s.at("metadata").Else.at("retry").Maximum, MaxRetry},
	}
	for _, test := range tests {
		if test.got == nil || *test.got != float64(test.want) {
			t.Errorf("%s: %v, want %d", test.key, test.got, test.want)
		}
	}
	same(t, "schema/hook.json", "on-failure", words(s.at("metadata.on-failure").Enum), []string{"allow", "deny", "ask"})
}

func TestSchemaHookAsync(t *testing.T) {
	async := load(t, "hook").at("async")
	same(t, "schema/hook.json", "async", words(async.AnyOf[0].Enum), []string{"true", "false", "1", "0"})
	pattern := regexp.MustCompile(async.AnyOf[1].Pattern)
	for _, word := range []string{"yes", "YES", "True", "1", "no", "False", "0"} {
		if !pattern.MatchString(word) {
			t.Errorf("%q is rejected", word)
		}
	}
	for _, word := range []string{"", "y", "on", "yes ", "10", "truer"} {
		if pattern.MatchString(word) {
			t.Errorf("%q is accepted", word)
		}
	}
}

// words returns strings unchanged. If there are other values among them, all
// are encoded as JSON.
func words(values []any) []string {
	plain := !slices.ContainsFunc(values, func(v any) bool { _, ok := v.(string); return !ok })
	var all []string
	for _, v := range values {
		b, _ := json.Marshal(v)
		if plain {
			b = []byte(v.(string))
		}
		all = append(all, string(b))
	}
	return all
}

func TestSchemaHookName(t *testing.T) {
	pattern := regexp.MustCompile(load(t, "hook").at("name").Pattern)
	for _, name := range []string{"a", "block-rm", "9", "run-2-tests", "größe", "钩子", "フック-1"} {
		if !pattern.MatchString(name) {
			t.Errorf("%q is rejected", name)
		}
	}
	for _, name := range []string{"", "-", "a-", "-a", "a--b", "A", "Größe", "a b", "a_b", "a.b", "a/b", "a\n", "a{", "a`", "a:"} {
		if pattern.MatchString(name) {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestSchemaEvents(t *testing.T) {
	var all, tools []string
	for _, e := range Events() {
		all = append(all, string(e.Event))
		if e.Event.IsTool() {
			tools = append(tools, string(e.Event))
		}
	}
	event := load(t, "event")
	same(t, "schema/hook.json", "trigger", words(load(t, "hook").at("trigger").Enum), all)
	same(t, "schema/event.json", "event_type", words(event.at("event_type").Enum), all)
	same(t, "schema/event.json", "tool event", words(event.If.at("event_type").Enum), tools)
	same(t, "schema/event.json", "tool event's field", event.Then.Required, []string{"tool_name", "tool_input"})
	same(t, "schema/event.json", "condition", event.If.Required, []string{"event_type"})
}

func TestTextEventFields(t *testing.T) {
	event := load(t, "event")
	base, tool := table(t, "Field | Type | Set to"), table(t, "Field | Type | Meaning")
	same(t, "SPEC.md", "base field", column(base), event.Required)
	sameTypes(t, event, slices.Concat(base, tool, table(t, "Field | Type | Events | Value")))
}

// sameTypes compares rows "key | type | …" with a schema's types.
func sameTypes(t *testing.T, s *schema, rows []string) {
	t.Helper()
	for _, row := range rows {
		c := strings.Split(row, " | ")
		p := s.Properties[c[0]]
		if p == nil {
			t.Errorf("the schema has no %q", c[0])
			continue
		}
		got := p.Type
		if list, ok := got.([]any); ok && len(list) == 2 && list[1] == "null" {
			got = list[0]
		}
		if p.Enum != nil {
			got = "string"
		}
		if got == nil {
			got = "any"
		}
		if got != c[1] {
			t.Errorf("%s: type %v in the schema, %s in SPEC.md", c[0], got, c[1])
		}
	}
}

func TestSchemaAnswer(t *testing.T) {
	s := load(t, "answer")
	rows := table(t, "Key | Type | Meaning", "core", "answers")
	same(t, "SPEC.md", "key", slices.Sorted(slices.Values(column(rows))), slices.Sorted(maps.Keys(s.Properties)))
	sameTypes(t, s, rows)
	same(t, "schema/answer.json", "decision", words(s.at("decision").Enum), []string{`"allow"`, `"deny"`, `"ask"`, `"block"`, "null"})
	if s.Additional != nil || s.Required != nil {
		t.Error("an answer may omit and add any key")
	}
	meaning := column(rows)
	for _, row := range table(t, "Other system's key | Value | Counts as") {
		c := strings.Split(row, " | ")
		for key := range strings.SplitSeq(strings.ReplaceAll(c[0], "not at the top also ", ""), ", ") {
			if c[2] != "the reason" && key != "the same" && !strings.HasPrefix(key, "and ") && !slices.Contains(meaning, key) {
				meaning = append(meaning, key)
			}
		}
	}
	same(t, "schema/answer.json", "key with a meaning", words(s.AnyOf[1].Not.Names.Not.Enum), meaning)
	core := column(table(t, "Key | Type | Meaning", "core"))
	for _, key := range column(rows) {
		if slices.Contains(core, key) == strings.HasPrefix(s.Properties[key].Text, "extension: ") {
			t.Errorf("%s is an extension in only one of them", key)
		}
	}
}
