package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// section is one table of the page.
type section struct {
	title   string
	measure func() (string, error)
}

func (b *bench) sections() []section {
	return []section{
		{"One run", b.oneRun},
		{"What one more hook costs", b.oneMore},
		{"Large events", b.payloads},
		{"Many runs at once", b.many},
		{"What is paid for when it is used", b.extras},
		{"Memory", b.memory},
		{"The start", b.start},
		{"Peers", b.peers},
	}
}

// setting is a number of idle and matching hooks, with the goals for it.
type setting struct {
	idle, match    int
	toYard, toBare float64 // goals, 0 for none
}

func settings() []setting {
	return []setting{
		{idle: 1}, {idle: 10}, {idle: 100}, {idle: 1000},
		{idle: 0, match: 1, toYard: 1.25, toBare: 4.4},
		{idle: 9, match: 1, toYard: 1.25, toBare: 4.4},
		{idle: 99, match: 1, toYard: 1.35, toBare: 5.6},
		{idle: 999, match: 1, toYard: 1.50, toBare: 15},
		{match: 10, toYard: 1.20, toBare: 1.45},
		{match: 100, toYard: 1.20, toBare: 1.25},
		{match: 1000, toYard: 1.20, toBare: 1.25},
	}
}

// roundsFor lowers the number of rounds where one takes long.
func (b *bench) roundsFor(idle, match int) int {
	return max(min(b.rounds, 7), b.rounds*100/(100+match+idle/10))
}

// fixture is the project of a number of hooks, made when it is first asked
// for.
func (b *bench) fixture(idle, match int) (project, error) {
	name := fmt.Sprintf("project-%d-%d", idle, match)
	if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
		dir := filepath.Join(b.dir, name)
		return project{dir, filepath.Join(dir, ".agents", "hooks")}, nil
	}
	p, err := b.project(name, idle, match)
	if err != nil {
		return p, err
	}
	return p, b.verify(p, b.event, match)
}

func (b *bench) oneRun() (string, error) {
	t := table{head: []string{"hooks", "matching", "bare scripts, ms", "yardstick, ms", "agent-hooks, ms", "to the yardstick", "to the bare scripts"}}
	for _, s := range settings() {
		p, err := b.fixture(s.idle, s.match)
		if err != nil {
			return "", err
		}
		times, err := interleave(b.roundsFor(s.idle, s.match),
			oneByOne(b.scripts(p, s.match)), b.yard(p), b.run(p, b.event).time)
		if err != nil {
			return "", err
		}
		bare, yard, ours := times[0], times[1], times[2]
		bareTime, toBare := "-", "-"
		if s.match > 0 {
			bareTime, toBare = ms(milliseconds(bare)), against(ratio(ours, bare), s.toBare, "%.2f")
		}
		t.add(fmt.Sprint(s.idle+s.match), fmt.Sprint(s.match), bareTime, ms(milliseconds(yard)), ms(milliseconds(ours)),
			against(ratio(ours, yard), s.toYard, "%.2f"), toBare)
	}
	return t.String(), nil
}

// oneMore takes the slope between two numbers of hooks.
func (b *bench) oneMore() (string, error) {
	t := table{head: []string{"one more", "time, µs", "system calls"}}
	for _, kind := range []struct {
		name                       string
		idleFrom, idleTo, from, to int
		timeGoal, callGoal         float64
	}{
		{name: "idle hook", idleFrom: 100, idleTo: 1000, timeGoal: 9, callGoal: 4},
		{name: "matching hook", from: 10, to: 100},
	} {
		few, err := b.fixture(kind.idleFrom, kind.from)
		if err != nil {
			return "", err
		}
		more, err := b.fixture(kind.idleTo, kind.to)
		if err != nil {
			return "", err
		}
		count := float64(kind.idleTo - kind.idleFrom + kind.to - kind.from)
		slope := func(argv func(project) timed) (float64, error) {
			times, err := interleave(b.rounds/2, argv(few), argv(more))
			if err != nil {
				return 0, err
			}
			return (milliseconds(times[1]) - milliseconds(times[0])) / count * 1000, nil
		}
		took, err := slope(func(p project) timed { return b.run(p, b.event).time })
		if err != nil {
			return "", err
		}
		calls := "-"
		if fewCalls, err := b.systemCalls(few); err == nil {
			moreCalls, err := b.systemCalls(more)
			if err != nil {
				return "", err
			}
			calls = against(float64(moreCalls-fewCalls)/count, kind.callGoal, "%.1f")
		}
		t.add(kind.name, against(took, kind.timeGoal, "%.1f"), calls)
	}
	return t.String(), nil
}

