package discovery

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The reason why a hook cannot run is reported once, with one path.
func TestRunnable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no execute permission")
	}
	const good = "hook/HOOK.md=---\nname: hook\ndescription: d\ntrigger: pre-tool-call\n---\n"
	for _, test := range []struct {
		name string
		tree []string
		want string // "" if the hook can run
	}{
		{"good", []string{good, "!hook/scripts/run=#!/bin/sh\n"}, ""},
		{"without the bit", []string{good, "hook/scripts/run=#!/bin/sh\n"}, ""},
		{"nothing in scripts", []string{good, "hook/scripts/"}, "DIR/scripts has no run, run.sh or run.py"},
		{"neither bit nor #!", []string{good, "hook/scripts/run=exit 0"}, "DIR/scripts/run has neither an execute permission nor a #! line"},
		{"no #!", []string{good, "!hook/scripts/run=exit 0"}, ""},
		{"no interpreter", []string{good, "!hook/scripts/run=#!/no/such\n"}, `DIR/scripts/run: the interpreter "/no/such" is not installed`},
		{"a carriage return", []string{good, "!hook/scripts/run=#!/bin/sh\r\n"}, "DIR/scripts/run: its #! line ends"},
		{"an expression", []string{strings.Replace(good, "call\n", "call\nmatcher: {tool: '('}\n", 1), "!hook/scripts/run=#!/bin/sh\n"}, `tool "("`},
		{"an expression that is never searched", []string{strings.Replace(good, "pre-tool-call\n", "pre-session\nmatcher: {tool: '('}\n", 1), "!hook/scripts/run=#!/bin/sh\n"}, ""},
		{"others can write", []string{good, "!hook/scripts/run=#!/bin/sh\n"}, "DIR/scripts/run can be changed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, _ := entryTree(t, test.tree...)
			if test.name == "others can write" {
				loosen(t, filepath.Join(h.Dir, "scripts", "run"))
			}
			message := ""
			if err := ReadHook(h.Dir, UserScope).Runnable("/bin"); err != nil {
				message = err.Error()
			}
			want := strings.ReplaceAll(test.want, "DIR", h.Dir)
			if !strings.HasPrefix(message, want) || (message == "") != (want == "") {
				t.Errorf("got %s, want %s", message, want)
			}
			message, _, _ = strings.Cut(message, "; fix with")
			if strings.Count(message, filepath.Join(h.Dir, "scripts")) > 1 {
				t.Errorf("the path appears twice: %s", message)
			}
		})
	}
}

// The state of a hook may change; the cause of its unreadable trigger does not.
func TestTriggerCause(t *testing.T) {
	for source, want := range map[string]string{
		"trigger: nonsense\nasync: perhaps": `unknown event "nonsense"`,
		"trigger: [a]":                      "trigger is a list",
		"async: false":                      `no key "trigger"`,
		"async: [":                          "",
		"trigger: pre-session":              "-",
	} {
		h, _ := entryTree(t, "hook/HOOK.md=---\nname: hook\ndescription: d\n"+source+"\n---\n")
		h = ReadHook(h.Dir, ProjectScope)
		h.State, h.Cause = Untrusted, "not trusted yet"
		got := h.TriggerCause()
		if want == "-" {
			if got != "" {
				t.Errorf("%q of a good trigger", got)
			}
		} else if !strings.HasPrefix(got, want) || got == "" || got == h.Cause {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}
