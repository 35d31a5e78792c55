package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// A fixture is a file testdata/AGENT/NAME.txt with sections, each begun by a
// line "-- KEY --":
//
//	payload   what the agent sends; or "@AGENT/EVENT.json", a payload of testdata/events/agents
//	event     on the command line (default: none)
//	answer    what the hooks answer together, in the format's own form
//	hook      who decided (default: guard, if the answer decides)
//	failures  warnings that a hook failed, one per line
//	flags     "ask=ignore"
//	events    the events that run, space-separated
//	sees      members of the event that hooks see, as a JSON object
//	names     a further name of the tool for matchers
//	undecided a matcher's verdict that cannot be reached: the reason
//	fit       the error of Fit
//	status, stdout, stderr   the native answer; stdout is compared as JSON
//	enforced  "no" if the block could not be enforced
//	warnings  of Decode, and what could not be expressed: a part of each line
type fixture map[string]string

func readFixture(t testing.TB, path string) fixture {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, key := fixture{}, ""
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(name, " --") {
			key = strings.TrimSuffix(name, " --")
			f[key] = ""
			continue
		}
		f[key] += line
	}
	for key, text := range f {
		f[key] = strings.TrimRight(text, "\n")
	}
	if name, ok := strings.CutPrefix(f["payload"], "@"); ok {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "events", "agents", strings.ReplaceAll(name, "/", "-")))
		if err != nil {
			t.Fatal(err)
		}
		f["payload"] = strings.TrimSpace(string(data))
	}
	return f
}

func TestFixtures(t *testing.T) {
	for _, a := range agent.All() {
		paths, err := filepath.Glob(filepath.Join("testdata", a.Name, "*.txt"))
		if err != nil || len(paths) == 0 {
			t.Errorf("%s has no fixtures: %v", a.Name, err)
		}
		for _, path := range paths {
			t.Run(a.Name+"/"+strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
				t.Parallel()
				readFixture(t, path).check(t, a)
			})
		}
	}
}

func (f fixture) check(t *testing.T, a *agent.Agent) {
	call, err := a.Decode([]byte(f["payload"]), f["event"])
	if err != nil {
		if want, ok := f["error"]; !ok || !strings.Contains(err.Error(), want) {
			t.Fatalf("decode: %v, want %q", err, f["error"])
		}
		f.answer(t, call)
		return
	}
	if want, ok := f["error"]; ok {
		t.Fatalf("decode: no error, want %q", want)
	}
	var names []string
	for _, e := range call.Events {
		names = append(names, string(e))
	}
	if want, ok := f["events"]; ok && strings.Join(names, " ") != want {
		t.Errorf("events = %v, want %s", names, want)
	}
	if len(call.Events) == 0 {
		f.answer(t, call)
		return
	}
	event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	f.sees(t, event)
	if name, ok := f["names"]; ok && !slices.Contains(event.OtherToolNames(), name) {
		t.Errorf("names = %v, without %s", event.OtherToolNames(), name)
	}
	if want, ok := f["undecided"]; ok && !strings.Contains(event.Input().Unknown, want) {
		t.Errorf("undecided = %q, want %q", event.Input().Unknown, want)
	}
	f.fitted(t, call, event)
}

// sees compares members of the event that hooks read.
func (f fixture) sees(t *testing.T, event *protocol.Event) {
	want, ok := f["sees"]
	if !ok {
		return
	}
	var b bytes.Buffer
	if _, err := event.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	got, expected := decodeObject(t, b.String()), decodeObject(t, want)
	for key, value := range expected {
		if value == "<absent>" {
			if _, there := got[key]; there {
				t.Errorf("%s exists: %v", key, got[key])
			}
			continue
		}
		if !reflect.DeepEqual(got[key], value) {
			t.Errorf("%s = %v, want %v\nin %s", key, got[key], value, b.String())
		}
	}
}