func (b *bench) payloads() (string, error) {
	t := table{head: []string{"event", "without a matcher, ms", "added", "with a pattern searched to the end, ms", "added"}}
	plain, err := b.project("payload-plain", 0, 0)
	if err != nil {
		return "", err
	}
	searching, err := b.project("payload-pattern", 0, 0)
	if err != nil {
		return "", err
	}
	if err := plain.hook("match-0", "pre-tool-call", "", ""); err != nil {
		return "", err
	}
	if err := searching.hook("idle-0", "pre-tool-call", "Shell", `terraform\s+(apply|destroy)`); err != nil {
		return "", err
	}
	for _, size := range []struct {
		name          string
		bytes, rounds int
		goal, goalOne float64
	}{{"1 KiB", 1 << 10, b.rounds, 0, 0}, {"1 MiB", 1 << 20, b.rounds, 4, 10}, {"50 MiB", 50 << 20, min(b.rounds, 5), 0, 0}} {
		event, err := b.payload("payload.json", size.bytes)
		if err != nil {
			return "", err
		}
		times, err := interleave(size.rounds, b.run(plain, b.event).time, b.run(plain, event).time,
			b.run(searching, b.event).time, b.run(searching, event).time)
		if err != nil {
			return "", err
		}
		added := func(i int) float64 { return milliseconds(times[i]) - milliseconds(times[i-1]) }
		t.add(size.name, ms(milliseconds(times[1])), against(added(1), size.goal, "%.2f"),
			ms(milliseconds(times[3])), against(added(3), size.goalOne, "%.2f"))
	}
	return t.String(), nil
}

func (b *bench) many() (string, error) {
	t := table{head: []string{"runs at once", "bare scripts per second", "agent-hooks per second", "ratio"}}
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	for _, count := range []int{1, 10, 50} {
		times, err := interleave(b.roundsFor(0, 2*count), atOnce(b.scripts(p, 1)[0], count), atOnce(b.run(p, b.event), count))
		if err != nil {
			return "", err
		}
		perSecond := func(times []time.Duration) string {
			return fmt.Sprintf("%.0f", float64(count)/milliseconds(times)*1000)
		}
		share := fmt.Sprintf("%.2f", ratio(times[0], times[1]))
		if count == 50 {
			share += " (goal: at least 0.24)"
		}
		t.add(fmt.Sprint(count), perSecond(times[0]), perSecond(times[1]), share)
	}
	return t.String(), nil
}

// extras compares runs that differ in one thing.
func (b *bench) extras() (string, error) {
	t := table{head: []string{"", "without, ms", "with, ms", "ratio"}}
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	withAsync, err := b.project("with-async", 0, 1)
	if err != nil {
		return "", err
	}
	if err := withAsync.hook("later", "pre-tool-call", "", "", "async: true\n"); err != nil {
		return "", err
	}
	noLog := b.run(p, b.event)
	noLog.env = append(slices.Clone(b.environ), "XDG_STATE_HOME=/dev/null/none")
	report := b.run(p, b.event)
	report.argv = append(report.argv, "--report", "/dev/null")
	for _, pair := range []struct {
		name          string
		without, with process
	}{
		{"the run log", noLog, b.run(p, b.event)},
		{"one async hook beside a sync one", b.run(p, b.event), b.run(withAsync, b.event)},
		{"a report", b.run(p, b.event), report},
	} {
		times, err := interleave(b.rounds, pair.without.time, pair.with.time)
		if err != nil {
			return "", err
		}
		t.add(pair.name, ms(milliseconds(times[0])), ms(milliseconds(times[1])), fmt.Sprintf("%.2f", ratio(times[1], times[0])))
	}
	return t.String(), nil
}
