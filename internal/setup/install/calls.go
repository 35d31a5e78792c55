package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

// idle is how long an agent may be used without an event of which its entries tell agent-hooks.
const idle = 10 * time.Minute

// calling reports when the agent called last, and what suggests that it no longer does (D150).
func (t Target) calling(r *Report, x Examination) {
	call, called := state.Call{}, false
	if x.LastCall != nil {
		call, called = x.LastCall(t.Agent.Name)
	}
	if called {
		r.LastCalled, r.CalledBy = &call.Time, FindVersion(strings.ReplaceAll(call.Version, "-", "."))
	}
	if r.LastFired != nil && r.LastFired.After(call.Time) {
		call.Time = *r.LastFired
	}
	fix := "agent-hooks doctor --live " + t.Name
	if r.Entries == 0 {
		fix = t.installLine("user")
	}
	by, when := t.Title, func(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }
	if r.CalledBy != "" {
		by += " " + r.CalledBy
	}
	if called {
		r.say(OK, "", "last called by %s on %s", by, when(call.Time))
	}
	since, used := call.Time, t.lastUse()
	if since.IsZero() { // it never called
		since = newest(t.files()...)
	}
	switch {
	case since.IsZero() || t.Name != t.Agent.Name:
	case used.After(since.Add(idle)):
		r.say(Warning, fix, "%s was used on %s, and has not called agent-hooks since", t.Title, when(used))
	case !called:
	case r.CalledBy != "" && t.Version != "":
		if olderVersion(r.CalledBy, t.Version) {
			r.say(Warning, fix, "%s %s has not called agent-hooks yet", t.Title, FindVersion(t.Version))
		}
	case t.Program != "" && newest(t.Program).After(call.Time.Add(idle)):
		r.say(Warning, fix, "%s is newer than its last call of agent-hooks", t.Program)
	}
}

// Left returns what is left of the entries that only a person can remove; "" if there is nothing, or
// there are entries.
func (t Target) Left() string {
	if t.Setup.Left == nil || len(t.AllInstalled()) > 0 {
		return ""
	}
	return t.Setup.Left(t.machine(context.Background(), t.Project))
}

// files returns the files with entries.
func (t Target) files() (files []string) {
	for _, e := range t.AllInstalled() {
		files = append(files, e.Path)
	}
	return files
}

// newest returns when the newest of some files was changed; a link and its target count.
func newest(files ...string) (last time.Time) {
	for _, file := range files {
		for _, look := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
			if info, err := look(file); err == nil && info.ModTime().After(last) {
				last = info.ModTime()
			}
		}
	}
	return last
}

// maxTraces limits the files that are looked at.
const maxTraces = 50_000

// lastUse returns when the agent last wrote a file of a session; zero if that is not known.
func (t Target) lastUse() (last time.Time) {
	n := 0
	for _, trace := range t.Traces {
		files, _ := filepath.Glob(t.Expand(trace.Path, trace.Home))
		for _, file := range files {
			_ = filepath.WalkDir(file, func(_ string, e fs.DirEntry, err error) error {
				n++
				if n > maxTraces {
					return filepath.SkipAll
				}
				if err != nil || !e.Type().IsRegular() {
					return nil
				}
				if info, err := e.Info(); err == nil && info.ModTime().After(last) {
					last = info.ModTime()
				}
				return nil
			})
		}
	}
	return last
}