func (f fixture) fitted(t *testing.T, call *agent.Call, event *protocol.Event) {
	var err error
	answer := f.parsed(t)
	answer, err = call.Fit(event, answer)
	if want, ok := f["fit"]; ok {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("fit: %v, want %q", err, want)
		}
		return
	}
	if err != nil {
		t.Fatalf("fit: %v", err)
	}
	f.encoded(t, call, answer)
}

func (f fixture) answer(t *testing.T, call *agent.Call) { f.encoded(t, call, f.parsed(t)) }

// parsed returns the merged answer of all hooks.
func (f fixture) parsed(t *testing.T) protocol.Answer {
	t.Helper()
	answer, _, err := protocol.DecodeAnswer([]byte(f["answer"]))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func (f fixture) encoded(t *testing.T, call *agent.Call, answer protocol.Answer) {
	_, status := f["status"]
	if _, stdout := f["stdout"]; !status && !stdout {
		return
	}
	v := agent.Verdict{Answer: answer, Hook: "guard"}
	if hook, ok := f["hook"]; ok {
		v.Hook = hook
	}
	if f["failures"] != "" {
		v.Failures = strings.Split(f["failures"], "\n")
	}
	if strings.Contains(f["flags"], "ask=ignore") {
		v.IgnoreAsk = true
	}
	out := call.Encode(v)
	if want, _ := strconv.Atoi(f["status"]); out.Status != want {
		t.Errorf("status = %d, want %d", out.Status, want)
	}
	compareStdout(t, string(out.Stdout), f["stdout"])
	if out.Stderr != f["stderr"] {
		t.Errorf("stderr = %q, want %q", out.Stderr, f["stderr"])
	}
	if out.NotEnforced != (f["enforced"] == "no") {
		t.Errorf("not enforced = %v", out.NotEnforced)
	}
	text := strings.Join(append(call.Warnings, out.Warnings...), "\n")
	for line := range strings.Lines(f["warnings"]) {
		if !strings.Contains(text, strings.TrimSpace(line)) {
			t.Errorf("warnings %q lack %q", text, line)
		}
	}
	if _, ok := f["warnings"]; !ok && text != "" {
		t.Errorf("unexpected warnings %q", text)
	}
}

func compareStdout(t *testing.T, got, want string) {
	t.Helper()
	if strings.HasPrefix(want, "{") {
		if g, w := decodeObject(t, got), decodeObject(t, want); !reflect.DeepEqual(g, w) {
			t.Errorf("stdout = %s, want %s", got, want)
		}
		return
	}
	if strings.TrimSpace(got) != want {
		t.Errorf("stdout = %q, want %q", got, want)
	}
}

func decodeObject(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return object
}

// TestTables checks properties of all agents' tables.
func TestTables(t *testing.T) {
	ids := map[string]bool{}
	for _, a := range agent.All() {
		if a.Source == "" || a.Version == "" || a.Date == "" || a.Title == "" {
			t.Errorf("%s does not state its verification", a.Name)
		}
		for _, q := range a.Quirks {
			id := fmt.Sprintf("Q-%s-%d", a.Name, q.Number)
			if ids[id] {
				t.Errorf("quirk %s appears twice", id)
			}
			ids[id] = true
			if q.Source == "" || q.Text == "" {
				t.Errorf("quirk %s is incomplete", id)
			}
			if _, err := os.Stat(filepath.Join("testdata", a.Name, q.Fixture+".txt")); err != nil {
				t.Errorf("quirk %s: %v", id, err)
			}
		}
		for i, e := range a.Events() {
			if a.Event(e.Name) != &a.Events()[i] {
				t.Errorf("%s: event %s appears twice", a.Name, e.Name)
			}
			if e.Input != nil && !slices.ContainsFunc(e.Spec(), spec.EventType.ChangesInput) {
				t.Errorf("%s: hooks of event %s cannot change its input", a.Name, e.Name)
			}
		}
	}
}

func TestFind(t *testing.T) {
	if agent.Find("claude").Name != "claude-code" || agent.Find("nobody") != nil {
		t.Error("Find")
	}
	if a := agent.Find("claude-code"); a.EventFor(spec.PreAgentTurnStop).Name != "Stop" {
		t.Error("EventFor")
	}
}
