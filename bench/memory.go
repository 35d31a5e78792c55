package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
		kib, asyncErr := b.supervisorMemory(event)
		err = cmp.Or(err, asyncErr)
		t.add(fmt.Sprintf("the async supervisor, an event of %d MiB", size), kib, "-")
	}
	return t.String(), err
}

// supervisorMemory is the peak of the process that looks after async hooks,
// as its hook reads it after it has read the event.
func (b *bench) supervisorMemory(event string) (string, error) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		return "not measured: this system does not tell", nil
	}
	p, err := b.asyncProject("async-memory", 0)
	if err != nil {
		return "", err
	}
	peak := filepath.Join(b.dir, "peak")
	script := fmt.Sprintf("cat >/dev/null\ngrep VmHWM /proc/$PPID/status >%s.new && mv %s.new %s", peak, peak, peak)
	if err := p.script("later", script); err != nil {
		return "", err
	}
	var values []float64
	for range 5 {
		if _, err := b.run(p, event).time(); err != nil {
			return "", err
		}
		text, err := awaitFile(peak)
		if err != nil {
			return "", err
		}
		words := strings.Fields(text) // VmHWM: 5000 kB
		kib, err := strconv.ParseFloat(words[min(1, len(words)-1)], 64)
		if err != nil {
			return "", err
		}
		values = append(values, kib)
	}
	return mib(median(values)), nil
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
