package main

import (
	"slices"
	"testing"
)

func TestBudgetReportsExcess(t *testing.T) {
	budget, err := readBudget("# a comment\n\n10\tcalls\n5\tbytes\n7\tgone\n8\tinstructions of a run\n")
	if err != nil {
		t.Fatal(err)
	}
	got := figures{"calls": 10, "bytes": 5.5, "other": 1}.above(budget, uncounted{"instructions"})
	want := []string{
		"bytes: 5.5, above its bound of 5", "other: 1, for which budget.txt has no bound",
		"gone: budget.txt has a bound, but nothing counts it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBudgetIsReadAsWritten(t *testing.T) {
	counted := figures{"binary bytes": 1000, "instructions of an idle hook": 200}
	budget, err := readBudget(counted.bounds().String())
	if err != nil {
		t.Fatal(err)
	}
	if list := counted.above(budget, nil); len(list) > 0 || len(budget) != 2 {
		t.Errorf("got %q of %v", list, budget)
	}
	for _, broken := range []string{"10 calls", "many\tcalls"} {
		if _, err := readBudget(broken); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

func TestBoundsAreNarrow(t *testing.T) {
	for name, c := range map[string]struct{ counted, more float64 }{
		"packages initialized, own":                 {0, 1},
		"packages initialized, other modules'":      {9, 1},
		"allocations before main, own":              {0, 1},
		"system calls on files, of an idle hook":    {4, 0.02},
		"system calls on files, of a run":           {52, 1},
		"system calls of a matching hook":           {111, 15},
		"instructions of an idle hook":              {200, 25},
		"allocations of exec Run/nothing":           {19, 1},
		"allocations of trust Trust/read":           {74, 1},
		"bytes of exec Run/nothing":                 {75000, 4 << 10},
		"page faults of a run with an idle hook":    {310, 1024},
		"allocations of manifest Parse/everyday":    {5, 1},
		"bytes of matcher Match/a new benchmark":    {0, 128},
		"system calls that start threads, of a run": {4, 3},
		"a figure that nobody thought of (whole)":   {3, 1},
	} {
		budget := figures{name: c.counted}.bounds()
		if (figures{name: c.counted}).above(budget, nil) != nil || len(figures{name: c.counted + c.more}.above(budget, nil)) != 1 {
			t.Errorf("%s: %v, bound %v", name, c.counted, budget[name])
		}
	}
}

func TestUpdateKeepsOtherValues(t *testing.T) {
	had := figures{"system calls of a run": 300, "bytes of gone": 1, "bytes of kept": 2}
	got := figures{"bytes of kept": 3}.keeping(had, uncounted{"system calls"})
	if len(got) != 2 || got["system calls of a run"] != 300 || got["bytes of kept"] != 3 {
		t.Error(got)
	}
}

func TestReadParts(t *testing.T) {
	list, err := readParts("goos: linux\npkg: example.org/x/manifest\nBenchmarkParse/plain-2   100   2400.5 ns/op   12.3 MB/s   640 B/op   7 allocs/op\nBenchmarkBuild/10   \t100   24 ns/op   0 B/op   0 allocs/op\nPASS\n")
	want := []part{{"manifest Parse/plain", 2400.5, 640, 7}, {"manifest Build/10", 24, 0, 0}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v", list, err)
	}
}

func TestReadInits(t *testing.T) {
	f, err := readInits("init os @0.1 ms, 0.020 ms clock, 1 bytes, 2 allocs\ninit gopkg.in/yaml%2ev2 @1 ms, 0.5 ms clock, 1 bytes, 3 allocs\n" +
		"init main @1 ms, 0.5 ms clock, 1 bytes, 4 allocs\ninit github.com/agent-hooks/agent-hooks/discovery @1 ms, 0.5 ms clock, 1 bytes, 5 allocs\n")
	if err != nil || f["packages initialized, own"] != 2 || f["allocations before main, own"] != 9 || f["packages initialized, Go's"] != 1 ||
		f["allocations before main, other modules'"] != 3 || len(f) != 6 {
		t.Error(f, err)
	}
	if _, err := readInits("nothing"); err == nil {
		t.Error("nothing was a trace")
	}
}

func TestSteadyLeavesOutThreads(t *testing.T) {
	calls := ownCalls(`10 execve("/bin/agent-hooks", ["agent-hooks"], 0x7 /* 3 vars */) = 0
10 read(3</proc/10/mountinfo>, ""..., 65536) = 1486
10 clone(child_stack=0xc, flags=CLONE_VM|CLONE_THREAD|CLONE_SYSVSEM <unfinished ...>
11 gettid() = 11
11 openat(AT_FDCWD</project>, "/project/x", O_RDONLY) = 3</project/x>
11 getcwd("/project", 4096) = 9
11 openat(AT_FDCWD</project>, "/etc/localtime", O_RDONLY <unfinished ...>
11 write(1</dev/null>, ""..., 2) = 2
11 fstat(4</home/log>, {st_size=1}) = 0
11 ppoll([{fd=5}], 1, NULL, NULL, 8) = 1
11 read(5<pipe:[7]>, ""..., 2) = 2
11 clone(child_stack=0xc, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 12
`)
	kept := steady(calls)
	if len(kept) != 6 || threads(calls) != 1 {
		t.Error(kept, threads(calls))
	}
	if tree, home, other := places(kept[1:], "/project", "/home"); tree != 1 || home != 1 || other != 2 {
		t.Error(tree, home, other)
	}
}

func TestCollected(t *testing.T) {
	if n, err := collected("==1== Events    : Ir\n==1== Collected : 123456\n"); n != 123456 || err != nil {
		t.Errorf("got %v, %v", n, err)
	}
	if _, err := collected("nothing"); err == nil {
		t.Error("nothing was a count")
	}
}
