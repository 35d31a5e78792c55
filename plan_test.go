package agenthooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestConditions(t *testing.T) {
	tests := []struct {
		name    string
		set     func(*scratch)
		event   string
		failed  agenthooks.Condition // "" if the hook runs
		saw     string
		failure string
		warning string
		unix    string // what Windows does not have
	}{
		{name: "no matcher", set: func(s *scratch) { s.hook("h", "exit 0") }},
		{name: "another tool", set: func(s *scratch) { s.hook("h", "exit 0", "matcher:\n  tool: Read") },
			failed: agenthooks.ToolMatch, saw: "Shell, Bash"},
		{name: "another input", set: func(s *scratch) { s.hook("h", "exit 0", "matcher:\n  pattern: ^rm") },
			failed: agenthooks.InputMatch, saw: `{"command": "ls"}`},
		{name: "tool and input", set: func(s *scratch) { s.hook("h", "exit 0", "matcher:\n  tool: Bash\n  pattern: ^ls$") }},
		{name: "no tool name", event: `{"tool_input": {}}`,
			set:     func(s *scratch) { s.hook("h", "exit 0", "matcher:\n  tool: Read") },
			warning: "the event has no tool_name"},
		{name: "no key", set: func(s *scratch) { s.hook("h", "exit 0", "trigger: pre-tool-call\npriority: 9\npriority: 9") },
			failed: agenthooks.Valid, saw: "priority", failure: "invalid hook: "},
		{name: "no expression", set: func(s *scratch) { s.hook("h", "exit 0", "matcher:\n  pattern: '['") },
			failed: agenthooks.Valid, saw: `pattern "["`, failure: `invalid hook: pattern "["`},
		{name: "no entry point", set: func(s *scratch) {
			s.hook("h", "exit 0")
			s.must(os.RemoveAll(filepath.Join(s.hooks(), "h", "scripts")))
		}, failed: agenthooks.Startable, saw: "no folder scripts", failure: "no folder scripts"},
		{name: "others can write", set: func(s *scratch) {
			s.hook("h", "exit 0")
			s.must(os.Chmod(filepath.Join(s.hooks(), "h"), 0o777))
		}, failed: agenthooks.Safe, saw: "chmod", failure: "refused: ", unix: "permission bits"},
		{name: "others can write the replacing hook", set: func(s *scratch) {
			s.userHook("h", "exit 0", "trigger: pre-session")
			s.hook("h", "exit 0")
			s.must(os.Chmod(filepath.Join(s.hooks(), "h"), 0o777))
		}, failed: agenthooks.Safe, saw: "chmod", failure: "refused: ", unix: "permission bits"},
		{name: "replaced", set: func(s *scratch) {
			s.userHook("h", "exit 0")
			s.hook("h", "exit 0", "trigger: pre-session")
		}, failed: agenthooks.Replaced, saw: "the project's hook in "},
		{name: "too deep", set: func(s *scratch) {
			s.hook("h", "exit 0")
			s.options.Environ = append(s.options.Environ, "AGENT_HOOKS_DEPTH=3")
		}, failed: agenthooks.Depth, saw: "3", failure: "3 levels deep"},
		{name: "not too deep", set: func(s *scratch) {
			s.hook("h", "exit 0")
			s.options.Environ = append(s.options.Environ, "AGENT_HOOKS_DEPTH=2")
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.unix != "" {
				onUnix(t, test.unix)
			}
			s := newScratch(t)
			test.set(s)
			event := test.event
			if event == "" {
				event = ls
			}
			row := s.plan(spec.PreToolCall, event).Rows[0]
			if row.Failed != test.failed || row.Runs != (test.failed == "") {
				t.Fatalf("failed %q, runs %v; want %q", row.Failed, row.Runs, test.failed)
			}
			if !strings.Contains(row.Saw, test.saw) || (test.saw == "") != (row.Saw == "") {
				t.Errorf("saw %q, want %q", row.Saw, test.saw)
			}
			if (row.Failure == nil) != (test.failure == "") || row.Failure != nil && !strings.Contains(row.Failure.Error(), test.failure) {
				t.Errorf("failure %v, want %q", row.Failure, test.failure)
			}
			if row.Warning != test.warning {
				t.Errorf("warning %q, want %q", row.Warning, test.warning)
			}
		})
	}
}

