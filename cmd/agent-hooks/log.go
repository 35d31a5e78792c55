package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/history"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// followEvery is the interval at which log --follow checks for new lines.
const followEvery = 200 * time.Millisecond

type logFlags struct {
	filterFlags
	limit        int
	follow, json bool
}

func (f *logFlags) declare(fs *flag.FlagSet) {
	f.filterFlags.declare(fs)
	declareCount(fs, &f.limit, "limit", "show the newest `N` runs; 0 means all")
	fs.BoolVar(&f.follow, "follow", false, "keep printing new runs")
	fs.BoolVar(&f.json, "json", false, "print the log's own lines, which are JSON")
}

// execute is `agent-hooks log`: the run log, newest last (D33).
func (flags logFlags) execute(env *Env, _ []string) (int, error) {
	filter, err := flags.filter("log")
	if err != nil {
		return 0, err
	}
	dir := env.state()
	if dir == "" {
		return 0, errNoStateDir
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
	env    *Env
	flags  logFlags
	filter *history.Filter
	dir    string
	reader *runlog.Reader
	shown  int // lines so far
	warned int // skipped lines that were reported
}

// show prints the log.
func (l *logging) show() error {
	out := bufio.NewWriter(l.env.Stdout)
	found, err := l.first(l.printer(out))
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return err
	}
	l.env.warnSkipped(l.dir, l.reader.Skipped()+l.reader.Unfinished())
	switch {
	case l.shown > 0:
		return nil
	case !found:
		return l.say(noLog(l.dir))
	}
	return l.say("no such runs in " + term.Printable(runlog.Path(l.dir)))
}

// say prints that there is nothing to show. With --json, it prints on stderr, because stdout is
// data.
func (l *logging) say(text string) error {
	to := l.env.Stdout
	if l.flags.json {
		to = l.env.Stderr
	}
	_, err := fmt.Fprintln(to, text)
	return err
}

// read passes each selected line that it has not read yet to add, and reports whether there is a
// log.
func (l *logging) read(add func(line []byte, e runlog.Entry) error) (bool, error) {
	return history.Read(l.reader, func(line []byte, e runlog.Entry) error {
		if !l.filter.Selects(e) {
			return nil
		}
		l.shown++
		return add(line, e)
	})
}

// first prints the current content of the log, only the newest lines if there is a limit, and
// reports whether there is a log.
func (l *logging) first(p logPrinter) (bool, error) {
	last := history.Newest{Limit: l.flags.limit}
	found, err := l.read(func(line []byte, e runlog.Entry) error {
		if last.Limit > 0 {
			last.Add(line, e)
			return nil
		}
		return p.add(line, e)
	})
	if err == nil && l.shown == 0 && l.flags.hook != "" {
		hooks := l.env.load(projectFlags{}, nil)
		err = checkName("log", l.filter, hooks.Table)
	}
	if err == nil {
		err = last.Each(p.add)
	}
	if err == nil {
		err = p.flush()
	}
	return found, err
}

// follow prints the log and each new line.
func (l *logging) follow(ctx context.Context) error {
	out := bufio.NewWriter(l.env.Stdout)
	p := l.printer(out)
	found, err := l.first(p)
	if err != nil {
		return err
	}
	if !found {
		l.env.note("%s", noLog(l.dir))
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if err := out.Flush(); err != nil {
			return err
		}
		l.env.warnSkipped(l.dir, l.reader.Skipped()-l.warned)
		l.warned = l.reader.Skipped()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if _, err := l.read(p.add); err != nil {
			return err
		}
		if err := p.flush(); err != nil {
			return err
		}
	}
}
