package main

import (
	"fmt"
	"time"
)

// many measures processes that are started at the same time.
func (b *bench) many() (string, error) {
	t := table{head: []string{"runs at once", "bare scripts per second", "agent-hooks per second", "ratio"}}
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	for _, count := range []int{1, 10, 50} {
		times, err := interleave(b.roundsFor(0, 2*count), b.script(p).atOnce(count), b.run(p, b.event).atOnce(count))
		if err != nil {
			return "", err
		}
		perSecond := func(times []time.Duration) string {
			return fmt.Sprintf("%.0f", float64(count)/milliseconds(times)*1000)
		}
		t.add(fmt.Sprint(count), perSecond(times[0]), perSecond(times[1]), fmt.Sprintf("%.2f", ratio(times[0], times[1])))
	}
	return t.String(), nil
}
