package main

import (
	"fmt"
	"runtime"
)

// section is one table of the page.
type section struct {
	title, about string
	measure      func() (string, error)
}

func (b *bench) sections() []section {
	return []section{
		{"One run", "From the start of the process to its end. The ratios are medians; the middle half of the rounds lies between their quartiles.", b.oneRun},
		{"The file in the page cache", "The same bytes, in other pieces of memory. Each in three copies by turns, since copies of one kind differ too.", b.layout},
		{"Where the time of one run goes", "Each does one thing more than the one above it.", b.stages},
		{"What one more hook costs", "The slope between two numbers of hooks; the system calls are those of `agent-hooks`, without its scripts'.", b.oneMore},
		{"Large events", "One hook: without a matcher, whose script runs but reads nothing, or with a pattern that is searched to the event's end and not found. An input above 1 MiB is not searched but counts as matched, so that in the last row each script runs.", b.payloads},
		{"Many runs at once", "So many processes are started together; what counts is when the last one has ended. One hook, which matches.", b.many},
		{"What is paid for when it is used", "Pairs of runs that differ in one thing. What an async hook leaves to do after the run is not in its time.", b.extras},
		{"Requests to a server", "One `run` beside one request to `agent-hooks serve`, which looks at each hook's file before it answers. No script runs: this is our own share.", b.served},
		{"Guards that only inspect", "With `metadata.pure: true`, adjacent guards run concurrently, at least four at once. The rounds are at most 15.", b.pureHooks},
		{"Deep project trees", "Runs from so many directories below the project's root, which is searched upward.", b.deepTrees},
		{"Calls that a slow file system would feel", "System calls on the project's tree, by kind; the hooks are idle. On a file system whose calls take 1 ms, so many milliseconds are added.", b.fileCalls},
		{"Long patterns", "1000 hooks of the event and the tool, each with an alternation of its own of 60 expressions (2 KiB), beside 1000 with a pattern of two words.", b.longPatterns},
		{"An event of 100 MiB", "Hooks that match, whose scripts read nothing or everything.", b.hugeEvent},
		{"Memory", "The peak of what is resident, the mapped part of the program's file included; page faults and processor time without those of the script. The async supervisor is the process that stays behind; its hook reads its peak as it ends.", b.memory},
		{"The start", "What is paid before `main` begins, and what a run asks of the system. To ask for the trace sets `GODEBUG`, which `internal/godebug` then reads: without, it takes less.", b.start},
		{"What each linked package costs", "Initialising it, paid by every run (`GODEBUG=inittrace=1`, medians), and its share of the binary (`go tool nm`): code and data, without the types and line tables that the linker keeps for all in common.", b.packages},
		{"The parts alone", "Micro-benchmarks: one turn of each.", b.parts},
		{"Peers", "Other ways of running the same script once, in pairs with `agent-hooks`. Each peer was seen to run it.", b.peers},
	}
}

// machine describes the machine on which the tables were made.
func (b *bench) machine() string {
	return fmt.Sprintf("%s on %s/%s with %d processors; the yardstick is in %s; up to %d rounds.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.yardstickIn, b.rounds)
}
