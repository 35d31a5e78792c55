package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailClosedWhereKnown checks that the members that fail closed are written
// only for events that may have them, because elsewhere they would invalidate
// the file.
func TestFailClosedWhereKnown(t *testing.T) {
	for name, c := range map[string]struct{ path, member string }{
		"goose":  {".agents/plugins/agent-hooks/hooks/hooks.json", `"on_failure": "block"`},
		"hermes": {".hermes/config.yaml", "fail_closed: true"},
		"cursor": {".cursor/hooks.json", `"failClosed": true`},
	} {
		s := machine(t)
		if _, err := s.Target(Find(name)).Install(Options{Scope: "user", Program: program, FailClosed: true}, false); err != nil {
			t.Fatal(err)
		}
		got := strings.Count(read(t, filepath.Join(s.Home, c.path)), c.member)
		if want := 1; name != "cursor" && got != want || got == 0 {
			t.Errorf("%s: %d entries have %s", name, got, c.member)
		}
	}
}

// TestAuggieOnWindows checks that the script's name fits the shell that reads
// it.
func TestAuggieOnWindows(t *testing.T) {
	s := machine(t)
	s.GOOS = "windows"
	if _, err := s.Target(Find("auggie")).Install(Options{Scope: "user", Program: program}, false); err != nil {
		t.Fatal(err)
	}
	if text := read(t, filepath.Join(s.Home, ".augment", "agent-hooks.ps1")); !strings.Contains(text, "$input | ") {
		t.Errorf("the script is %s", text)
	}
	if text := read(t, filepath.Join(s.Home, ".augment", "settings.json")); !strings.Contains(text, "agent-hooks.ps1") || strings.Contains(text, ".sh") {
		t.Errorf("the settings are %s", text)
	}
	if _, err := s.Target(Find("auggie")).Uninstall("user", false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.Home, ".augment", "agent-hooks.ps1")); err == nil {
		t.Error("the script is left")
	}
}

// TestOpenHandsLayout checks that the layout of an existing file is kept, and
// that a new file has the plain map.
func TestOpenHandsLayout(t *testing.T) {
	for _, before := range []string{"", `{"hooks":{}}`} {
		s := machine(t)
		path := filepath.Join(s.Home, ".openhands", "hooks.json")
		if before != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		target := s.Target(Find("openhands"))
		if _, err := target.Install(Options{Scope: "user", Program: program}, false); err != nil {
			t.Fatal(err)
		}
		text := read(t, path)
		if strings.HasPrefix(text, `{"hooks":{"pre_tool_use":[`) != (before != "") || !strings.Contains(text, `"pre_tool_use":`) {
			t.Errorf("from %q: %s", before, text)
		}
		if n, want := len(target.Installed("user")), 6; n != want {
			t.Errorf("from %q: %d entries, want %d", before, n, want)
		}
	}
}

// TestWindsurfPlaces checks that the file of the JetBrains plugin is also
// written.
func TestWindsurfPlaces(t *testing.T) {
	s := machine(t)
	if _, err := s.Target(Find("windsurf")).Install(Options{Scope: "user", Program: program}, false); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".codeium/windsurf/hooks.json", ".codeium/hooks.json"} {
		if text := read(t, filepath.Join(s.Home, path)); !strings.Contains(text, "pre_run_command") {
			t.Errorf("%s: %s", path, text)
		}
	}
}
