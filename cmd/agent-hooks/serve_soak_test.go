package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestServeSoak changes hooks between requests, from several goroutines with a tool each, and
// checks that no verdict is outdated and that memory, descriptors and processes do not accumulate.
// It takes two seconds, or the time in AGENT_HOOKS_SERVE_SOAK ("10m"), which also adds 100,000
// requests that run no hook.
func TestServeSoak(t *testing.T) {
	if runtime.GOOS != "linux" || !longTests && os.Getenv("AGENT_HOOKS_SERVE_SOAK") == "" {
		t.Skip("reads /proc, with LONG_TESTS for two seconds")
	}
	t.Parallel()
	length := soakLength()
	s := newServed(t)
	s.others = make(chan reply, 1<<20) // of hooks.changed
	const workers = 4
	s.gate("matcher: {tool: bash}") // a process that keeps running
	s.asks("s", "ls")
	warm, files := s.memory(), s.descriptors()
	var requests, changes [workers]int
	var all sync.WaitGroup
	end := time.Now().Add(length)
	for n := range workers {
		all.Go(func() {
			name := fmt.Sprintf("guard-%d", n)
			call := fmt.Sprintf(`{"event":"pre-tool-call","input":{"tool_name":"tool-%d","tool_input":{"text":"ls"}}}`, n)
			for i := 0; time.Now().Before(end); i++ {
				blocks := i%2 == 0
				script := map[bool]string{true: "exit 2", false: "exit 0"}[blocks]
				if i%3 == 0 { // the matcher decides, otherwise the script
					s.hook(name, "exit 2", fmt.Sprintf("matcher: {tool: tool-%d, pattern: %s}", n, map[bool]string{true: "ls", false: "no"}[blocks]))
				} else {
					s.hook(name, script, fmt.Sprintf("matcher: {tool: tool-%d}", n))
				}
				changes[n]++
				if blocked, reason := s.asks("s", map[bool]string{true: "deny", false: "ls"}[blocks]); blocked != blocks {
					t.Errorf("round %d: the gate: %v %s", i, blocked, reason)
					return
				}
				for range 5 {
					r := s.call("hooks.run", call)
					if requests[n]++; r.Error != nil || r.Result["blocked"] != blocks {
						t.Errorf("round %d: %+v, want %v", i, r, blocks)
						return
					}
				}
				if i%50 == 49 {
					time.Sleep(2500 * time.Millisecond) // until unchanged files are no longer read again
				}
			}
		})
	}
	all.Wait()
	sum := func(counts [workers]int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	before := s.memory()
	// Many requests that run no hook do not use more memory.
	many := sum(requests)
	if length >= time.Minute {
		many = 100_000
	}
	for range many {
		s.call("hooks.run", `{"event":"pre-tool-call","input":{"tool_name":"none","tool_input":{"text":"ls"}}}`)
	}
	after, children, left := s.memory(), s.children(), s.descriptors()
	t.Logf("%v: %d requests with hooks and %d without, %d changes; resident %d KiB at first, then %d and %d; %d children; %d descriptors, then %d", length, sum(requests), many, sum(changes), warm, before, after, children, files, left)
	grown := after > before+16<<10 && !raceDetector // it keeps memory of its own
	if grown || children > 1 || left > files {
		t.Errorf("resident %d KiB, then %d; %d children left, one of them the gate; %d descriptors, then %d", before, after, children, files, left)
	}
	if n := len(s.starts()); n != 1 {
		t.Errorf("the gate was started %d times", n)
	}
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.gone(s.starts()[0])
}

// TestServeSoakReviewed does the same with 100 hooks that run only as they were reviewed, and one that is
// changed and reviewed again and again. It takes as long as TestServeSoak.
func TestServeSoakReviewed(t *testing.T) {
	if runtime.GOOS != "linux" || !longTests && os.Getenv("AGENT_HOOKS_SERVE_SOAK") == "" {
		t.Skip("reads /proc, with LONG_TESTS for two seconds")
	}
	t.Parallel()
	s := newServed(t, "--require-trust")
	s.others = make(chan reply, 1<<20) // of hooks.changed
	front := func(name, pattern string) string {
		return "---\nname: " + name + "\ndescription: A hook.\ntrigger: pre-tool-call\nmatcher: {pattern: " + pattern + "}\nmetadata: {answer: {decision: deny, reason: no}}\n---\n"
	}
	file := func(name string) string { return filepath.Join(s.project, ".agents", "hooks", name, "HOOK.md") }
	review := func() {
		if out, status := s.run("", "trust", "--yes"); status != 0 {
			t.Fatalf("%d %s", status, out)
		}
	}
	for i := range 99 {
		name := fmt.Sprint("idle-", i)
		s.write(file(name), front(name, "^never$"), 0o644)
	}
	var warm, requests, rounds int
	for end := time.Now().Add(soakLength()); time.Now().Before(end) && !t.Failed(); rounds++ {
		reviewed := map[bool]string{true: "^ls$", false: "^never$"}[rounds%2 == 0]
		s.write(file("guard"), front("guard", reviewed), 0o644)
		review()
		s.write(file("guard"), front("guard", "^unreviewed$"), 0o644)
		for i := range 1000 {
			if r := s.call("hooks.run", serveCall); r.Error != nil || r.Result["blocked"] != (rounds%2 == 0) {
				t.Errorf("round %d, request %d: %+v", rounds, i, r)
				break
			}
			requests++
			if i == 0 {
				time.Sleep(settled) // until unchanged files are no longer read again
			}
		}
		if rounds == 1 {
			warm = s.memory()
		}
	}
	after, children := s.memory(), s.children()
	t.Logf("%d requests, %d reviews; resident %d KiB at first, then %d; %d children", requests, rounds, warm, after, children)
	if warm > 0 && after > warm+16<<10 && !raceDetector || children > 0 {
		t.Errorf("resident %d KiB, then %d; %d children left", warm, after, children)
	}
}

// soakLength is two seconds, or the time in AGENT_HOOKS_SERVE_SOAK.
func soakLength() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("AGENT_HOOKS_SERVE_SOAK")); err == nil {
		return d
	}
	return 2 * time.Second
}

// memory returns the server's resident memory in KiB.
func (s *served) memory() (kib int) {
	s.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	_, _ = fmt.Sscan(rest, &kib)
	return kib
}

// descriptors counts the server's open files, except those for watching, which depend on the
// watched folders.
func (s *served) descriptors() (n int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", s.cmd.Process.Pid))
	for _, file := range files {
		if to, _ := os.Readlink(file); !strings.HasPrefix(to, "anon_inode:") {
			n++
		}
	}
	return n
}

// children counts the server's child processes, including zombies.
func (s *served) children() (n int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.cmd.Process.Pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		n += len(strings.Fields(string(text)))
	}
	return n
}
