package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// setting is a number of idle and matching hooks, with the goals for it.
type setting struct {
	idle, match int
	toYard      float64 // the goal; 0 for none
}

func settings() []setting {
	return []setting{
		{idle: 1}, {idle: 10}, {idle: 100}, {idle: 1000},
		{idle: 0, match: 1, toYard: 1.83},
		{idle: 9, match: 1, toYard: 1.83},
		{idle: 99, match: 1, toYard: 1.90},
		{idle: 999, match: 1, toYard: 1.60},
		{match: 10, toYard: 1.40},
		{match: 100},
		{match: 1000},
	}
}

// roundsFor lowers the number of rounds if a round takes long.
func (b *bench) roundsFor(idle, match int) int {
	return max(min(b.rounds, 7), b.rounds*100/(100+match+idle/10))
}

// fixture returns the project with the given numbers of hooks, which is created on the first
// call.
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
	return p, verify(b.run(p, b.event), match)
}

// oneRun compares a run to the bare scripts and to the yardstick.
func (b *bench) oneRun() (string, error) {
	t := table{head: []string{"hooks", "matching", "bare scripts, ms", "yardstick, ms", "agent-hooks, ms", "to the yardstick", "quartiles", "to the bare scripts", "quartiles"}}
	for _, s := range settings() {
		p, err := b.fixture(s.idle, s.match)
		if err != nil {
			return "", err
		}
		times, err := interleave(b.roundsFor(s.idle, s.match),
			b.bare(p), b.yard(p), b.run(p, b.event).time)
		if err != nil {
			return "", err
		}
		bare, yard, ours := times[0], times[1], times[2]
		bareTime, toBare, spread := "-", "-", "-"
		if s.match > 0 {
			bareTime, toBare, spread = ms(milliseconds(bare)), fmt.Sprintf("%.2f", ratio(ours, bare)), quartiles(ratios(ours, bare))
		}
		t.add(fmt.Sprint(s.idle+s.match), fmt.Sprint(s.match), bareTime, ms(milliseconds(yard)), ms(milliseconds(ours)),
			against(ratio(ours, yard), s.toYard, "%.2f"), quartiles(ratios(ours, yard)), toBare, spread)
	}
	return t.String(), nil
}
