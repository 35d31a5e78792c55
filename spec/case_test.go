package spec

import (
	"maps"
	"slices"
	"testing"
)

func TestSchemaCase(t *testing.T) {
	s := load(t, "case")
	expect := s.at("expect")
	for _, test := range []struct {
		schema *schema
		header string
	}{{s, "Case key | Type | Meaning"}, {expect, "Expected key | Type | Meaning"}} {
		rows := table(t, test.header)
		same(t, "SPEC.md", "key", slices.Sorted(slices.Values(column(rows))), slices.Sorted(maps.Keys(test.schema.Properties)))
		sameTypes(t, test.schema, rows)
		if test.schema.Additional != false {
			t.Errorf("%s: the schema takes unknown keys", test.header)
		}
	}
	same(t, "schema/case.json", "decision", words(expect.at("decision").Enum), []string{"deny", "ask", "allow", "none"})
	if most := expect.at("max_ms").Maximum; most == nil || *most != float64(ms(MaxTimeout)) {
		t.Errorf("max_ms is at most %v", most)
	}
}
