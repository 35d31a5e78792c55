package past

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// notInTranscript are the members of a payload that the transcript does not have, or only at
// another time. No other member may differ.
var notInTranscript = map[string][]string{
	"claude-code": {"prompt_id", "agent_type", "mcp_server"},
	"gemini-cli":  {"timestamp", "mcp_context.command", "mcp_context.args"},
	"qwen-code":   {"timestamp", "permission_mode", "prompt_id", "tool_use_id"},
	"kimi-code":   {"client_type"},
}

// recordedCalls reads the calls of a recorded session, each once.
func recordedCalls(t *testing.T, a *agent.Agent, dir string) (calls []pastCall) {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || d.IsDir() || !formatOf(a).is(filepath.ToSlash(rel)) {
			return err
		}
		home := strings.Replace(Folders(a)[0], "~", "/home/user", 1)
		f := file{agent: a, path: path, root: dir}
		r := newReader(a, home+"/"+filepath.ToSlash(rel), f.aside(), func(c pastCall) {
			if !seen[c.session+" "+c.id] {
				seen[c.session+" "+c.id] = true
				calls = append(calls, c)
			}
		})
		text, err := os.ReadFile(path)
		for line := range bytes.Lines(text) {
			if err := r.read(line); err != nil {
				t.Errorf("%s: %v: %s", path, err, line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// without returns a payload without some members.
func without(t *testing.T, payload []byte, names []string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(payload, &o); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		outer, inner, nested := strings.Cut(name, ".")
		if in, ok := o[outer].(map[string]any); nested && ok {
			delete(in, inner)
		} else {
			delete(o, name)
		}
	}
	return o
}

// TestTranscripts compares the events rebuilt from the transcripts of real sessions with the
// payloads that the hooks received in the same sessions (testdata/transcripts, which e2e
// records).
func TestTranscripts(t *testing.T) {
	for _, a := range agent.All() {
		if formatOf(a) == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			dir := filepath.Join("testdata", "transcripts", a.Name)
			calls := recordedCalls(t, a, filepath.Join(dir, "files"))
			text, err := os.ReadFile(filepath.Join(dir, "payloads.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			live := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
			if len(live) != len(calls) || len(live) < 7 {
				t.Errorf("%d payloads, %d calls", len(live), len(calls))
			}
			for _, payload := range live {
				i := slices.IndexFunc(calls, func(c pastCall) bool { return isCallOf(t, c, payload) })
				if i < 0 {
					t.Errorf("not rebuilt: %s", payload)
					continue
				}
				missing := notInTranscript[a.Name]
				if a.Name == "claude-code" && bytes.Contains(payload, []byte(`"agent_id"`)) {
					missing = append(slices.Clone(missing), "permission_mode") // only the main session's lines have it
				}
				if diff := cmp.Diff(without(t, payload, missing), without(t, calls[i].payload, missing)); diff != "" {
					t.Errorf("payload (-live +rebuilt):\n%s", diff)
				}
				if diff := cmp.Diff(event(t, a, payload), event(t, a, calls[i].payload)); diff != "" {
					t.Errorf("event (-live +rebuilt):\n%s", diff)
				}
				calls = slices.Delete(calls, i, i+1)
			}
		})
	}
}

// isCallOf reports whether a payload is of the call. Gemini CLI's has no identifier.
func isCallOf(t *testing.T, c pastCall, payload []byte) bool {
	var p struct {
		ToolUseID  string          `json:"tool_use_id"`
		ToolCallID string          `json:"tool_call_id"`
		Input      json.RawMessage `json:"tool_input"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		t.Fatal(err)
	}
	if p.ToolCallID != "" || p.ToolUseID != "" {
		return p.ToolCallID == c.id || p.ToolUseID == c.id
	}
	return bytes.Contains(c.payload, p.Input)
}

// event returns what hooks match and read of a payload's tool.
func event(t *testing.T, a *agent.Agent, payload []byte) map[string]any {
	t.Helper()
	call, err := a.Decode(payload, string(spec.PreToolCall))
	if err != nil {
		t.Fatal(err)
	}
	e, warnings := call.Parse(spec.PreToolCall, "2026-11-23T00:00:00Z")
	if len(warnings) > 0 {
		t.Errorf("%s: %q", payload, warnings)
	}
	var o map[string]any
	if err := json.Unmarshal(call.Object(), &o); err != nil {
		t.Fatal(err)
	}
	names, unknown := e.ToolNames()
	return map[string]any{"tool": o["tool_name"], "input": o["tool_input"], "cwd": o["cwd"], "session": o["session_id"], "dirs": e.WorkDirs, "names": names, "unknown": unknown}
}