func (s *scratch) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// The value that a condition saw is short and valid UTF-8.
func TestSawIsShort(t *testing.T) {
	s := newScratch(t)
	s.hook("h", "exit 0", "matcher:\n  pattern: ^rm")
	row := s.plan(spec.PreToolCall, `{"tool_name": "Shell", "tool_input": {"command": "`+strings.Repeat("ö", 400)+`"}}`).Rows[0]
	if !strings.HasSuffix(row.Saw, "ö…") || len(row.Saw) > 210 {
		t.Errorf("saw %d bytes: %q", len(row.Saw), row.Saw)
	}
}

func TestOthers(t *testing.T) {
	s := newScratch(t)
	s.hook("mine", "exit 0")
	s.hook("last", "exit 0", "trigger: post-session")
	s.hook("first", "exit 0", "trigger: pre-session")
	s.hook("lost", "exit 0", "trigger: nonsense")
	plan := s.plan(spec.PreToolCall, ls)
	var names []string
	for _, row := range plan.Others() {
		names = append(names, row.Hook.Name)
		if row.Failed != agenthooks.Trigger || row.Runs || row.Failure != nil || row.Saw != "pre-tool-call" {
			t.Errorf("%s: %+v", row.Hook.Name, row)
		}
	}
	if want := []string{"first", "last", "lost"}; !slices.Equal(names, want) {
		t.Errorf("others are %q, want %q", names, want)
	}
	if len(plan.Rows) != 1 {
		t.Errorf("%d rows, want 1", len(plan.Rows))
	}
	has(t, plan.Warnings, "hook lost: its trigger cannot be read, so it never runs: ")
}

// An unreadable hooks directory counts as a hook that cannot run.
func TestUnreadableHooksDirectory(t *testing.T) {
	s := newScratch(t)
	s.must(os.MkdirAll(filepath.Dir(s.user), 0o755))
	s.must(os.Symlink("nowhere", s.user))
	if _, err := os.Lstat(s.user); err != nil { // Wine 10 reports success
		t.Skip("the system makes no symbolic links: ", err)
	}
	has(t, s.preTool().Warnings, "[link]")
}

