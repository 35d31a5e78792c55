package agenthooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestVectorsThroughServe checks that serve answers as run does (D51), on one vector in twenty
// without LONG_TESTS.
func TestVectorsThroughServe(t *testing.T) {
	program := buildProgram(t)
	var vectors []*vector
	for i, v := range readVectors(t) {
		if i%20 == 0 || os.Getenv("LONG_TESTS") != "" {
			vectors = append(vectors, v)
		}
	}
	for _, v := range vectors {
		v.prepare(t)
	}
	t.Parallel()
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			v.serve(t, program)
		})
	}
}

// serve sends the vector's event to a server and compares its answer.
func (v *vector) serve(t *testing.T, program string) {
	line, ok := v.request(t)
	if !ok || len(v.Args) > 0 || v.Runs != nil {
		t.Skip("only a command line can set that")
	}
	v.needs(t)
	cmd := osexec.CommandContext(t.Context(), program, "serve", "--ask", "express", "--modify", "express", "--trust-project")
	cmd.Dir, cmd.Env = filepath.Join(v.project, v.Dir), v.environ()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out, diagnostics bytes.Buffer
	answered := &firstLine{to: &out, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = answered, &diagnostics
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = in.Write(line)
	<-answered.done
	in.Close()
	if err := cmd.Wait(); err != nil || diagnostics.Len() > 0 {
		t.Errorf("serve: %v: %s", err, &diagnostics)
	}
	v.compare(t, out.Bytes())
	v.checkOrder(t)
}

// request returns hooks.run for the vector's event, on one line. ok is false if
// the event is not a complete object, because then there is no message.
func (v *vector) request(t *testing.T) (line []byte, ok bool) {
	event := v.event(t, 1)
	params := fmt.Sprintf(`{"event":%q`, v.Event)
	if len(bytes.TrimSpace(event)) > 0 {
		var scanner rawjson.Scanner
		begin, end, done, err := scanner.End(event)
		if !done || err != nil {
			return nil, false
		}
		// Outside strings, a newline in JSON is equivalent to a space; inside
		// it is invalid.
		params += `,"input":` + strings.NewReplacer("\n", " ", "\r", " ").Replace(string(event[begin:end]))
	}
	return []byte(`{"jsonrpc":"2.0","id":1,"method":"hooks.run","params":` + params + "}}\n"), true
}

func (v *vector) compare(t *testing.T, line []byte) {
	var response struct {
		Result map[string]any
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(line, &response); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	status, stderr := spec.ExitContinue, fmt.Sprint(response.Result["warnings"])
	switch {
	case response.Error != nil:
		status, stderr = spec.ExitError, response.Error.Message
	case response.Result["blocked"] == true:
		status, stderr = spec.ExitBlock, fmt.Sprintf("hook %s: %s", response.Result["blocked_by"], response.Result["reason"])
	}
	if status != v.Exit {
		t.Errorf("status %d, not %d: %s", status, v.Exit, line)
	}
	for _, want := range v.Stderr {
		if status != spec.ExitError && !strings.Contains(stderr, want) {
			t.Errorf("nothing says %q: %s", want, line)
		}
	}
	answer := response.Result
	for _, key := range []string{"blocked", "blocked_by", "warnings"} {
		delete(answer, key)
	}
	if status == spec.ExitBlock { // run writes them to stderr
		delete(answer, "decision")
		delete(answer, "reason")
	}
	if v.Stdout == nil && status == spec.ExitContinue && len(answer) > 0 || v.Stdout != nil && !sameAnswer(v.Stdout, answer) {
		t.Errorf("the answer is %v, not %v", answer, v.Stdout)
	}
}

// firstLine records when the first line was written.
type firstLine struct {
	to     *bytes.Buffer
	done   chan struct{}
	closed bool
}

func (w *firstLine) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if !w.closed && bytes.ContainsRune(p, '\n') {
		w.closed = true
		close(w.done)
	}
	return n, err
}
