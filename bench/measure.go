package main

import (
	"fmt"
	"io"
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
	p.argv = append(argv, p.argv...)
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

// median is the middle one, or the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func milliseconds(times []time.Duration) float64 {
	values := make([]float64, len(times))
	for i, t := range times {
		values[i] = t.Seconds() * 1000
	}
	return median(values)
}

// ratio is the median of the rounds' ratios.
func ratio(times, to []time.Duration) float64 {
	values := make([]float64, len(times))
	for i := range times {
		values[i] = float64(times[i]) / float64(to[i])
	}
	return median(values)
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

func copyTo(name string, from io.Reader) error {
	data, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