func TestWorkDir(t *testing.T) {
	s := newScratch(t)
	s.hook("h", "pwd > $AGENT_HOOKS_PROJECT_DIR/pwd; echo $PWD $AGENT_HOOKS_WORK_DIR >> $AGENT_HOOKS_PROJECT_DIR/pwd")
	sub := filepath.Join(s.project, "sub")
	s.must(os.Mkdir(sub, 0o755))
	file := filepath.Join(s.project, "file")
	s.must(os.WriteFile(file, nil, 0o644))
	inJSON := func(path string) string {
		text, err := json.Marshal(path)
		s.must(err)
		return string(text)
	}
	tests := []struct{ name, fields, want, warning string }{
		{"none", `"session_id": "s"`, s.project, ""},
		{"work_dir", `"work_dir": ` + inJSON(sub) + `, "cwd": "/"`, sub, ""},
		{"cwd", `"cwd": ` + inJSON(sub), sub, ""},
		{"slashes", `"cwd": ` + inJSON(filepath.ToSlash(sub)), sub, ""},
		{"blank", `"work_dir": "", "cwd": ` + inJSON(sub), sub, ""},
		{"gone", `"work_dir": "/no/such/place", "cwd": ` + inJSON(sub), sub, `work_dir "/no/such/place" is not a directory`},
		{"relative", `"cwd": "sub"`, s.project, `cwd "sub" is not a directory`},
		{"file", `"cwd": ` + inJSON(file), s.project, "is not a directory"},
		{"NUL", `"cwd": "/\u0000"`, s.project, "is not a directory"},
	}
	if runtime.GOOS == "windows" {
		slashes := filepath.ToSlash(sub)
		tests = append(tests, []struct{ name, fields, want, warning string }{
			{"a URI's path", `"cwd": "/` + slashes + `"`, sub, ""},
			{"Git Bash's path", `"cwd": "/` + strings.ToLower(sub[:1]) + slashes[2:] + `"`, sub, ""},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			report := s.run(spec.PreToolCall, `{"tool_name": "Shell", "tool_input": {}, `+test.fields+`}`)
			if report.WorkDir != test.want {
				t.Errorf("work dir %q, want %q", report.WorkDir, test.want)
			}
			if got, want := s.read("pwd"), test.want+"\n"+test.want+" "+test.want+"\n"; got != want {
				t.Errorf("the hook saw %q, want %q", got, want)
			}
			if test.warning != "" {
				has(t, report.Warnings, test.warning)
			} else if len(report.Warnings) > 0 {
				t.Errorf("warnings %q", report.Warnings)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	s := newScratch(t)
	s.hook("h", `env | grep -E "^(AGENT_HOOKS_|KEPT|NoDefault)" | sort > env`)
	s.options.Agent = agenthooks.Agent{Name: "an-agent"}
	s.options.Environ = append(s.options.Environ, "AGENT_HOOKS_STALE=1", "Agent_Hooks_Other=1", "AGENT_HOOKS_DEPTH=1", "KEPT=yes")
	s.run(spec.PreToolCall, `{"session_id": "s-1", "tool_name": "Shell", "tool_input": {}}`)
	want := strings.Join([]string{
		"AGENT_HOOKS_AGENT=an-agent", "AGENT_HOOKS_CONFIG_DIR=" + s.options.ConfigDir, "AGENT_HOOKS_DEPTH=2", "AGENT_HOOKS_EVENT=pre-tool-call", "AGENT_HOOKS_HOOK=h",
		"AGENT_HOOKS_HOOK_DIR=" + filepath.Join(s.hooks(), "h"), "AGENT_HOOKS_PROJECT_DIR=" + s.project,
		"AGENT_HOOKS_SESSION_ID=s-1", "AGENT_HOOKS_WORK_DIR=" + s.project, "KEPT=yes", "",
	}, "\n")
	if runtime.GOOS == "windows" {
		want += "NoDefaultCurrentDirectoryInExePath=1\n"
	}
	if got := s.read("env"); got != want {
		t.Errorf("environment\n%swant\n%s", got, want)
	}
}

func TestUnusableEnvironmentValues(t *testing.T) {
	tests := []struct{ name, id, warning string }{
		{"NUL", `a\u0000b`, "its value has a NUL byte"},
		{"above 4 KiB", strings.Repeat("x", spec.MaxEnvValue+1), "its value is above 4 KiB"},
		{"4 KiB", strings.Repeat("x", spec.MaxEnvValue), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			// Two attempts cause one warning.
			s.hook("h", `env | grep -c SESSION_ID > count; exit 1`, "metadata:\n  retry: 1")
			h := s.run(spec.PreToolCall, `{"session_id": "`+test.id+`", "tool_name": "Shell", "tool_input": {}}`).Hooks[0]
			want, warnings := "1\n", 1 // for the failure
			if test.warning != "" {
				want, warnings = "0\n", 2
				has(t, h.Warnings, "AGENT_HOOKS_SESSION_ID is omitted: "+test.warning)
			}
			if got := s.read("count"); got != want || h.Runs != 2 || len(h.Warnings) != warnings {
				t.Errorf("the hook saw %q in %d runs, warnings %q", got, h.Runs, h.Warnings)
			}
		})
	}
}
