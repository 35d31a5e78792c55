package main

import "errors"

// oneMore measures the slope between two numbers of hooks.
func (b *bench) oneMore() (string, error) {
	t := table{head: []string{"one more", "time, µs", "system calls"}}
	for _, kind := range []struct {
		name               string
		few, many          [2]int // idle and matching
		timeGoal, callGoal float64
	}{
		{"idle hook", [2]int{100, 0}, [2]int{1000, 0}, 9, 4},
		{"matching hook", [2]int{0, 10}, [2]int{0, 100}, 0, 0},
	} {
		few, err := b.fixture(kind.few[0], kind.few[1])
		if err != nil {
			return "", err
		}
		many, err := b.fixture(kind.many[0], kind.many[1])
		if err != nil {
			return "", err
		}
		count := float64(kind.many[0] - kind.few[0] + kind.many[1] - kind.few[1])
		times, err := interleave(b.rounds/2, b.run(few, b.event).time, b.run(many, b.event).time)
		if err != nil {
			return "", err
		}
		calls, err := b.callSlope(few, many, count, kind.callGoal)
		if err != nil {
			return "", err
		}
		t.add(kind.name, against(added(times[1], times[0])/count*1000, kind.timeGoal, "%.1f"), calls)
	}
	return t.String(), nil
}

func (b *bench) callSlope(few, many project, count, goal float64) (string, error) {
	fewCalls, err := b.systemCalls(few)
	if errors.Is(err, errNoTool) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	manyCalls, err := b.systemCalls(many)
	return against(float64(manyCalls-fewCalls)/count, goal, "%.1f"), err
}
