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

// process is a command line that is run over and over.
type process struct {
	program program
	args    []string
	dir     string
	env     []string
	stdin   string  // a file
	timer   program // the yardstick, which starts it
}

// time runs the process once.
func (p process) time(round int) (time.Duration, error) { return p.atOnce(1)(round) }

// atOnce runs count of the process together and measures until the last one
// has ended. A program in C starts them and takes the time: what Go adds to
// the start of a process is no part of it.
func (p process) atOnce(count int) timed {
	return func(round int) (time.Duration, error) {
		argv := append([]string{"time", fmt.Sprint(count), p.stdin, p.program.copy(round)}, p.args...)
		p := p
		p.program, p.args = p.timer, argv
		return p.reported(round)
	}
}

// reported is the time that a program prints of itself.
func (p process) reported(round int) (time.Duration, error) {
	p.program = program{p.program.copy(round)}
	list, err := p.numbers(1)
	if err != nil {
		return 0, err
	}
	return time.Duration(list[0]), nil
}

// numbers runs a process that prints so many numbers.
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

// output runs the process and returns what it prints on stdout.
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

// wrapped is the process run by another program.
func (p process) wrapped(by program, argv ...string) process {
	p.args = slices.Concat(argv, p.program[:1], p.args)
	p.program = by
	return p
}

// with is the process with more arguments.
func (p process) with(argv ...string) process {
	p.args = slices.Concat(p.args, argv)
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

// timed measures something once, in a round.
type timed func(round int) (time.Duration, error)

// sum adds what several measure.
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

// rested lets the machine rest after each measuring, so that what a process
// left running does not disturb the next.
func rested(measure timed) timed {
	return func(round int) (time.Duration, error) {
		defer time.Sleep(20 * time.Millisecond)
		return measure(round)
	}
}

// interleave measures all in each round, after one round that does not count.
// The order is random: a program that always follows a quiet one gains up to
// 5 %.
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
