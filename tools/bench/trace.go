package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// errNoTool means that the machine lacks a tool for a count.
var errNoTool = errors.New("not counted here")

// call is a system call: its name, and its line in strace's output.
type call struct{ name, text string }

// byChance are the calls whose number depends on the timing of the Go scheduler, the kernel and
// strace.
var byChance = []string{"futex", "nanosleep", "sched_yield", "epoll_pwait", "tgkill", "rt_sigreturn", "getpid", "restart_syscall"}

// trace runs a process and returns the system calls of it and its threads, and of children
// until they execute another program: the calls of a script's interpreter differ between
// machines.
func (b *bench) trace(p process) ([]call, error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil, fmt.Errorf("%w: strace is not installed", errNoTool)
	}
	file := filepath.Join(b.dir, "trace")
	if _, err := p.wrapped(program{strace}, "-f", "-y", "-s", "0", "-o", file).output(); err != nil {
		return nil, fmt.Errorf("%w: strace could not run it", errNoTool)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ownCalls(string(text)), nil
}

// ownCalls parses lines of a process id and a call.
func ownCalls(trace string) (list []call) {
	foreign := map[string]bool{}
	first := true
	for line := range strings.Lines(trace) {
		pid, text, _ := strings.Cut(line, " ")
		text = strings.TrimSpace(text)
		name, _, isCall := strings.Cut(text, "(")
		if !isCall || strings.HasPrefix(text, "<...") || strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---") || foreign[pid] {
			continue
		}
		if name == "execve" {
			foreign[pid] = !first
			first = false
		}
		if !slices.Contains(byChance, name) {
			list = append(list, call{name, text})
		}
	}
	return list
}

// leastCalls returns the calls of the run with the fewest of a few runs, because the number of
// threads varies.
func (b *bench) leastCalls(p process) (least []call, err error) {
	for range 3 {
		calls, err := b.trace(p)
		if err != nil {
			return nil, err
		}
		if least == nil || len(calls) < len(least) {
			least = calls
		}
	}
	return least, nil
}

func (b *bench) callsOf(p process) (int, error) {
	calls, err := b.leastCalls(p)
	return len(calls), err
}

func (b *bench) systemCalls(p project) (int, error) { return b.callsOf(b.run(p, b.event)) }

// threads counts the started threads.
func threads(calls []call) (count int) {
	for _, c := range calls {
		if strings.HasPrefix(c.name, "clone") && strings.Contains(c.text, "CLONE_THREAD") {
			count++
		}
	}
	return count
}

// orNone formats a count, or the reason why there is none.
func orNone(count int, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(count)
}
