package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

func TestRecording(t *testing.T) {
	for text, want := range map[string]Recording{
		"":                          {},
		"[record]\nenabled = true":  {Enabled: true, Place: "/hooks.toml:2"},
		"[record]\nenabled = false": {Place: "/hooks.toml:2"},
		"[record]\ndir = '/x/../y'": {Dir: "/y"},
		"record = {enabled = true, dir = '/x', keep = 5}":      {Enabled: true, Dir: "/x", Keep: 5, Place: "/hooks.toml:1"},
		"[record]\nenabled = 1\nkeep = 0\nx = 1":               {},
		"[record]\ndir = 'relative'\nenabled = true\nkeep = 3": {Keep: 3, Place: "/hooks.toml:3"},
	} {
		f := Parse([]byte(text), "/hooks.toml", discovery.UserScope)
		if got := (Config{User: f}).Recording(); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
		if f.requireTrust {
			t.Errorf("%q requires trust", text)
		}
	}
	if to := (Recording{Enabled: true, Dir: "/x"}).Recorder(func(string) string { return "" }, func() string { return "/state" }); !to.On || to.Dir != "/x" {
		t.Errorf("%+v", to)
	}
	if (Config{}).Recording() != (Recording{}) {
		t.Error("a missing file has diagnostics")
	}
}

func TestRecordingProblems(t *testing.T) {
	for text, want := range map[string]string{
		"[record]\nenabled = 1":   "enabled is the number 1; true or false",
		"[record]\nkeep = 100001": "keep (events) is the number 100001; an integer from 1 to 100000",
		"[record]\ndir = '~/x'":   `dir is the string "~/x"; an absolute path`,
		"[record]\nenable = true": `unknown key "enable"; did you mean "enabled"?`,
		"record = true":           "record is the boolean true; write a table",
	} {
		f := Parse([]byte(text), "/hooks.toml", discovery.UserScope)
		if len(f.Diagnostics) != 1 || !strings.Contains(f.Diagnostics[0].Message, want) {
			t.Errorf("%q: %v", text, f.Diagnostics)
		}
	}
	f := Parse([]byte("[record]\nenabled = true"), "/p/.agents/hooks.toml", discovery.ProjectScope)
	if len(f.Diagnostics) != 1 || (Config{User: f}).Recording().Enabled {
		t.Errorf("a project's file: %v", f.Diagnostics)
	}
}

func TestSetRecording(t *testing.T) {
	for text, want := range map[string]string{
		"":                "[record]\nenabled = true\n",
		"# mine\n":        "# mine\n\n[record]\nenabled = true\n",
		"[hooks] # x":     "[hooks] # x\n\n[record]\nenabled = true\n",
		"[hooks]\r\n":     "[hooks]\r\n\r\n[record]\r\nenabled = true\r\n",
		"\ufeff[hooks]\n": "\ufeff[hooks]\n\n[record]\nenabled = true\n",
		"[record]":        "[record]\nenabled = true\n",
		" [ record ] # x\n  dir = '/x'\n[hooks]\n":              " [ record ] # x\nenabled = true\n  dir = '/x'\n[hooks]\n",
		"[record]\nkeep = 5\nenabled  =  false # no\n[hooks]\n": "[record]\nkeep = 5\nenabled  =  true # no\n[hooks]\n",
		"[record]\nenabled=true":                                "[record]\nenabled=true",
		"record={enabled=false,keep=5}\n":                       "record={enabled=true,keep=5}\n",
		"[hooks]\nunknown = 1\n":                                "[hooks]\nunknown = 1\n\n[record]\nenabled = true\n",
	} {
		got, line, err := SetRecording([]byte(text), "/hooks.toml", true)
		if err != nil || string(got) != want {
			t.Errorf("%q:\n got %q, %v\nwant %q", text, got, err, want)
			continue
		}
		if lines := strings.Split(want, "\n"); !strings.Contains(lines[line-1], "enabled") {
			t.Errorf("%q: line %d", text, line)
		}
		off, _, err := SetRecording(got, "/hooks.toml", false)
		if err != nil || string(off) != strings.Replace(want, "true", "false", 1) {
			t.Errorf("%q: off: %q, %v", text, off, err)
		}
	}
	for text, byHand := range map[string]bool{
		"[record\n":                    false,
		"record = true":                true,
		"record = {keep = 5}\n":        true,
		"# x\nrecord.keep = 5\n":       true,
		"[record]\ndir = 'relative'\n": true,
		"[record]\nenabled = 'x y'\n":  true,
	} {
		got, _, err := SetRecording([]byte(text), "/hooks.toml", true)
		if err == nil {
			t.Errorf("%q: became %q", text, got)
		} else if byHand != (err == errByHand) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSwitchDangling checks that a link is not replaced with a file.
func TestSwitchDangling(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hooks.toml")
	if err := os.Symlink("nowhere", path); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	if _, _, err := SwitchRecording(path, true, false); err == nil {
		t.Error("no error")
	}
	if _, err := os.Readlink(path); err != nil {
		t.Error(err)
	}
}

func FuzzSetRecording(f *testing.F) {
	f.Add("[record]\nenabled = false # x\n", true)
	f.Add("record = { keep = 1 }\n[hooks]\n", false)
	f.Add("[hooks]\nprotect = ['''\n[record]\n''']", true)
	f.Fuzz(func(t *testing.T, text string, on bool) {
		got, _, err := SetRecording([]byte(text), "/hooks.toml", on)
		if err != nil {
			return
		}
		if after := Parse(got, "/hooks.toml", discovery.UserScope); (Config{User: after}).Recording().Enabled != on {
			t.Errorf("%q became %q", text, got)
		}
		// Everything except the value is preserved.
		if len(got) < len(text)-1 {
			t.Errorf("%q became %q", text, got)
		}
	})
}
