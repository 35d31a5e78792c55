package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
)

func printLog(most int) string {
	env := &Env{Stdout: io.Discard, Getenv: func(name string) string { return map[string]string{"HOME": "/home/me"}[name] }}
	l := &logging{env: env}
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.Local)
	return l.text([]loggedRun{
		{entry: runlog.Entry{Time: at, Outcome: "deny", Hook: "検査", Event: "pre-tool-call", Tool: "Bash", Agent: "codex", Project: "/home/me/web", Reason: "ask"}, call: past.Seen{ID: "0123abcd", Text: "npm publish"}},
		{entry: runlog.Entry{Time: at, Outcome: "failure", Decision: "allow", Hook: "format-code", Event: "post-tool-call", Cause: "cannot start \"/very/long\": " + strings.Repeat("長い\x1b", 12)}},
	}, most)
}

func TestLogAt120Columns(t *testing.T) {
	want := `TIME                 OUTCOME  HOOK         EVENT           AGENT  FOLDER  REASON
2026-11-21 10:00:00  deny     検査         Bash            codex  ~/web   ask
  call 0123abcd: npm publish
2026-11-21 10:00:00  failure  format-code  post-tool-call  -      -       operation allowed: cannot start "/very/long":
                                                                          長い\x1b長い\x1b長い\x1b長い\x1b長い\x1b長い\x
                                                                          1b長い\x1b長い\x1b長い\x1b長い\x1b長い\x1b長い
                                                                          \x1b
`
	if got := printLog(120); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestLogInAPipeIsNotCut(t *testing.T) {
	if got := printLog(0); strings.Count(got, `長い\x1b`) != 12 || strings.Contains(got, "…") {
		t.Errorf("got\n%s", got)
	}
}

func TestStatsPages(t *testing.T) {
	at, ms := time.Date(2026, 11, 21, 10, 0, 0, 0, time.Local), 12.5
	rows := []*runlog.Hook{
		{Hook: "format\x1b", Scope: "project", Project: "/p", Exists: true, Runs: 3, Failures: 2, Timeouts: 1, FailOpens: 3, LastFired: &at, P50: &ms, P95: &ms, Max: &ms, Causes: map[string]int{"exit status 3": 2, "timeout after 100 ms": 1}},
		{Hook: "検査", Scope: "user", Exists: true},
	}
	wide := `HOOK        RUNS  BLOCK  FAIL  LATE  OPEN   P50   P95   MAX  LAST FIRED        SCOPE
format\x1b     3      0     2     1     3  12.5  12.5  12.5  2026-11-21 10:00  project
検査           0      0     0     0     0     -     -     -  never             user
`
	usual := `HOOK        RUNS  FAIL  LATE  OPEN   P50   P95  LAST FIRED        SCOPE
format\x1b     3     2     1     3  12.5  12.5  2026-11-21 10:00  project
検査           0     0     0     0     -     -  never             user
`
	counts := `HOOK        RUNS  FAIL  LATE  OPEN  SCOPE
format\x1b     3     2     1     3  project
検査           0     0     0     0  user
`
	narrow := `format\x1b
    runs 3, block 0, fail 2, late 1,
    open 3, p50 12.5, p95 12.5, max
    12.5, last fired 2026-11-21 10:00,
    scope project
検査
    runs 0, block 0, fail 0, late 0,
    open 0, last fired never, scope user
`
	env := &Env{Stdout: io.Discard, Getenv: func(string) string { return "" }}
	for most, want := range map[int]string{0: wide, 120: wide, 90: wide, 75: usual, 50: counts, 40: narrow} {
		if got := env.summaryTable(rows, "/p", most); got != want {
			t.Errorf("%d columns: got\n%swant\n%s", most, got, want)
		}
	}
	causes := "2  format\\x1b  exit status 3\n1  format\\x1b  timeout after 100 ms\n"
	if got := env.causes(rows, 60, func(h *runlog.Hook) map[string]int { return h.Causes }); got != causes {
		t.Errorf("got\n%swant\n%s", got, causes)
	}
}
