package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// ofThreads are the calls that each thread makes when it starts, and those that allocate its
// memory. Their number varies with the number of threads.
var ofThreads = []string{"clone", "clone3", "gettid", "sigaltstack", "rt_sigprocmask", "mmap", "munmap", "madvise", "set_robust_list", "rseq"}

// steady returns the calls whose number is the same in each run and on each machine: not those
// of threads, nor those for waiting, nor those with which Go determines the number of
// processors, which depend on the system's mounts and control groups.
func steady(calls []call) []call {
	return slices.DeleteFunc(slices.Clone(calls), func(c call) bool {
		return slices.Contains(ofThreads, c.name) || c.waits() || c.asksForProcessors()
	})
}

// waits reports whether a call is repeated until another process or thread has made progress.
func (c call) waits() bool {
	onPipe := strings.Contains(c.text, "<pipe:") || strings.Contains(c.text, "<anon_inode:")
	return c.name == "ppoll" || c.name == "poll" || onPipe && (c.name == "read" || c.name == "write")
}

func (c call) asksForProcessors() bool {
	return strings.Contains(c.text, "cgroup") || strings.Contains(c.text, "mountinfo") || strings.Contains(c.text, "/sys/")
}

// callCounts contains the minimum counts of a few runs.
type callCounts struct{ all, files, threads float64 }

func (b *bench) countedCalls(p process) (least callCounts, err error) {
	for i := range 7 {
		calls, err := b.trace(p)
		if err != nil {
			return least, err
		}
		kept := steady(calls)
		tree, home, _ := places(kept[1:], p.dir, filepath.Join(b.dir, "home"))
		now := callCounts{float64(len(kept)), float64(tree + home), float64(threads(calls))}
		if i == 0 {
			least = now
		}
		least = callCounts{min(least.all, now.all), min(least.files, now.files), min(least.threads, now.threads)}
	}
	return least, nil
}

// countCalls counts the system calls of a run with one matching hook, and those of each
// additional idle and matching hook.
func (b *bench) countCalls() (figures, error) {
	const idle, matching = 100, 10
	var counted [4]callCounts
	home := filepath.Join(b.dir, "home")
	for i, n := range [4][2]int{{0, 1}, {idle, 1}, {0, 1 + matching}, {0, 1}} {
		p, err := b.fixture(n[0], n[1])
		if err != nil {
			return nil, err
		}
		run := b.counted(p)
		if i == 3 {
			run = run.under("XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_STATE_HOME="+filepath.Join(home, ".local", "state"))
		}
		if counted[i], err = b.countedCalls(run); err != nil {
			return nil, fmt.Errorf("system calls: %w", err)
		}
	}
	one, idles, matches := counted[0], counted[1], counted[2]
	return figures{
		"system calls of a run with one hook":                 one.all,
		"system calls of an idle hook":                        (idles.all - one.all) / idle,
		"system calls of a matching hook":                     (matches.all - one.all) / matching,
		"system calls on files, of a run with one hook":       one.files,
		"system calls on files, of a run with XDG variables":  counted[3].files,
		"system calls on files, of an idle hook":              (idles.files - one.files) / idle,
		"system calls on files, of a matching hook":           (matches.files - one.files) / matching,
		"system calls that start threads, of a run":           one.threads,
		"system calls that start threads, of a matching hook": (matches.threads - one.threads) / matching,
	}, nil
}
