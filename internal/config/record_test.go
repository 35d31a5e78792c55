package config

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

func TestRecording(t *testing.T) {
	for _, test := range []struct {
		text    string
		on      bool
		problem string // of the only diagnostic; "" for none
	}{
		{"", false, ""},
		{"[record]\nenabled = true", true, ""},
		{"record = {enabled = false}", false, ""},
		{"[record]\nenabled = 1", false, "enabled is the number 1; true or false"},
		{"[record]\nenabled = true\nkeep = 'x'", true, "keep has no effect any more"},
		{"[record]\ndir = '/x'\nenabled = true", true, "dir has no effect any more"},
		{"[record]\nenable = true", false, `unknown key "enable"; did you mean "enabled"?`},
		{"record = true", false, "record is the boolean true; write a table"},
	} {
		f := Parse([]byte(test.text), "/hooks.toml", discovery.UserScope)
		if on := (Config{User: f}).Recording(); on != test.on || f.requireTrust {
			t.Errorf("%q: recording is %t", test.text, on)
		}
		if test.problem == "" && len(f.Diagnostics) > 0 || test.problem != "" && (len(f.Diagnostics) != 1 || !strings.Contains(f.Diagnostics[0].Message, test.problem)) {
			t.Errorf("%q: %v", test.text, f.Diagnostics)
		}
	}
	f := Parse([]byte("[record]\nenabled = true"), "/p/.agents/hooks.toml", discovery.ProjectScope)
	if len(f.Diagnostics) != 1 || (Config{User: f}).Recording() {
		t.Errorf("a project's file: %v", f.Diagnostics)
	}
}
