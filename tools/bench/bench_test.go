package main

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 100}, 3.5}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v: %v", c.values, got)
		}
	}
}

func TestRatioIsOfRounds(t *testing.T) {
	// A machine that gets slower in each round.
	ours, theirs := []time.Duration{2, 20, 200}, []time.Duration{1, 10, 100}
	if got := ratio(ours, theirs); got != 2 {
		t.Error(got)
	}
	if got := added([]time.Duration{3e6, 20e6, 12e6}, []time.Duration{1e6, 10e6, 10e6}); got != 2 {
		t.Error(got)
	}
}

func TestInterleave(t *testing.T) {
	var order strings.Builder
	one := func(name string) timed {
		return func(int) (time.Duration, error) { order.WriteString(name); return time.Second, nil }
	}
	times, err := interleave(2, one("a"), one("b"))
	if err != nil || len(times) != 2 || len(times[1]) != 2 {
		t.Errorf("%q, %v, %v", &order, times, err)
	}
	for round := range 3 { // each round has both, in either order
		if got := order.String()[2*round:][:2]; got != "ab" && got != "ba" {
			t.Errorf("%q in round %d", got, round)
		}
	}
	bad := func(int) (time.Duration, error) { return 0, errors.New("bad") }
	if _, err := interleave(2, sum(one("a"), bad)); err == nil {
		t.Error("no error")
	}
}

func TestTable(t *testing.T) {
	table := table{head: []string{"a", "b"}}
	table.add("1", against(2, 1.5, "%.1f"))
	table.add("2", against(1, 1.5, "%.1f"))
	table.add("3", against(1, 0, "%.1f"))
	table.add("4", against(1.52, 1.5, "%.1f"))
	table.add("5", atLeast(1, 1.5, "%.1f"))
	table.add("6", atLeast(2, 1.5, "%.1f"))
	want := "| a | b |\n|---|---|\n| 1 | **2.0** (goal 1.5) |\n| 2 | 1.0 (goal 1.5) |\n| 3 | 1.0 |\n| 4 | 1.5 (goal 1.5) |\n| 5 | **1.0** (goal: at least 1.5) |\n| 6 | 2.0 (goal: at least 1.5) |\n"
	if got := table.String(); got != want {
		t.Error(got)
	}
}

func TestBetween(t *testing.T) {
	page := "top\n" + beginMark + "old\n" + endMark + "bottom\n"
	got, err := between(page, "new\n")
	if want := "top\n" + beginMark + "\nnew\n" + endMark + "bottom\n"; got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, page := range []string{"", beginMark, endMark, endMark + beginMark} {
		if _, err := between(page, ""); err == nil {
			t.Errorf("%q: no error", page)
		}
	}
}

func TestOwnCalls(t *testing.T) {
	trace := `10 execve("/bin/agent-hooks", ["agent-hooks"], 0x7 /* 3 vars */) = 0
10 openat(AT_FDCWD</>, "/project/.agents/hooks", O_RDONLY) = 3</project/.agents/hooks>
10 futex(0x1, FUTEX_WAIT_PRIVATE, 0, NULL <unfinished ...>
11 read(3</project/HOOK.md>,  <unfinished ...>
10 <... futex resumed>)              = 0
11 <... read resumed>""..., 4096) = 17
10 --- SIGCHLD {si_signo=SIGCHLD, si_pid=12} ---
12 setsid()                          = 12
12 execve("/project/run.sh", ["run.sh"], 0x7 /* 3 vars */) = 0
12 brk(NULL)                         = 0x5
10 exit_group(0)                     = ?
10 +++ exited with 0 +++
`
	calls := ownCalls(trace)
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	if got := strings.Join(names, " "); got != "execve openat read setsid execve exit_group" {
		t.Error(got)
	}
	if on := onTree(calls, "/project"); len(on) != 2 || on["openat"] != 1 || on["read"] != 1 {
		t.Error(on)
	}
}

func TestFileCallTable(t *testing.T) {
	got := fileCallTable([]string{"call", "1", "3", "more"}, map[string][]int{"all": {3, 9}, "read": {1, 5}, "open": {2, 4}}, []int{1, 3})
	want := "| call | 1 | 3 | more |\n|---|---|---|---|\n| read | 1 | 5 | 2.00 |\n| open | 2 | 4 | 1.00 |\n| all | 3 | 9 | 3.00 |\n"
	if got != want {
		t.Error(got)
	}
}

