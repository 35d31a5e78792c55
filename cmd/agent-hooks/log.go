package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// followEvery is the interval at which log --follow checks for new lines.
const followEvery = 200 * time.Millisecond

type logFlags struct {
	hook, agent, outcome string

	since                 time.Time
	limit                 int
	follow, json, summary bool
}

func (f *logFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.hook, "hook", "", "only runs of `HOOK`")
	fs.StringVar(&f.agent, "agent", "", "only runs that `AGENT` called")
	fs.StringVar(&f.outcome, "outcome", "", "only runs with this `OUTCOME`: "+strings.Join(logOutcomes(), ", "))
	declareSince(fs, &f.since, "only runs since `TIME`, such as 2h (ago), 3d or 2026-11-20")
	declareCount(fs, &f.limit, "limit", "show the newest `N` runs; 0 means all")
	fs.BoolVar(&f.follow, "follow", false, "keep printing new runs")
	fs.BoolVar(&f.summary, "summary", false, "count the runs, blocks, failures and times of each hook instead")
	fs.BoolVar(&f.json, "json", false, "print the log's own lines, which are JSON; with --summary, one list")
}

// logOutcomes are the outcomes that --outcome selects.
func logOutcomes() []string {
	return []string{"deny", "ask", "allow", "none", "failure", "timeout", "not-enforced", "canceled"}
}

func (f *logFlags) check() error {
	if f.outcome != "" && !slices.Contains(logOutcomes(), f.outcome) {
		return usagef("one of "+strings.Join(logOutcomes(), ", "), "log: unknown outcome %q", f.outcome)
	}
	if f.agent != "" {
		a := agent.Find(f.agent)
		if a == nil {
			return unknownAgent("log", f.agent, "--agent %s")
		}
		f.agent = a.Name
	}
	if f.summary && (f.follow || f.limit > 0) {
		return usagef("agent-hooks log --summary --since 7d", "log: --summary counts all runs, so --follow and --limit exclude it")
	}
	return nil
}

// execute is `agent-hooks log`: the run log, newest last (D33).
func (flags logFlags) execute(env *Env, _ []string) (int, error) {
	filter := &runlog.Filter{Hook: flags.hook, Agent: flags.agent, Outcome: flags.outcome, Project: env.projectDir(), Since: flags.since}
	dir := env.state()
	if dir == "" {
		return 0, errNoStateDir
	}
	if flags.summary {
		return spec.ExitContinue, env.summarize(flags, filter)
	}
	l := &logging{env: env, flags: flags, filter: filter, dir: dir, reader: runlog.NewReader(dir)}
	defer l.reader.Close()
	if !flags.follow {
		return spec.ExitContinue, l.show()
	}
	return spec.ExitContinue, env.untilEnd(l.follow)
}

// logging is one call of the log command.
type logging struct {
	env     *Env
	flags   logFlags
	filter  *runlog.Filter
	dir     string
	reader  *runlog.Reader
	columns term.Columns
	shown   int    // lines so far
	call    string // the last one that a transcript has
	warned  int    // skipped lines that were reported
}

// loggedRun is a line of the log, and its meaning.
type loggedRun struct {
	text  []byte
	entry runlog.Entry
	call  past.Seen // of a block or a question; empty if no transcript has it
}

// show prints the log. With --json, it prints on stderr that there is nothing to show, because stdout
// is data.
func (l *logging) show() error {
	found, err := l.first()
	if err != nil {
		return err
	}
	l.env.warnSkipped(l.dir, l.reader.Skipped()+l.reader.Unfinished())
	nothing := ""
	switch {
	case !found:
		nothing = l.env.noLog(l.dir)
	case l.shown == 0:
		nothing = "no such runs in " + l.env.tilde(runlog.Path(l.dir))
	case l.call != "":
		l.env.note("agent-hooks why HOOK --command TEXT says how to let a call pass; agent-hooks replay --save %s makes a test case of that call", l.call)
		return nil
	default:
		return nil
	}
	to := l.env.Stdout
	if l.flags.json {
		to = l.env.Stderr
	}
	_, err = fmt.Fprintln(to, nothing)
	return err
}

