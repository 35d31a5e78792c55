package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// requestsAtOnce is the number of sequential requests in one measurement.
const requestsAtOnce = 100

// server is a running `agent-hooks serve`.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	params []byte
}

// served compares a run with a request to a server.
func (b *bench) served() (string, error) {
	t := table{head: []string{"hooks, none of which matches", "run, ms", "request, ms", "a run takes times as long"}}
	for _, row := range []struct {
		hooks    int
		reviewed bool
	}{{1, false}, {10, false}, {100, false}, {100, true}} {
		run, request, err := b.servedPair(row.hooks, row.reviewed)
		if err != nil {
			return "", err
		}
		name := fmt.Sprint(row.hooks)
		if row.reviewed {
			name += ", reviewed, as an agent's plugin calls"
		}
		t.add(name, ms(milliseconds(run)), fmt.Sprintf("%.3f", milliseconds(request)), atLeast(ratio(run, request), 10, "%.1f"))
	}
	return t.String(), nil
}

func (b *bench) servedPair(n int, reviewed bool) (run, request []time.Duration, err error) {
	p, err := b.fixture(n, 0)
	if err != nil {
		return nil, nil, err
	}
	one, trust := b.run(p, b.event), "--trust-project"
	if reviewed {
		one, trust = trusted(one), "--require-trust"
		if _, err := b.process(p.dir, b.event, b.agentHooks, "trust", "--yes").output(); err != nil {
			return nil, nil, err
		}
	}
	s, err := startServer(one, trust)
	if err != nil {
		return nil, nil, err
	}
	defer s.stop()
	time.Sleep(2500 * time.Millisecond) // until the server uses its cache
	times, err := interleave(b.rounds, one.time, s.time)
	if err != nil {
		return nil, nil, err
	}
	return times[0], times[1], nil
}

// startServer starts a server in the directory of a run, for its event.
func startServer(run process, trust string) (*server, error) {
	event, err := os.ReadFile(run.stdin)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, event); err != nil {
		return nil, err
	}
	s := &server{cmd: exec.Command(run.program[0], "serve", trust), params: compact.Bytes()}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = run.dir, run.env, os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, s.cmd.Start()
}

func (s *server) stop() {
	s.in.Close()
	_ = s.cmd.Wait()
}

// time returns the time of one request.
func (s *server) time(int) (time.Duration, error) {
	began := time.Now()
	for range requestsAtOnce {
		if err := s.request(); err != nil {
			return 0, err
		}
	}
	return time.Since(began) / requestsAtOnce, nil
}

func (s *server) request() error {
	_, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":1,"method":"hooks.run","params":{"event":"pre-tool-call","input":%s}}`+"\n", s.params)
	for err == nil {
		var line []byte
		if line, err = s.out.ReadBytes('\n'); bytes.Contains(line, []byte(`"hooks.changed"`)) {
			continue
		}
		if err == nil && !bytes.Contains(line, []byte(`"blocked":false`)) {
			err = fmt.Errorf("the server answered %s", line)
		}
		return err
	}
	return err
}
