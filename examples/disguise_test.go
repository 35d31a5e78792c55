package examples_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestGuardsReadCommands splits the words of each command that a case of a
// guard stops by quotes. A guard without a condition on the text as written
// must stop these commands too.
func TestGuardsReadCommands(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	hooks := filepath.Join(project, ".agents", "hooks")
	if err := os.CopyFS(hooks, os.DirFS(hooksDir)); err != nil {
		t.Fatal(err)
	}
	guards := agenthooks.Load(agenthooks.Options{Project: project, Isolated: true})
	stops := func(hook, command string) bool {
		input := map[string]any{"tool_name": "Shell", "tool_input": map[string]string{"command": command}}
		data, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		event, notes := protocol.ParseEvent(spec.PreToolCall, data, "2026-01-02T03:04:05Z")
		if len(notes) > 0 {
			t.Fatal(notes)
		}
		for _, row := range guards.Plan(event).Rows {
			if row.Hook.Name == hook {
				return row.Runs
			}
		}
		return false
	}
	text := regexp.MustCompile(`(?m)^    command: '([^'"$\\]*)'$`)
	word := regexp.MustCompile(`\b([a-z]{2})([a-z]{2,})( |$)`)
	checked := 0
	paths, err := filepath.Glob(filepath.Join(hooks, "*", "tests", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		dir := filepath.Dir(filepath.Dir(path))
		guard := string(read(t, filepath.Join(dir, "HOOK.md")))
		stopped := string(read(t, path))
		if !strings.Contains(guard, "match: commands") || strings.Contains(guard, "\n  when:") || strings.Contains(stopped, "fires: false") {
			continue
		}
		for _, found := range text.FindAllStringSubmatch(stopped, -1) {
			checked++
			split := word.ReplaceAllString(found[1], "$1''$2$3")
			if hook := filepath.Base(dir); !stops(hook, split) {
				t.Errorf("%s does not stop %s", hook, split)
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d commands checked", checked)
	}
}
