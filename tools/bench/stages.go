package main

// stages compares runs, each of which does one thing more than the previous one.
func (b *bench) stages() (string, error) {
	none, err := b.fixture(0, 0)
	if err != nil {
		return "", err
	}
	idle, err := b.fixture(1, 0)
	if err != nil {
		return "", err
	}
	one, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	logged := b.run(one, b.event)
	unlogged, _ := b.otherHomes(logged)
	version := b.process(one.dir, b.event, b.agentHooks, "version")
	hello := b.process(one.dir, b.event, b.hello)
	script := b.script(one)
	steps := []struct {
		name string
		process
	}{
		{"a Go program that does nothing", hello},
		{"`agent-hooks version`: the linked packages are initialized", version},
		{"a run without hooks: the event, the project, the folders", b.run(none, b.event)},
		{"with an idle hook: one `HOOK.md`, the decision", b.run(idle, b.event)},
		{"with a matching hook, no log: the plan, signals, the process and its script", unlogged},
		{"with the run log", logged},
	}
	of := []timed{script.time}
	for _, s := range steps {
		of = append(of, s.time)
	}
	times, err := interleave(b.rounds, of...)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"", "ms", "added, ms"}}
	for i, s := range steps {
		more := "-"
		if i > 0 {
			more = ms(added(times[i+1], times[i]))
		}
		t.add(s.name, ms(milliseconds(times[i+1])), more)
	}
	t.add("for scale: the script alone", ms(milliseconds(times[0])), "-")
	return t.String(), nil
}
