package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// The states of an agent's managed entry.
const (
	EntryPresent     = "present"
	EntryMissing     = "missing"
	EntryOutdated    = "outdated"
	EntryUntrusted   = "untrusted"   // others than root can change it, or the program that it calls
	EntryUnreadable  = "unreadable"  // users cannot read it, or run the program that it calls
	EntryUnsupported = "unsupported" // the agent has no managed settings here
)

// ManagedReport describes how an agent calls agent-hooks for managed hooks (D82).
type ManagedReport struct {
	Agent   string   `json:"agent"`
	Here    bool     `json:"installed"` // the agent was found on this machine
	Entry   string   `json:"entry"`
	Files   []string `json:"files"`             // with the entry
	Problem string   `json:"problem,omitempty"` // why it is untrusted or unreadable
	LockKey string   `json:"lock_key,omitempty"`
	Lock    string   `json:"lock"` // of the agent's own hooks, to managed ones: set, unset or none
	Ways    []string `json:"ways_around"`
}

// Broken reports whether an agent that is installed does not run the managed hooks although it could.
func (r ManagedReport) Broken() bool {
	return r.Entry == EntryUntrusted || r.Entry == EntryUnreadable || r.Entry == EntryOutdated || r.Entry == EntryMissing && r.Here
}

// Managed examines the agent's managed settings. It runs the agent's --version, on which the entry
// depends.
func (t Target) Managed(ctx context.Context) ManagedReport {
	if t.Program != "" {
		t.Version = t.VersionOf(ctx, t.Program)
	}
	r := ManagedReport{Agent: t.Name, Here: t.Found.Here(), Entry: EntryMissing, Files: []string{}, LockKey: t.Client.Managed.Lock, Lock: "none", Ways: slices.Clone(t.Client.Managed.Ways)}
	if !slices.ContainsFunc(t.Places, func(p Place) bool { return p.Scope() == managed }) || t.GOOS == "windows" {
		r.Entry, r.Ways = EntryUnsupported, []string{"the user can remove the user's entry, which runs the managed hooks"}
		return r
	}
	if r.LockKey != "" {
		r.Lock = "unset"
	}
	for _, pattern := range t.Client.Managed.LockIn {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if value, _ := settings.At(t.decoded(file, ""), strings.Split(r.LockKey, ".")...); value == true {
				r.Lock = "set"
			}
		}
	}
	entries := t.Installed(managed)
	if len(entries) == 0 {
		return r
	}
	r.Entry = EntryPresent
	program := entries[0].Words[0]
	for _, e := range entries {
		if !slices.Contains(r.Files, e.Path) {
			r.Files = append(r.Files, e.Path)
		}
	}
	if err := paths.CheckRoot(append(slices.Clone(r.Files), program)...); err != nil {
		r.Entry, r.Problem = EntryUntrusted, err.Error()
		return r
	}
	if err := errors.Join(paths.CheckReadable(r.Files...), paths.CheckRunnable(program)); err != nil {
		r.Entry, r.Problem = EntryUnreadable, err.Error()
		return r
	}
	changes, err := t.Install(Options{Scope: managed, Program: program, FailClosed: true, RequireHooks: HasManagedHooks()}, true)
	if err != nil || slices.ContainsFunc(changes, Change.Changed) {
		r.Entry = EntryOutdated
	}
	return r
}

// HasManagedHooks reports whether this machine has a folder in the directory of managed hooks.
func HasManagedHooks() bool {
	entries, err := os.ReadDir(place.ManagedHooks())
	return err != nil && !errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(entries, fs.DirEntry.IsDir)
}
