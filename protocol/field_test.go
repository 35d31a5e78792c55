package protocol

import (
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestField(t *testing.T) {
	e, _ := ParseEvent(spec.PreSession, []byte(`{"source":"start\u0075p","n":1.50,"b":true,"o":{"a":{"b":"x"},"a.b":"y"},"null":null,"twice":"1","twice":"2","list":[1],"":"z"}`), "now")
	for path, want := range map[string][]string{
		"source": {"startup"}, "n": {"1.50"}, "b": {"true"}, "o.a.b": {"x", "y"}, "o.a": {`{"b":"x"}`}, "null": nil, "absent": nil,
		"twice": {"1", "2"}, "list": {"[1]"}, "list.0": nil, "source.x": nil, "Source": nil, "event_type": {"pre-session"}, "timestamp": {"now"}, "o.": nil,
	} {
		if got, undecided := e.Field(path); !slices.Equal(got, want) || undecided != "" {
			t.Errorf("%s: %q, %q; want %q", path, got, undecided, want)
		}
	}
	if got, _ := e.WithPrompt("new").Field("prompt"); !slices.Equal(got, []string{"new"}) {
		t.Errorf("prompt %q", got)
	}
	broken, _ := ParseEvent(spec.PreSession, []byte(`{"source":"a",}`), "now")
	if _, undecided := broken.Field("source"); undecided == "" {
		t.Error("a broken event is decided")
	}
}
