package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// usage is the peak memory in KiB and the page faults of a process: medians
// of a few runs, started from a program that is small itself, since a child
// counts what its parent had.
func (b *bench) usage(p process) (kib, faults float64, err error) {
	var memory, faulted []float64
	for range 5 {
		out, err := p.wrapped(b.yardstick, "usage").output()
		if err != nil {
			return 0, 0, err
		}
		list, err := numbers(out)
		if err != nil || len(list) != 2 {
			return 0, 0, fmt.Errorf("%v printed %q", p.argv, out)
		}
		memory, faulted = append(memory, float64(list[0])), append(faulted, float64(list[1]))
	}
	return median(memory), median(faulted), nil
}

func (b *bench) memory() (string, error) {
	t := table{head: []string{"", "peak memory", "page faults"}}
	add := func(name string, p process, goal float64) error {
		kib, faults, err := b.usage(p)
		t.add(name, against(kib/1024, goal, "%.1f MiB"), fmt.Sprintf("%.0f", faults))
		return err
	}
	err := add("a Go program that does nothing", process{[]string{b.hello}, b.dir, b.environ, os.DevNull}, 0)
	for _, hooks := range []int{1, 10, 100, 1000} {
		p, fixtureErr := b.fixture(hooks-1, 1)
		goal := 4.0
		if hooks > 100 {
			goal = 5
		}
		err = cmp.Or(err, fixtureErr, add(fmt.Sprintf("one of %d hooks matches", hooks), b.run(p, b.event), goal))
	}
	for _, size := range []int{1, 50} {
		event, payloadErr := b.payload("payload.json", size<<20)
		p, fixtureErr := b.fixture(0, 1)
		err = cmp.Or(err, payloadErr, fixtureErr, add(fmt.Sprintf("an event of %d MiB, one hook", size), b.run(p, event), float64(size+5)))
		status, asyncErr := b.hookStatus(event, "async: true\n")
		err = cmp.Or(err, asyncErr)
		t.add(fmt.Sprintf("the async supervisor, an event of %d MiB", size), orUnknown(status, "VmHWM"), "-")
	}
	status, syncErr := b.hookStatus(b.event, "")
	text := t.String() + "\nOf a run with one hook, as its hook sees it, " + orUnknown(status, "RssFile") + " are pages of the program's file, which all its processes share, and " +
		orUnknown(status, "RssAnon") + " are its own.\n"
	return text, cmp.Or(err, syncErr)
}

// hookStatus is what Linux says of the process that runs a hook, in KiB by
// name, as the hook reads it after it has read the event; nil elsewhere.
func (b *bench) hookStatus(event, front string) (map[string]float64, error) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		return nil, nil
	}
	p, err := b.project("status", 0, 0)
	if err != nil {
		return nil, err
	}
	if err := p.hook("hook", "pre-tool-call", "", "", front); err != nil {
		return nil, err
	}
	file := filepath.Join(b.dir, "seen")
	script := fmt.Sprintf("cat >/dev/null\ngrep -E '^(VmHWM|Rss)' /proc/$PPID/status >%s.new && mv %s.new %s", file, file, file)
	if err := p.script("hook", script); err != nil {
		return nil, err
	}
	lists := map[string][]float64{}
	for range 5 {
		if _, err := b.run(p, event).time(); err != nil {
			return nil, err
		}
		text, err := awaitFile(file)
		if err != nil {
			return nil, err
		}
		for name, kib := range readStatus(text) {
			lists[name] = append(lists[name], kib)
		}
	}
	return medians(lists), nil
}

// readStatus reads lines like "VmHWM:  5000 kB".
func readStatus(text string) map[string]float64 {
	status := map[string]float64{}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		var kib float64
		if n, _ := fmt.Sscan(rest, &kib); n == 1 {
			status[name] = kib
		}
	}
	return status
}

// orUnknown words one of the figures of a status, if there is one.
func orUnknown(status map[string]float64, name string) string {
	if kib, ok := status[name]; ok {
		return mib(kib)
	}
	return "an unknown number"
}

// awaitFile takes a file that another process is about to write.
func awaitFile(name string) (string, error) {
	for range 1000 {
		if text, err := os.ReadFile(name); err == nil {
			return string(text), os.Remove(name)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return "", fmt.Errorf("nobody wrote %s", name)
}
