package place

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestCandidates(t *testing.T) {
	own := Candidate{Process, "current directory", "/here"}
	none := func(string) (string, bool) { return "", false }
	if got := Candidates("", HostVariables(), none, nil, own); !slices.Equal(got, []Candidate{own}) {
		t.Errorf("candidates %v", got)
	}
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"cwd": "/src/app/sub"}`), "2026-01-02T03:04:05Z")
	all := func(name string) (string, bool) { return "/" + name, true }
	want := []Candidate{{Option, "--project", "p"}}
	for _, name := range HostVariables() {
		want = append(want, Candidate{Variable, name, "/" + name})
	}
	want = append(want, Candidate{Event, "cwd", "/src/app/sub"}, own)
	if got := Candidates("p", HostVariables(), all, event, own); !slices.Equal(got, want) || len(got) != 11 {
		t.Errorf("candidates %v, want %v", got, want)
	}
}

func TestPlacesWithoutStart(t *testing.T) {
	if got := NewSearch(nil).HooksDirs(t.TempDir()); len(got) > 0 {
		t.Errorf("places %q", got)
	}
}

// Agents on Windows also name directories as URIs and Git Bash do.
func TestCandidatesOfWindows(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("its paths are those of Windows")
	}
	root := testtree.New(t, "p/.git/", "p/.agents/hooks/")
	slashes := filepath.ToSlash(root) + "/p"
	for _, named := range []string{slashes, "/" + slashes, "/" + strings.ToLower(slashes[:1]) + slashes[2:]} {
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"workspace_roots": ["`+named+`"]}`), "2026-01-02T03:04:05Z")
		none := func(string) (string, bool) { return "", false }
		project, warnings := NewSearch(Candidates("", nil, none, event, Candidate{Process, "current directory", root})).FindProject("", nil)
		if want := filepath.Join(root, "p"); project.Root != want || len(warnings) > 0 {
			t.Errorf("%s: %q, not %q: %q", named, project.Root, want, warnings)
		}
	}
}
