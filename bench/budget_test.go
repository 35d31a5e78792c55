package main

import (
	"slices"
	"testing"
)

func TestBudgetTellsWhatIsAbove(t *testing.T) {
	budget, err := readBudget("# a comment\n\n10\tcalls\n5\tbytes\n")
	if err != nil {
		t.Fatal(err)
	}
	got := figures{"calls": 10, "bytes": 5.5, "other": 1}.above(budget)
	want := []string{"bytes: 5.5, above its bound of 5", "other: 1, for which budget.txt has no bound"}
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
	if list := counted.above(budget); len(list) > 0 || len(budget) != 2 {
		t.Errorf("got %q of %v", list, budget)
	}
	for _, more := range []figures{{"instructions of an idle hook": 260}, {"calls": 1}, {"calls of an idle hook": 5}} {
		budget := figures{"instructions of an idle hook": 200, "calls": 0, "calls of an idle hook": 4.02}.bounds()
		if len(more.above(budget)) != 1 {
			t.Errorf("%v is within %v", more, budget)
		}
	}
	for _, broken := range []string{"10 calls", "many\tcalls"} {
		if _, err := readBudget(broken); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

func TestAllocationsOf(t *testing.T) {
	got := allocationsOf("goos: linux\nBenchmarkParse/plain-2   100   2400 ns/op   12.3 MB/s   640 B/op   7 allocs/op\nPASS\n")
	if len(got) != 1 || got["allocations of Parse/plain"] != 7 {
		t.Errorf("got %v", got)
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
