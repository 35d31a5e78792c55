package main

import (
	"flag"
	"path/filepath"
	"time"
)

type replayFlags struct {
	pastFlags
	hook string
	json bool
}

func (f *replayFlags) declare(fs *flag.FlagSet) {
	f.pastFlags.declare(fs)
	fs.StringVar(&f.hook, "hook", "", "run only `HOOK`")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

func (f replayFlags) check() error {
	if f.save != "" && f.json {
		return usagef("agent-hooks help replay", "replay: --save and --json exclude each other")
	}
	return f.pastFlags.check()
}

// projectDir returns --project as an absolute path; "" if it is not set.
func (env *Env) projectDir() string {
	if env.project == "" {
		return ""
	}
	return filepath.Clean(env.absolute(env.project))
}

const (
	firstProgress = 2 * time.Second // short replays show no progress
	everyProgress = 5 * time.Second // where lines cannot be overwritten
)

// progressEvery returns the interval at which progress is checked.
func (env *Env) progressEvery() time.Duration {
	if env.escapes(env.Stderr) {
		return 100 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// progress prints how far a replay is on stderr: in a temporary line if the terminal supports it,
// otherwise in a new line from time to time.
type progress struct {
	line         statusLine
	began, noted time.Time
}

func (env *Env) newProgress() progress {
	return progress{line: statusLine{env: env, out: env.Stderr}, began: time.Now()}
}

func (p *progress) print(text string) {
	if p.line.supported() {
		p.line.show(text)
	} else if time.Since(p.began) >= firstProgress && time.Since(p.noted) >= everyProgress {
		p.noted = time.Now()
		p.line.env.note("%s", text)
	}
}
