package past

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// repeated is a reader of n bytes, without line ends.
type repeated struct{ n int }

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.n)
	r.n -= n
	copy(p[:n], bytes.Repeat([]byte("x"), n))
	return n, nil
}

// TestEachLine checks that a line of 100 MB is skipped in bounded memory, and that the lines
// around it are read.
func TestEachLine(t *testing.T) {
	var got []string
	long := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := io.MultiReader(strings.NewReader("a\n\n"+strings.Repeat("b", 100_000)+"\n"), &repeated{100 << 20}, strings.NewReader("\nc"))
	err := eachLine(text, 1<<20, func(line []byte) bool {
		got = append(got, fmt.Sprint(string(line[0]), len(line)))
		return true
	}, func() { long++ })
	runtime.ReadMemStats(&after)
	if err != nil || long != 1 || strings.Join(got, " ") != "a2 \n1 b100001 c1" {
		t.Errorf("lines %q, %d too long, %v", got, long, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 { // the test's own copies are 100 MB
		t.Errorf("%d bytes were allocated", used)
	}
}

// writeHistory writes transcripts with calls in sessions of 100 calls, and hooks with constant answers.
func writeHistory(t testing.TB, calls, hooks int) (home string) {
	home = t.TempDir()
	commands := []string{"ls -l", "git status", "go test ./...", "cd web && npm run build", "grep -rn x . | head -20", "npm publish", "sed -n 1,20p main.go", "cat README.md && git diff HEAD~1"}
	var b strings.Builder
	write := func(name, text string) {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range calls {
		session := i / 100
		command := fmt.Sprintf("%s # %d", commands[i%len(commands)], i%17)
		fmt.Fprintf(&b, `{"type":"assistant","sessionId":"s%d","cwd":%q,"timestamp":"2026-11-05T12:00:00.000Z","message":{"content":[{"type":"tool_use","id":"toolu_%024d","name":"Bash","input":{"command":%q}}]}}`+"\n", session, home, i, command)
		fmt.Fprintf(&b, `{"type":"user","sessionId":"s%d","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":%q}]}}`+"\n", session, strings.Repeat("output ", 200))
		if i%100 == 99 || i == calls-1 {
			write(fmt.Sprintf(".claude/projects/p/s%d.jsonl", session), b.String())
			b.Reset()
		}
	}
	programs := []string{"npm publish", "git push", "rm -rf", "curl", "terraform destroy", "kubectl delete", "dd", "mkfs", "shutdown", "git reset --hard"}
	for i := range hooks {
		write(fmt.Sprintf("hooks/agents/hooks/guard-%d/HOOK.md", i), fmt.Sprintf("---\nname: guard-%d\ndescription: A guard.\ntrigger: pre-tool-call\nmatcher: {tool: Shell, pattern: '^%s( |$)'}\nmetadata:\n  match: commands\n  answer: {decision: deny}\n---\n", i, programs[i%len(programs)]))
	}
	return home
}

func options(home string) Options {
	environ := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	return Options{
		Agents: []*agent.Agent{agent.Find("claude-code")}, Home: home, Getenv: func(string) string { return "" }, Environ: environ,
		Load: func(dir string) *agenthooks.Hooks {
			return agenthooks.Load(agenthooks.Options{Project: home, Environ: environ, AccountHome: home, ConfigDir: filepath.Join(home, "hooks"), NoLog: true})
		},
	}
}

// TestRun checks the counts of a run on many files.
func TestRun(t *testing.T) {
	s, err := Run(context.Background(), options(writeHistory(t, 1000, 20)))
	if err != nil || s.Calls != 1000 || s.Sessions != 10 || s.Stopped || s.Agents[0].Files != 10 || len(s.Hooks) != 20 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, h := range s.Hooks[:2] { // npm publish, twice
		calls := h.Others
		for _, g := range h.Groups {
			calls += g.Count
		}
		if h.Denied != 125 || h.Sessions != 10 || calls != 125 || len(h.Groups) != 17 {
			t.Errorf("%+v", h)
		}
	}
	if s.Hooks[2].Calls != 0 {
		t.Errorf("%+v", s.Hooks[2])
	}
}

// TestRunStopped checks that a canceled run returns what is known.
func TestRunStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := options(writeHistory(t, 2000, 1))
	load := o.Load
	o.Load = func(dir string) *agenthooks.Hooks { cancel(); return load(dir) } // at a worker's first call
	s, err := Run(ctx, o)
	if err != nil || !s.Stopped || s.Calls >= 2000 {
		t.Errorf("%+v, %v", s, err)
	}
}

// BenchmarkRun replays 10,000 calls against 20 constant answers.
func BenchmarkRun(b *testing.B) {
	o := options(writeHistory(b, 10_000, 20))
	for b.Loop() {
		if s, err := Run(context.Background(), o); err != nil || s.Calls != 10_000 {
			b.Fatal(s, err)
		}
	}
}
