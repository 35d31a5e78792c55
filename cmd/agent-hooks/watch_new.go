package main

import (
	"bufio"
	"context"
	"maps"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// sayNew says how to run a hook that was not there at the start: git may have brought it (D135).
func (w *watching) sayNew(h *discovery.Hook) {
	if w.asks() {
		w.say("  it is new, so nothing of it runs; to run it on each save, press Enter")
		return
	}
	w.say("  it is new, so nothing of it runs; agent-hooks test %s runs its cases, and watch --new %[1]s all of it", h.Shown())
}

// asks reports whether a person can confirm new hooks with Enter.
func (w *watching) asks() bool { return w.event == nil && w.env.interactive() }

// confirmed receives each line that a person enters.
func (w *watching) confirmed(ctx context.Context) <-chan struct{} {
	if !w.asks() {
		return nil
	}
	lines := make(chan struct{})
	go func() {
		for in := bufio.NewScanner(w.env.Stdin); in.Scan(); {
			select {
			case lines <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// confirm runs the hooks that wait, now and on each save.
func (w *watching) confirm() {
	for _, dir := range slices.Sorted(maps.Keys(w.waiting)) {
		one := w.waiting[dir]
		w.known[dir] = true
		w.say("%s %s runs on each save", w.clock(), w.name(one.hook.After))
		w.add(one.reloaded, one.hook)
	}
	clear(w.waiting)
}
