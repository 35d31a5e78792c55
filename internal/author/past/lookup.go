package past

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Logged names a tool call as the run log does.
type Logged struct{ Agent, Session, Call string }

// Seen is a call in a transcript.
type Seen struct {
	ID   string // for Options.Call
	Text string // its command, path or input, on one line
}

// LookUp returns those of the calls that are in the agents' transcripts. It reads only files with the
// session's identifier in their paths. Of the options, only Home and Getenv count.
func LookUp(ctx context.Context, o Options, calls []Logged) map[Logged]Seen {
	const leastSession = 8
	o.Agents = nil
	for _, c := range calls {
		a := agent.Find(c.Agent)
		if a != nil && formatOf(a) != nil && !slices.Contains(o.Agents, a) {
			o.Agents = append(o.Agents, a)
		}
	}
	r := &run{Options: o, ctx: ctx, tally: newTally(false)}
	seen := map[Logged]Seen{}
	for _, f := range r.find() {
		left := map[string]Logged{}
		for _, c := range calls {
			if c.Agent == f.agent.Name && c.Call != "" && len(c.Session) >= leastSession && strings.Contains(f.path, c.Session) {
				left[c.Call] = c
			}
		}
		r.lookUp(f, left, seen)
	}
	return seen
}

// lookUp reads a transcript until it has seen the calls that are left.
func (r *run) lookUp(f file, left map[string]Logged, seen map[Logged]Seen) {
	if len(left) == 0 {
		return
	}
	opened, err := f.open()
	if err != nil {
		return
	}
	defer opened.Close()
	reader := newReader(f.agent, filepath.ToSlash(f.path), f.aside(), func(c pastCall) {
		wanted, ok := left[c.id]
		if !ok || c.payload == nil {
			return
		}
		delete(left, c.id)
		if call, err := f.agent.Decode(c.payload, string(spec.PreToolCall)); err == nil {
			_, text := describeEvent(call.Object())
			seen[wanted] = Seen{callID(f.agent, &c)[:shortID], text}
		}
	})
	_ = eachLine(opened, maxLine, func(line []byte) bool {
		_ = reader.read(line)
		return len(left) > 0 && r.ctx.Err() == nil
	}, func() {})
}
