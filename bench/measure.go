package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// process is a command line that is run over and over.
type process struct {
	argv  []string
	dir   string
	env   []string
	stdin string // a file
}

// start starts the process; its output is thrown away.
func (p process) start() (*os.Process, error) {
	stdin, err := os.Open(p.stdin)
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return os.StartProcess(p.argv[0], p.argv, &os.ProcAttr{Dir: p.dir, Env: p.env, Files: []*os.File{stdin, null, null}})
}

// time runs the process once.
func (p process) time() (time.Duration, error) {
	began := time.Now()
	started, err := p.start()
	if err != nil {
		return 0, err
	}
	state, err := started.Wait()
	took := time.Since(began)
	if err == nil && !state.Success() {
		err = fmt.Errorf("%v: %v", p.argv, state)
	}
	return took, err
}

// reported is the time that a program prints of itself.
func (p process) reported() (time.Duration, error) {
	out, err := p.output()
	if err != nil {
		return 0, err
	}
	list, err := numbers(out)
	if err != nil || len(list) != 1 {
		return 0, fmt.Errorf("%v printed %q", p.argv, out)
	}
	return time.Duration(list[0]), nil
}

// output runs the process and returns what it prints on stdout.
func (p process) output() (string, error) {
	stdin, err := os.Open(p.stdin)
	if err != nil {
		return "", err
	}
	defer stdin.Close()
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env, stdin
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%v: %w: %s", p.argv, err, stderr.String())
	}
	return string(out), err
}

// wrapped is the process run by another program.
func (p process) wrapped(argv ...string) process {
	p.argv = slices.Concat(argv, p.argv)
	return p
}

// with is the process with more arguments.
func (p process) with(argv ...string) process {
	p.argv = slices.Concat(p.argv, argv)
	return p
}

// under is the process with variables of its environment set.
func (p process) under(vars ...string) process {
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		others := slices.DeleteFunc(slices.Clone(p.env), func(have string) bool { return strings.HasPrefix(have, name+"=") })
		p.env = append(others, v)
	}
	return p
}

// timed measures something once.
type timed func() (time.Duration, error)

// oneByOne runs processes one after another.
func oneByOne(list []process) timed {
	return func() (total time.Duration, err error) {
		for _, p := range list {
			took, err := p.time()
			if err != nil {
				return 0, err
			}
			total += took
		}
		return total, nil
	}
}

// sum adds what several measure.
func sum(parts ...timed) timed {
	return func() (total time.Duration, err error) {
		for _, part := range parts {
			took, err := part()
			if err != nil {
				return 0, err
			}
			total += took
		}
		return total, nil
	}
}

// atOnce runs count processes at the same time and measures until the last
// one has ended.
func atOnce(p process, count int) timed {
	return func() (time.Duration, error) {
		errs := make([]error, count)
		began := time.Now()
		var group sync.WaitGroup
		for i := range count {
			group.Go(func() { _, errs[i] = p.time() })
		}
		group.Wait()
		took := time.Since(began)
		for _, err := range errs {
			if err != nil {
				return 0, err
			}
		}
		return took, nil
	}
}

// rested lets the machine rest after each measuring, so that what a process
// left running does not disturb the next.
func rested(measure timed) timed {
	return func() (time.Duration, error) {
		defer time.Sleep(20 * time.Millisecond)
		return measure()
	}
}

// interleave measures all in turn, round after round, after one that does not
// count.
func interleave(rounds int, all ...timed) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(all))
	for round := range rounds + 1 {
		for i, measure := range all {
			took, err := measure()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], took)
			}
		}
	}
	return times, nil
}

// numbers reads the integers of a line.
func numbers(line string) (list []int64, err error) {
	for _, word := range strings.Fields(line) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}
