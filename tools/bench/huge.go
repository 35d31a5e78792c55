package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// hugeEvent measures hooks with an event of 100 MiB.
func (b *bench) hugeEvent() (string, error) {
	const size = 100
	event, err := b.payload("payload.json", size<<20)
	if err != nil {
		return "", err
	}
	defer os.Remove(event)
	t := table{head: []string{"hooks", "their scripts read", "ms", "peak memory"}}
	for _, kind := range []struct {
		hooks        int
		read, script string
	}{
		{1, "nothing", "exit 0"},
		{10, "nothing", "exit 0"},
		{10, "everything", "exec cat >/dev/null"},
	} {
		p, err := b.project(fmt.Sprintf("huge-%d-%s", kind.hooks, kind.read), 0, kind.hooks)
		if err != nil {
			return "", err
		}
		for i := range kind.hooks {
			if err := p.script(fmt.Sprintf("match-%d", i), kind.script); err != nil {
				return "", err
			}
		}
		run := b.run(p, event)
		if err := verify(run, kind.hooks); err != nil {
			return "", err
		}
		times, err := interleave(min(b.rounds, 3), run.time)
		if err != nil {
			return "", err
		}
		own, _, err := b.usage(run)
		if err != nil {
			return "", err
		}
		t.add(fmt.Sprint(kind.hooks), kind.read, ms(milliseconds(times[0])), mib(own.kib))
	}
	return t.String(), nil
}

// script writes the script of a hook.
func (p project) script(name, text string) error {
	return os.WriteFile(filepath.Join(p.hooks, name, "scripts", "run.sh"), []byte("#!/bin/sh\n"+text+"\n"), 0o755)
}