func TestShareIsOfModules(t *testing.T) {
	sizes := readSymbols("  400   10 T example.org/yaml%2ev2.Decode\n  500  5 D example.org/yaml.v2/sub.x\n 1 7 T example.org/yaml.v20.Decode\n 2 9 B example.org/yaml%2ev2.zero\n  -  3 U libc\n")
	if count, sum := share(sizes, "example.org/yaml.v2"); count != 2 || sum != 15 {
		t.Error(count, sum, sizes)
	}
}

func TestReadStatus(t *testing.T) {
	status := readStatus("VmHWM:\t    6096 kB\nRssAnon:\t    1012 kB\nName:\tx\n")
	if len(status) != 2 || status["VmHWM"] != 6096 || orUnknown(status, "RssAnon") != "1.0 MiB" || orUnknown(nil, "RssAnon") != "an unknown number" {
		t.Error(status)
	}
}

func TestUnderSetsOnce(t *testing.T) {
	p := process{env: []string{"HOME=/a", "HOMES=/b"}}
	if got := p.under("HOME=/c", "X=1").env; strings.Join(got, " ") != "HOMES=/b HOME=/c X=1" || p.env[0] != "HOME=/a" {
		t.Error(got, p.env)
	}
}

func TestInitTimes(t *testing.T) {
	times := initTimes("init os @0.1 ms, 0.020 ms clock, 1 bytes, 2 allocs\nother\ninit gopkg.in/yaml%2ev2 @1 ms, 0.5 ms clock, 1 bytes, 2 allocs\n")
	if len(times) != 2 || times["os"] != 20 || times["gopkg.in/yaml.v2"] != 500 {
		t.Error(times)
	}
}

func TestCountRuns(t *testing.T) {
	report := `{"hooks": [{"process": {"exit_status": 0}}, {"process": {"exit_status": 1}}, {"process": {}}, {"outcome": "not-concerned"}]}`
	if got, err := countRuns([]byte(report)); got != 1 || err != nil {
		t.Error(got, err)
	}
	if _, err := countRuns([]byte(`{"hooks": [{"hook": "h", "outcome": "failure", "cause": "wrong type"}]}`)); err == nil {
		t.Error("no error")
	}
}

func TestNumbers(t *testing.T) {
	if got, err := numbers("12 34\n"); err != nil || len(got) != 2 || got[1] != 34 {
		t.Error(got, err)
	}
	if _, err := numbers("1 x"); err == nil {
		t.Error("no error")
	}
}

// The marks in the page are found, so that it can be rewritten.
func TestPageHasMarks(t *testing.T) {
	page := readPage(t)
	if _, err := between(page, ""); err != nil {
		t.Error(err)
	}
}

func TestForUsers(t *testing.T) {
	text := "| a | b | c |\n|---|---|---|\n| 1 (goal: at least 2) | 3 | **4** (goal 5) |\n"
	if got, want := forUsers(section{internal: []string{"b"}}, text), "| a | c |\n|---|---|\n| 1 | 4 |\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestRoundsTakeCopiesInTurn(t *testing.T) {
	var order []string
	of := program{"a", "b", "c"}
	measure := func(round int) (time.Duration, error) { order = append(order, of.copy(round)); return 1, nil }
	if _, err := interleave(4, measure); err != nil || strings.Join(order, "") != "abcab" {
		t.Error(order, err)
	}
}

func TestQuartiles(t *testing.T) {
	for want, values := range map[string][]float64{
		"2.00 to 4.00": {5, 4, 3, 2, 1}, "1.00 to 1.00": {1},
	} {
		if got := quartiles(values); got != want {
			t.Errorf("%v: %s", values, got)
		}
	}
}

func TestWritable(t *testing.T) {
	page := t.TempDir() + "/page.md"
	if writable(page) == nil {
		t.Error("accepts a missing page")
	}
	for text, ok := range map[string]bool{"no marks": false, beginMark + endMark: true} {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := writable(page); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
