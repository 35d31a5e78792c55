package main

// payloads shows the additional time of larger events in a run with one hook.
func (b *bench) payloads() (string, error) {
	t := table{head: []string{"event", "no matcher, ms", "added", "a pattern with a word that must occur, ms", "added", "a pattern of classes alone, ms", "added"}}
	projects, err := b.searchingProjects()
	if err != nil {
		return "", err
	}
	for _, size := range []struct {
		name          string
		bytes, rounds int
	}{
		{"1 KiB", 1 << 10, b.rounds},
		{"1 MiB", 1 << 20, b.rounds},
		{"50 MiB", 50 << 20, min(b.rounds, 5)},
	} {
		event, err := b.payload("payload.json", size.bytes)
		if err != nil {
			return "", err
		}
		var pairs []timed
		for _, p := range projects {
			pairs = append(pairs, b.run(p, b.event).time, b.run(p, event).time)
		}
		times, err := interleave(size.rounds, pairs...)
		if err != nil {
			return "", err
		}
		cells := []string{size.name}
		for i := range projects {
			small, large := times[2*i], times[2*i+1]
			cells = append(cells, ms(milliseconds(large)), ms(added(large, small)))
		}
		t.add(cells...)
	}
	return t.String(), nil
}

// searchingProjects returns projects of one hook each, whose searches take increasing time.
func (b *bench) searchingProjects() (list []project, err error) {
	for _, kind := range []struct {
		name, tool, pattern string
		runs                int
	}{
		{"payload-plain", "", "", 1},
		{"payload-word", "Shell", `terraform\s+(apply|destroy)`, 0},
		{"payload-classes", "Shell", `"[0-9]{16}"`, 0},
	} {
		p, err := b.project(kind.name, 0, 0)
		if err != nil {
			return nil, err
		}
		if err := p.hook("hook", "pre-tool-call", kind.tool, kind.pattern); err != nil {
			return nil, err
		}
		if err := verify(b.run(p, b.event), kind.runs); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}
