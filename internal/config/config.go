// Package config reads hooks.toml, the optional file next to a hooks directory (D14), and
// applies the user's and the project's files to hooks. It does not find the files' folders,
// does not use the trust store, and does not order or replace hooks.
//
// A project's file comes from the repository, so it applies only to the project's hooks. A
// user's file that cannot be parsed is treated as the strictest possible one: everything that
// it might protect is protected.
package config

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Name is the name of the file, next to the hooks directory.
const Name = "hooks.toml"

// File is one hooks.toml. A nil File is an empty one.
type File struct {
	Path        string // absolute
	Scope       discovery.Scope
	Diagnostics []spec.Diagnostic // all of them, sorted; none is fatal to a run

	hooks        entry // [hooks] itself
	requireTrust bool
	onlyManaged  bool // only in the managed file
	protectAll   bool // the value of protect is unknown
	protect      []entry
	environment  []string // names of variables
	disable      []entry
	override     []entry
	defaults     entry
	policy       Policy
	hint         string            // how to install the program
	tools        map[string]string // by a tool's name, the canonical tool that it is
	quiet        bool              // the run log gets no reasons (D90)
	judge        *Judge            // nil if there is none (D79)
	disabled     map[string]entry  // by name, the first entry that disables it
	overrides    map[string]int    // by name, the index in override
	expires      time.Time         // the first until that has not passed; zero if there is none
	blank        bool              // it has no keys that concern a run
	unusable     bool              // no part of it applies
}

// assignment is a valid value of a key: a bool, int, string, []string, time.Duration or manifest.OnFailure.
type assignment struct {
	value any
	line  int
}

// entry contains the values in one part of the file.
type entry struct {
	name   string // name of the hook, in NFKC
	line   int    // of the name
	at     int    // offset of the entry
	values map[string]assignment
}

// get returns the value of a key and its line; line 0: it is not set.
func get[T any](e entry, key string) (value T, line int) {
	s := e.values[key]
	value, _ = s.value.(T)
	return value, s.line
}

// Config contains the files of both scopes; either may be nil. Managed hooks have a Config of
// their own, whose User is the managed file (D82).
type Config struct{ User, Project *File }

// user returns the user's file; an empty one if there is none.
func (c Config) user() *File {
	if c.User == nil {
		return &File{}
	}
	return c.User
}

// RequireTrust reports whether the user's file requires that project hooks are reviewed (D40),
// or might require it but cannot be parsed. Callers that require trust must leave Project nil,
// because that file has not been reviewed.
func (c Config) RequireTrust() bool { return c.user().requireTrust }

// OnlyManaged reports whether the managed file turns the other scopes off, or might do so but
// cannot be parsed (D82).
func (c Config) OnlyManaged() bool { return c.user().onlyManaged }

// Protected reports whether the user's file forbids projects to replace the user's hook with
// that name (D6), or might forbid it but cannot be parsed. name is in NFKC.
func (c Config) Protected(name string) bool {
	f := c.user()
	return f.protectAll || slices.ContainsFunc(f.protect, func(e entry) bool { return e.name == name })
}

// Environment returns the names of the variables that the user's file passes on to hooks
// untested (D89).
func (c Config) Environment() []string { return c.user().environment }

// StopLimit returns how many times in a row a hook may keep an agent working (D30): the value
// in the user's file, or spec.DefaultStopLimit.
func (c Config) StopLimit() int {
	limit, _ := get[int](c.user().hooks, "stop-limit")
	return cmp.Or(limit, spec.DefaultStopLimit)
}

// OnFailure returns the user's policy for failures that no hook's own policy covers:
// [hooks.defaults] on-failure, or allow (D12).
func (c Config) OnFailure() manifest.OnFailure { return cmp.Or(c.defaultPolicy(), manifest.Allow) }

// ManagedOnFailure returns the policy for failures that no managed hook's own policy covers:
// [hooks.defaults] on-failure of the managed file, or deny (D82).
func (c Config) ManagedOnFailure() manifest.OnFailure {
	return cmp.Or(c.defaultPolicy(), manifest.Deny)
}

func (c Config) defaultPolicy() manifest.OnFailure {
	policy, _ := get[manifest.OnFailure](c.user().defaults, "on-failure")
	return policy
}

// PolicyOf returns the files' failure policy for a hook without its own: its override,
// otherwise the default, otherwise allow (D12).
func (c Config) PolicyOf(h *discovery.Hook) manifest.OnFailure {
	if s, f := effective(c.concerning(h), h, nameOf(h), "on-failure"); f != nil {
		return s.value.(manifest.OnFailure)
	}
	return manifest.Allow
}

// Tools returns the tools that the user's file declares: for a tool's name, the canonical tool
// that it is (D87).
func (c Config) Tools() map[string]string { return c.user().tools }

// Unusable returns why no part of the file applies; nil if at least a part can be used.
func (f *File) Unusable() error {
	if f == nil || !f.unusable {
		return nil
	}
	return errors.New(f.Diagnostics[0].String())
}

// Expires returns when a part of the file ends to apply; the zero time if none does (20.18).
func (f *File) Expires() time.Time {
	if f == nil {
		return time.Time{}
	}
	return f.expires
}

// Blank reports whether the file has no keys that concern a run, and no problems either.
func (f *File) Blank() bool { return f == nil || f.blank && len(f.Diagnostics) == 0 }

// at formats a line of the file for a message.
func (f *File) at(line int) string { return shown.Path(f.Path) + ":" + strconv.Itoa(line) }