// read returns the selected lines that it has not read yet, and reports whether there is a log.
func (l *logging) read() (lines []loggedRun, found bool, err error) {
	err = l.reader.Read(func(line []byte, e runlog.Entry) error {
		if l.filter.Selects(e) {
			l.shown++
			lines = append(lines, loggedRun{text: bytes.Clone(line), entry: e})
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return lines, err == nil, err
}

// first prints the current content of the log, only the newest lines if there is a limit, and
// reports whether there is a log.
func (l *logging) first() (bool, error) {
	lines, found, err := l.read()
	if err == nil && l.shown == 0 && l.flags.hook != "" {
		err = checkName(l.filter, l.env.load(nil).Table)
	}
	if err != nil {
		return found, err
	}
	if limit := l.flags.limit; limit > 0 {
		lines = lines[max(0, len(lines)-limit):]
	}
	return found, l.print(lines)
}

// print prints lines, in one write.
func (l *logging) print(lines []loggedRun) error {
	if !l.flags.json {
		l.env.lookUp(lines)
		for _, line := range lines {
			l.call = cmp.Or(line.call.ID, l.call)
		}
		return l.env.print(l.text(lines, l.env.width(l.env.Stdout)))
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(term.LineJSON(json.RawMessage(line.text)) + "\n")
	}
	return l.env.print(b.String())
}

// follow prints the log and each new line.
func (l *logging) follow(ctx context.Context) error {
	found, err := l.first()
	if err != nil {
		return err
	}
	if !found {
		l.env.note("%s", l.env.noLog(l.dir))
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		l.env.warnSkipped(l.dir, l.reader.Skipped()-l.warned)
		l.warned = l.reader.Skipped()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		lines, _, err := l.read()
		if err == nil {
			err = l.print(lines)
		}
		if err != nil {
			return err
		}
	}
}

// maxSessions is the number of sessions, the newest, in whose transcripts blocks are looked up.
const maxSessions = 10

// lookUp adds what was blocked or asked about, as the agents' own transcripts have it: the log never
// contains it (D33).
func (env *Env) lookUp(lines []loggedRun) {
	named := func(e runlog.Entry) past.Logged { return past.Logged{Agent: e.Agent, Session: e.Session, Call: e.Call} }
	var calls []past.Logged
	sessions := map[string]bool{}
	for _, line := range slices.Backward(lines) {
		e := line.entry
		if e.Call == "" || e.Outcome != string(agenthooks.OutcomeDeny) && e.Outcome != string(agenthooks.OutcomeAsk) {
			continue
		}
		if len(sessions) < maxSessions || sessions[e.Session] {
			sessions[e.Session] = true
			calls = append(calls, named(e))
		}
	}
	if len(calls) == 0 {
		return
	}
	seen := past.LookUp(context.Background(), past.Options{Home: env.home(), Getenv: env.Getenv}, calls)
	for i, line := range lines {
		lines[i].call = seen[named(line.entry)]
	}
}

// text formats lines as a table, whose columns continue those of the lines before.
func (l *logging) text(lines []loggedRun, width int) string {
	const outcome = 1
	if len(lines) == 0 {
		return ""
	}
	t := term.Table{
		Titles: []string{"TIME", "OUTCOME", "HOOK", "EVENT", "AGENT", "FOLDER", "REASON"}, LastWidth: 24, Columns: &l.columns,
		Style: func(i, column int) string {
			if column != outcome {
				return ""
			}
			switch agenthooks.Outcome(lines[i].entry.Outcome) {
			case agenthooks.OutcomeDeny:
				return term.Red
			case agenthooks.OutcomeAllow:
				return term.Green
			case agenthooks.OutcomeAsk:
				return term.Bold
			case agenthooks.Failed, agenthooks.TimedOut, agenthooks.NotEnforced:
				return term.Yellow
			}
			return ""
		},
		Below: func(i int) string {
			if call := lines[i].call; call.ID != "" {
				return "call " + call.ID + ": " + call.Text
			}
			return ""
		},
	}
	for _, line := range lines {
		e := line.entry
		event, folder := e.Event, ""
		switch {
		case e.Tool != "" && e.Event == string(spec.PreToolCall):
			event = e.Tool
		case e.Tool != "":
			event += " " + e.Tool
		}
		if e.Project != "" {
			folder = l.env.tilde(e.Project)
		}
		t.Rows = append(t.Rows, []string{
			e.Time.Local().Format(time.DateTime), outcomeCell(e.Outcome, e.Gave), term.Cell(e.Hook), term.Cell(event), term.Cell(e.Agent), term.Cell(folder), causeText(e),
		})
	}
	return t.Text(width, l.env.style)
}

// outcomeCell describes a hook's decision and the other parts of its answer: "none", "changed
// input, added context", "allow, changed input".
func outcomeCell(outcome, gave string) string {
	var parts []string
	if outcome != string(agenthooks.OutcomeNone) || gave == "" {
		parts = append(parts, term.Cell(outcome))
	}
	for part := range strings.SplitSeq(gave, "+") {
		switch part {
		case "":
			continue
		case "input", "prompt", "output":
			part = "changed " + part
		case "context", "message":
			part = "added " + part
		case "stop":
			part = "stopped the agent"
		}
		parts = append(parts, term.Cell(part))
	}
	return strings.Join(parts, ", ")
}

// causeText describes why a hook failed, blocked or asked, and the effect.
func causeText(e runlog.Entry) string {
	text := cmp.Or(e.Cause, e.Reason)
	if text != "" {
		text = term.Cell(text)
	}
	if e.Would != "" && e.Would != "none" {
		text = strings.TrimSuffix("observed: would "+term.Cell(e.Would)+": "+text, ": ")
	}
	meant := map[string]string{"allow": "operation allowed", "deny": "blocked", "ask": "the user was asked"}[e.Decision]
	if e.Outcome == string(agenthooks.NotEnforced) {
		meant = "the agent cannot enforce it on this event"
	}
	return strings.TrimPrefix(strings.TrimSuffix(meant+": "+text, ": "), ": ")
}

// errNoStateDir means that there is no directory for the log.
var errNoStateDir = errors.New("no runs are logged: there is no place for a log, since neither XDG_STATE_HOME nor HOME is an absolute path")

// checkName returns a usage error if no line and no hook has the selected name.
func checkName(f *runlog.Filter, hooks discovery.Table) error {
	known, names := f.Known(hooks)
	if known {
		return nil
	}
	hint := shown.Hint("agent-hooks list shows the hooks, agent-hooks log --summary those that ran", "--hook %s", f.Hook, names)
	return usagef(hint, "log: there is no hook %q, and none in the log", f.Hook)
}

func (env *Env) warnSkipped(dir string, lines int) {
	if lines > 0 {
		env.warn("skipped %s of the log %s", term.Plural(lines, "malformed line"), term.Printable(runlog.Path(dir)))
	}
}

// noLog returns the message for a missing log.
func (env *Env) noLog(dir string) string {
	return "no runs logged yet in " + env.tilde(runlog.Path(dir)) + "; agent-hooks doctor says whether agents call your hooks"
}
