package main

import "os"

// layout compares the same program in different states of the page cache.
func (b *bench) layout() (string, error) {
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	states := []struct {
		name  string
		piece int
		drop  bool
	}{
		{"copied in pieces of 128 KiB, as `cp` does (all other tables)", cpPiece, false},
		{"written in one piece", 64 << 20, false},
		{"read from the disk, as after a reboot", cpPiece + 1, true},
	}
	var all []timed
	for _, state := range states {
		hello, err := b.laidOut(b.hello[0], state.piece, state.drop)
		if err != nil {
			return "", err
		}
		ours, err := b.laidOut(b.agentHooks[0], state.piece, state.drop)
		if err != nil {
			return "", err
		}
		run := b.run(p, b.event)
		run.program = ours
		all = append(all, b.process(p.dir, os.DevNull, hello).time, run.time)
	}
	// Run each copy once, to read the dropped file.
	if _, err := interleave(copiesOf, all...); err != nil {
		return "", err
	}
	times, err := interleave(b.rounds, all...)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"the program's file was", "a Go program that does nothing, ms", "added, ms", "agent-hooks, one hook, ms", "added, ms"}}
	for i, state := range states {
		hello, ours := times[2*i], times[2*i+1]
		t.add(state.name, ms(milliseconds(hello)), ms(added(hello, times[0])), ms(milliseconds(ours)), ms(added(ours, times[1])))
	}
	return t.String(), nil
}

// laidOut returns a program whose file is written in pieces of the given size and, if drop is
// set, dropped from the page cache.
func (b *bench) laidOut(file string, piece int, drop bool) (program, error) {
	p, err := copied(file, piece)
	for _, name := range p {
		if err == nil && drop {
			_, err = b.process(b.dir, os.DevNull, b.yardstick, "drop", name).output()
		}
	}
	return p, err
}
