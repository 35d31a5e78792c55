package agenthooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestReportJSON checks the form of the report (D32): unknown and empty fields
// are omitted.
func TestReportJSON(t *testing.T) {
	s := newScratch(t)
	s.options.Agent = agenthooks.Agent{Name: "an-agent"}
	s.hook("a-allow", `echo '{"decision": "allow", "reason": "a < b"}'`)
	s.hook("b-fails", "echo out; echo err >&2; exit 7")
	kill, killed, signal := "kill -KILL $$", "killed by SIGKILL", `"signal": "SIGKILL"`
	if runtime.GOOS == "windows" { // has no signals
		kill, killed, signal = "exit 9", "exit status 9", `"exit_status": 9`
	}
	s.hook("c-killed", kill)
	s.hook("d-other", "exit 0", "matcher: {tool: Read}")
	s.hook("e-broken", "exit 0", "matcher: {tool: '('}")
	s.hook("f-later", "exit 0", "async: true")
	report := s.runAsync(spec.PreToolCall, ls, &starter{})
	checkGolden(t, s, report, strings.NewReplacer("killed by SIGKILL", killed, `"signal": "SIGKILL"`, signal).Replace(`{
  "event": "pre-tool-call",
  "agent": "an-agent",
  "project": "PROJECT",
  "work_dir": "PROJECT",
  "blocked": false,
  "answer": {
    "decision": "allow",
    "reason": "a < b"
  },
  "hooks": [
    {
      "hook": "a-allow",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/a-allow/HOOK.md",
      "async": false,
      "matched": true,
      "outcome": "allow",
      "process": {
        "exit_status": 0,
        "runs": 1,
        "duration_ms": MS,
        "stdout": "{\"decision\": \"allow\", \"reason\": \"a < b\"}\n"
      },
      "answer": {
        "decision": "allow",
        "reason": "a < b"
      }
    },
    {
      "hook": "b-fails",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/b-fails/HOOK.md",
      "async": false,
      "matched": true,
      "outcome": "failure",
      "cause": "exit status 7: err",
      "warnings": [
        "exit status 7: err; operation allowed"
      ],
      "process": {
        "exit_status": 7,
        "runs": 1,
        "duration_ms": MS,
        "stdout": "out\n",
        "stderr": "err\n"
      }
    },
    {
      "hook": "c-killed",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/c-killed/HOOK.md",
      "async": false,
      "matched": true,
      "outcome": "failure",
      "cause": "killed by SIGKILL",
      "warnings": [
        "killed by SIGKILL; operation allowed"
      ],
      "process": {
        "signal": "SIGKILL",
        "runs": 1,
        "duration_ms": MS
      }
    },
    {
      "hook": "d-other",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/d-other/HOOK.md",
      "async": false,
      "matched": false,
      "failed_condition": "tool",
      "saw": "Shell, Bash",
      "outcome": "not-concerned"
    },
    {
      "hook": "e-broken",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/e-broken/HOOK.md",
      "async": false,
      "matched": true,
      "failed_condition": "valid",
      "saw": "WHY",
      "outcome": "failure",
      "cause": "invalid hook: WHY",
      "warnings": [
        "invalid hook: WHY; operation allowed"
      ]
    },
    {
      "hook": "f-later",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/f-later/HOOK.md",
      "async": true,
      "matched": true,
      "outcome": "started"
    }
  ],
  "warnings": [
    "hook b-fails: exit status 7: err; operation allowed",
    "hook c-killed: killed by SIGKILL; operation allowed",
    "hook e-broken: invalid hook: WHY; operation allowed"
  ]
}
`))
}

func TestReportJSONOfABlock(t *testing.T) {
	s := newScratch(t)
	s.hook("a", "echo no >&2; exit 2")
	s.hook("b", "exit 0")
	checkGolden(t, s, s.preTool(), `{
  "event": "pre-tool-call",
  "project": "PROJECT",
  "work_dir": "PROJECT",
  "blocked": true,
  "blocked_by": "a",
  "answer": {
    "decision": "deny",
    "reason": "no"
  },
  "hooks": [
    {
      "hook": "a",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/a/HOOK.md",
      "async": false,
      "matched": true,
      "outcome": "deny",
      "process": {
        "exit_status": 2,
        "runs": 1,
        "duration_ms": MS,
        "stderr": "no\n"
      },
      "answer": {
        "decision": "deny",
        "reason": "no"
      }
    },
    {
      "hook": "b",
      "scope": "project",
      "file": "PROJECT/.agents/hooks/b/HOOK.md",
      "async": false,
      "matched": false,
      "outcome": "not-reached"
    }
  ]
}
`)
}

