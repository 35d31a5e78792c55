package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func (b *bench) memory() (string, error) {
	t := table{head: []string{"", "peak memory", "page faults", "processor time, ms"}}
	err := cmp.Or(b.memoryOfRuns(&t), b.memoryOfEvents(&t))
	status, statusErr := b.hookStatus(b.event, "")
	text := t.String() + "\nIn a run with one hook, " + orUnknown(status, "RssFile") + " are pages of the program's file, which all its processes share, and " +
		orUnknown(status, "RssAnon") + " are its own.\n"
	return text, cmp.Or(err, statusErr)
}

// memoryOfRuns adds rows for programs with an event of 1 KiB.
func (b *bench) memoryOfRuns(t *table) error {
	idle, err := b.fixture(1, 0)
	one, oneErr := b.fixture(0, 1)
	if err := cmp.Or(err, oneErr); err != nil {
		return err
	}
	for _, row := range []struct {
		name string
		process
	}{
		{"a Go program that does nothing", b.process(b.dir, os.DevNull, b.hello)},
		{"`agent-hooks version`", b.process(b.dir, os.DevNull, b.agentHooks, "version")},
		{"an idle hook", b.run(idle, b.event)},
	} {
		own, _, err := b.usage(row.process)
		if err != nil {
			return err
		}
		t.add(append([]string{row.name}, own.cells()...)...)
	}
	script, _, err := b.usage(b.script(one))
	if err != nil {
		return err
	}
	for _, hooks := range []int{1, 10, 100, 1000} {
		p, err := b.fixture(hooks-1, 1)
		if err != nil {
			return err
		}
		own, _, err := b.usage(b.run(p, b.event))
		if err != nil {
			return err
		}
		t.add(append([]string{fmt.Sprintf("one of %d hooks matches", hooks)}, own.without(script).cells()...)...)
	}
	return nil
}

// memoryOfEvents adds rows for runs with one hook, and for the supervisor of an async hook.
func (b *bench) memoryOfEvents(t *table) error {
	one, err := b.fixture(0, 1)
	if err != nil {
		return err
	}
	later, err := b.asyncProject("supervised", 0)
	if err != nil {
		return err
	}
	for _, size := range []int{1 << 10, 1 << 20, 50 << 20} {
		event, err := b.payload("payload.json", size)
		if err != nil {
			return err
		}
		script, _, err := b.usage(b.script(one))
		if err != nil {
			return err
		}
		if size > 1<<10 {
			own, _, err := b.usage(b.run(one, event))
			if err != nil {
				return err
			}
			t.add(append([]string{"an event of " + sizeName(size) + ", one hook"}, own.without(script).cells()...)...)
		}
		_, left, err := b.usage(b.run(later, event))
		if err != nil {
			return err
		}
		// Its peak as reported by wait includes that of the run that started it.
		status, err := b.hookStatus(event, "async: true\n")
		if err != nil {
			return err
		}
		cells := left.without(script).cells()
		cells[0] = orUnknown(status, "VmHWM")
		t.add(append([]string{"the async supervisor, an event of " + sizeName(size)}, cells...)...)
	}
	return nil
}

func sizeName(bytes int) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// hookStatus returns the memory status of the process that runs a hook, in KiB by name, as the
// hook reads it after it has read the event. It returns nil on systems other than Linux.
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
		if _, err := b.run(p, event).time(0); err != nil {
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

// readStatus parses lines like "VmHWM:  5000 kB".
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

// orUnknown formats one of the figures of a status, if it exists.
func orUnknown(status map[string]float64, name string) string {
	if kib, ok := status[name]; ok {
		return mib(kib)
	}
	return "an unknown number"
}

// awaitFile waits for a file of another process and returns its content.
func awaitFile(name string) (string, error) {
	for range 1000 {
		if text, err := os.ReadFile(name); err == nil {
			return string(text), os.Remove(name)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return "", fmt.Errorf("nobody wrote %s", name)
}
