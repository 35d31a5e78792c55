package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peer is another runner for the only hook of a project.
type peer struct {
	name    string
	prepare func(p project) (process, error)
}

func (b *bench) allPeers() []peer {
	return []peer{
		{"the bare script", func(p project) (process, error) { return b.script(p), nil }},
		{"run-parts (looks at no event)", b.runParts},
		{"husky (looks at no event)", b.husky},
		{"lefthook (looks at no event)", b.lefthook},
		{"cchook", b.cchook},
		{"a runner of 20 lines in Python", b.interpreted("python3", "runner.py", "import sys; print(sys.executable)", "-c")},
		{"a runner of 20 lines in Node", b.interpreted("node", "runner.js", "console.log(process.execPath)", "-e")},
	}
}

func (b *bench) peers() (string, error) {
	p, err := b.project("peers", 0, 1)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"one hook, which matches", "ms", "agent-hooks in the same rounds, ms", "times slower"}}
	for _, other := range b.allPeers() {
		theirs, err := other.prepare(p)
		if err == nil {
			err = b.seenToRun(p, theirs)
		}
		if errors.Is(err, errNotHere) {
			t.add(other.name, err.Error(), "-", "-")
			continue
		}
		if err != nil {
			return "", err
		}
		times, err := interleave(b.rounds, theirs.time, b.run(p, b.event).time)
		if err != nil {
			return "", err
		}
		t.add(other.name, ms(milliseconds(times[0])), ms(milliseconds(times[1])), fmt.Sprintf("%.2f", ratio(times[0], times[1])))
	}
	return t.String(), nil
}

// errNotHere means that a peer is not available on this machine.
var errNotHere = errors.New("not measured")

// seenToRun checks that a peer runs the script, with a script that writes a file.
func (b *bench) seenToRun(p project, theirs process) error {
	mark := filepath.Join(b.dir, "ran")
	if err := p.script("match-0", ": >"+mark); err != nil {
		return err
	}
	_, failed := theirs.output()
	err := p.script("match-0", "exit 0")
	if os.Remove(mark) != nil {
		fmt.Fprintf(os.Stderr, "bench: %v did not run the script: %v\n", theirs.program, failed)
		return fmt.Errorf("%w: it did not run the script", errNotHere)
	}
	return err
}

// interpreted prepares one of our small runners. The interpreter prints its own path, so that
// no version manager's shim is measured.
func (b *bench) interpreted(interpreter, script, ask, flag string) func(project) (process, error) {
	return func(p project) (process, error) {
		out, err := exec.Command(interpreter, flag, ask).Output()
		if err != nil {
			return process{}, fmt.Errorf("%w: there is no %s", errNotHere, interpreter)
		}
		return b.process(p.dir, b.event, program{strings.TrimSpace(string(out))}, filepath.Join(b.dir, script), p.hooks), nil
	}
}

func (b *bench) runParts(p project) (process, error) {
	file, err := exec.LookPath("run-parts")
	if err != nil {
		return process{}, fmt.Errorf("%w: it is not installed", errNotHere)
	}
	return b.process(p.dir, b.event, program{file}, "--regex=^run.sh$", filepath.Join(p.hooks, "match-0", "scripts")), nil
}
