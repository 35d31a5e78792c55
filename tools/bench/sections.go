package main

import (
	"fmt"
	"runtime"
)

// section is one table.
type section struct {
	title, about string
	measure      func() (string, error)
	page         bool     // it is about what users wait for, and docs/performance.md has it
	internal     []string // columns that docs/performance.md leaves out
}

func (b *bench) sections() []section {
	return []section{
		{"One run", "From the start of the process to its end. The ratios are medians.", b.oneRun, true, []string{"yardstick, ms", "to the yardstick", "quartiles"}},
		{"The file in the page cache", "The same bytes in different pieces of memory. Each kind uses three copies in turn, because copies of one kind differ, too.", b.layout, false, nil},
		{"Where the time of one run goes", "Each row does one thing more than the row above it.", b.stages, false, nil},
		{"What one more hook costs", "The slope between two numbers of hooks. System calls are those of `agent-hooks`, without those of its scripts.", b.oneMore, false, nil},
		{"Large events", "One hook, either without a matcher, whose script runs but reads nothing, or with a pattern that is searched to the end of the event and not found. An input above 1 MiB is not searched but counts as matched, so in the last row each script runs.", b.payloads, false, nil},
		{"Many runs at once", "This many processes start at the same time; the time ends when the last one has ended. One hook, which matches.", b.many, false, nil},
		{"What optional features cost", "Pairs of runs that differ in one feature. Work that an async hook does after the run is not included.", b.extras, true, nil},
		{"As installed", "What an entry of Claude Code runs (`--agent`, `--config-dir`, `--require-trust`, its payload), in pairs with the same entry without a hook.", b.installed, true, nil},
		{"Requests to a server", "One `run` and one request to `agent-hooks serve`, which checks each hook's file before it answers. No script runs, so this is the cost of agent-hooks alone.", b.served, true, nil},
		{"Guards without a script", "A call of a shell that a guard blocks: as a constant answer (`metadata.answer` with `match: commands`, of which all search the commands and one blocks), and the same guard as a script that reads the event. The ratio is to a run with as many guards of the same kind for another tool.", b.answers, true, []string{"quartiles"}},
		{"Past sessions", "`replay --from` on generated transcripts of 10,000 calls in 100 sessions with results of 1.4 kB, against constant answers that match `commands`. At most 5 rounds. The goal is for two processors.", b.pastSessions, false, nil},
		{"Guards that only inspect", "With `metadata.pure: true`, adjacent guards run concurrently, at least four at once. At most 15 rounds.", b.pureHooks, false, nil},
		{"Deep project trees", "Runs from a directory this many levels below the project's root. The search goes upward.", b.deepTrees, false, nil},
		{"Calls that a slow file system would feel", "System calls on the project's tree, by kind; the hooks are idle. On a file system whose calls take 1 ms, this is the number of milliseconds added.", b.fileCalls, false, nil},
		{"Long patterns", "1000 hooks for the event and the tool, each with its own alternation of 60 expressions (2 KiB), compared with 1000 hooks whose pattern has two words.", b.longPatterns, false, nil},
		{"An event of 100 MiB", "Hooks that match, whose scripts read nothing or everything.", b.hugeEvent, false, nil},
		{"Memory", "Peak resident memory, including the mapped part of the program's file; page faults and processor time without those of the script. The async supervisor is the process that remains after the run; its hook reads its peak at the end.", b.memory, false, nil},
		{"The start", "The time before `main` begins, and the system resources that a run uses. The trace is requested with `GODEBUG`, which `internal/godebug` then reads; without it, that package takes less time.", b.start, false, nil},
		{"What each linked package costs", "The time to initialize it in every run (`GODEBUG=inittrace=1`, medians), and its share of the binary (`go tool nm`): code and data, without the types and line tables, which the linker keeps for all packages together.", b.packages, false, nil},
		{"The parts alone", "Micro-benchmarks: one iteration of each.", b.parts, false, nil},
		{"Peers", "Other ways to run the same script once, in pairs with `agent-hooks`. `bench` checks that each peer runs the script.", b.peers, true, nil},
	}
}

// machine describes the machine on which the tables were made.
func (b *bench) machine() string {
	return fmt.Sprintf("%s on %s/%s with %d processors; up to %d rounds.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.rounds)
}
