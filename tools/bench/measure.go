package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// process is a command line that is run repeatedly.
type process struct {
	program program
	args    []string
	dir     string
	env     []string
	stdin   string  // a file
	timer   program // the yardstick, which starts the process
}

// time runs the process once.
func (p process) time(round int) (time.Duration, error) { return p.atOnce(1)(round) }

// atOnce runs count instances of the process at the same time and measures until the last one
// has ended. A C program starts them and measures the time, so that the overhead of starting a
// process from Go is not included.
func (p process) atOnce(count int) timed {
	return func(round int) (time.Duration, error) {
		argv := append([]string{"time", fmt.Sprint(count), p.stdin, p.program.copy(round)}, p.args...)
		p := p
		p.program, p.args = p.timer, argv
		return p.reported(round)
	}
}

// reported returns the time that the program itself prints.
func (p process) reported(round int) (time.Duration, error) {
	p.program = program{p.program.copy(round)}
	list, err := p.numbers(1)
	if err != nil {
		return 0, err
	}
	return time.Duration(list[0]), nil
}

// numbers runs a process that prints count numbers.
func (p process) numbers(count int) ([]int64, error) {
	out, err := p.output()
	if err != nil {
		return nil, err
	}
	list, err := numbers(out)
	if err != nil || len(list) != count {
		return nil, fmt.Errorf("%v printed %q", p.args, out)
	}
	return list, nil
}

// output runs the process and returns its stdout.
func (p process) output() (string, error) {
	stdin, err := os.Open(p.stdin)
	if err != nil {
		return "", err
	}
	defer stdin.Close()
	cmd := exec.Command(p.program[0], p.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.env, stdin
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%v: %w: %s", cmd.Args, err, stderr.String())
	}
	return string(out), err
}

// wrapped returns the process, run by another program.
func (p process) wrapped(by program, argv ...string) process {
	p.args = slices.Concat(argv, p.program[:1], p.args)
	p.program = by
	return p
}

// with returns the process with additional arguments.
func (p process) with(argv ...string) process {
	p.args = slices.Concat(p.args, argv)
	return p
}

// under returns the process with environment variables set.
func (p process) under(vars ...string) process {
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		others := slices.DeleteFunc(slices.Clone(p.env), func(have string) bool { return strings.HasPrefix(have, name+"=") })
		p.env = append(others, v)
	}
	return p
}

// timed makes one measurement in a round.
type timed func(round int) (time.Duration, error)

// sum adds several measurements.
func sum(parts ...timed) timed {
	return func(round int) (total time.Duration, err error) {
		for _, part := range parts {
			took, err := part(round)
			if err != nil {
				return 0, err
			}
			total += took
		}
		return total, nil
	}
}

// rested pauses after each measurement, so that processes that are still running do not affect
// the next one.
func rested(measure timed) timed {
	return func(round int) (time.Duration, error) {
		defer time.Sleep(20 * time.Millisecond)
		return measure(round)
	}
}

// interleave makes all measurements in each round, after one warm-up round. The order is
// random, because a program that always follows a quiet one gains up to 5 %.
func interleave(rounds int, all ...timed) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(all))
	for round := range rounds + 1 {
		for _, i := range rand.Perm(len(all)) {
			took, err := all[i](round)
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

// numbers parses the integers in a line.
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
