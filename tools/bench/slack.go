package main

import "strings"

// slack is the allowed increase of a figure: a factor and a constant.
type slack struct{ share, more float64 }

// slackOf returns the variation of a figure between runs, machines and patch releases of Go.
// Figures that do not vary have none.
func slackOf(name string) slack {
	for _, s := range []struct {
		beginning string
		slack
	}{
		{"packages initialized, Go's", slack{1, 1}},
		{"packages initialized", slack{1, 0}},
		{"allocations before main, own", slack{1, 0}},
		{"allocations before main", slack{1.05, 3}}, // depends on the time zone's file
		{"binary bytes", slack{1.03, 0}},
		{"instructions", slack{1.10, 0}},
		{"system calls on files", slack{1, 0}},
		{"system calls that start threads, of a run", slack{1, 2}},
		{"system calls that start threads", slack{1, 0.5}},
		{"system calls", slack{1.05, 0}},
		{"page faults", slack{1.40, 0}},
		{"peak memory", slack{1.40, 0}},
		// The name of a temporary directory may have one digit more or less, which changes the
		// size of every path in it.
		{"bytes of agent-hooks", slack{1.10, 128}},
		{"bytes of discovery ReadScope", slack{1.10, 128}},
		{"bytes of record", slack{1.10, 128}}, // pools
		{"bytes of runlog", slack{1.10, 128}},
		{"bytes of trust", slack{1.10, 128}},
		{"bytes", slack{1.03, 64}},
	} {
		if strings.HasPrefix(name, s.beginning) {
			return s.slack
		}
	}
	return slack{1.005, 0.4} // allocations: less than one more, unless there are hundreds
}