// checkGolden compares a report's JSON after replacing everything that varies,
// and the messages of the regular-expression engine.
func checkGolden(t *testing.T, s *scratch, report *agenthooks.Report, want string) {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(report); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), strings.ReplaceAll(s.project, `\`, `\\`), "PROJECT")
	got = regexp.MustCompile(`"(PROJECT[^"]*)"`).ReplaceAllStringFunc(got, func(path string) string {
		return strings.ReplaceAll(path, `\\`, "/")
	})
	got = regexp.MustCompile(`"duration_ms": [0-9.]+`).ReplaceAllString(got, `"duration_ms": MS`)
	got = regexp.MustCompile(`tool \\"\(\\": [^";]+`).ReplaceAllString(got, "WHY")
	if got != want {
		t.Errorf("report\n%s\nwant\n%s", got, want)
	}
}

// Output that is not UTF-8 does not make the report invalid JSON.
func TestReportJSONOfBytes(t *testing.T) {
	s := newScratch(t)
	s.hook("a", `printf '\377\000' >&2`)
	b, err := json.Marshal(s.preTool())
	if err != nil || !json.Valid(b) || !strings.Contains(string(b), `"stderr":"\ufffd\u0000"`) {
		t.Errorf("%v: %s", err, b)
	}
}

// A hook whose name cannot be read has its folder's name.
func TestReportNamesBrokenHook(t *testing.T) {
	s := newScratch(t)
	s.hook("a", "exit 0")
	s.must(os.WriteFile(s.hooks()+"/a/HOOK.md", []byte("---\ntrigger: pre-tool-call\nmatcher: x\n---\n"), 0o644))
	report := s.preTool()
	has(t, report.Warnings, "hook a: invalid hook: ")
	if report.Duration <= 0 {
		t.Errorf("duration %v", report.Duration)
	}
}

// TestReportKeepsLittle checks that a report limits the total output of all
// hooks (D24, D32).
func TestReportKeepsLittle(t *testing.T) {
	s := newScratch(t)
	for i := range 12 {
		s.hook(fmt.Sprintf("h%02d", i), "head -c 1500000 /dev/zero | tr '\\0' x; head -c 900000 /dev/zero | tr '\\0' y >&2")
	}
	event := `{"tool_name": "Shell", "tool_input": {"command": "` + strings.Repeat("x", 1<<20) + `"}}`
	kept, dropped := 0, int64(0)
	for _, h := range s.run(spec.PreToolCall, event).Hooks {
		if len(h.Stdout) > spec.MaxOutput {
			t.Errorf("%s: %d bytes of stdout are kept", h.Hook, len(h.Stdout))
		}
		kept += len(h.Stdout) + len(h.Stderr)
		dropped += h.Dropped
	}
	if kept > 16<<20 || int64(kept)+dropped != 12*2400000 {
		t.Errorf("%d bytes are kept and %d dropped", kept, dropped)
	}
}

// TestEffect checks that the effect of a failure follows from the decision, and
// that async hooks have none.
func TestEffect(t *testing.T) {
	for _, test := range []struct {
		outcome  agenthooks.Outcome
		async    bool
		decision protocol.Decision
		want     string
	}{
		{agenthooks.OutcomeNone, false, protocol.NoOpinion, ""},
		{agenthooks.OutcomeAllow, false, protocol.Allow, ""},
		{agenthooks.OutcomeAllow, false, protocol.NoOpinion, ""},
		{agenthooks.OutcomeDeny, false, protocol.Deny, ""},
		{agenthooks.OutcomeDeny, false, protocol.NoOpinion, "allow"},
		{agenthooks.Failed, false, protocol.NoOpinion, "allow"},
		{agenthooks.TimedOut, false, protocol.Ask, "ask"},
		{agenthooks.Failed, false, protocol.Deny, "deny"},
		{agenthooks.Failed, true, protocol.NoOpinion, "none"},
		{agenthooks.OutcomeDeny, true, protocol.NoOpinion, "none"},
	} {
		h := agenthooks.HookReport{Outcome: test.outcome, Async: test.async, Answer: protocol.Answer{Decision: test.decision}}
		if got := h.Effect(); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}
