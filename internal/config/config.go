// Package config reads hooks.toml, the optional file beside a hooks directory
// (D14), and says what the files of a user and of a project change about a
// hook. It decides nothing else: it does not find the files' folders, knows no
// store of reviewed copies, and does not order or replace hooks.
//
// A project's file is written by whoever wrote the repository, so it concerns
// the project's hooks alone. A user's file that cannot be understood is taken
// for the strictest one: what it might have protected stays protected.
package config

import (
	"strconv"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Name is the name of the file, beside the hooks directory.
const Name = "hooks.toml"

// File is what one hooks.toml says. A nil File says nothing.
type File struct {
	Path        string // absolute
	Scope       discovery.Scope
	Diagnostics []spec.Diagnostic // everything wrong with it, sorted; none is fatal to a run

	enabled      setting[bool]
	requireTrust bool
	protectAll   bool // what protect says cannot be known
	observe      setting[bool]
	stopLimit    setting[int]
	protect      []entry
	disable      []entry
	override     []entry
	defaults     entry
	disabled     map[string]int // by name, the first line that disables it
	overrides    map[string]int // by name, the index in override
	recording    recording
	blank        bool // it says nothing at all
}

// setting is a value and the line on which it stands; line 0: not set.
type setting[T any] struct {
	value T
	line  int
}

// entry is what one part of the file says about the hook of a name, as NFKC.
type entry struct {
	name      string
	line      int
	timeout   setting[time.Duration]
	async     setting[bool]
	priority  setting[int]
	onFailure setting[manifest.OnFailure]
	observe   setting[bool]
}

// Config is what both scopes' files say; either may be nil.
type Config struct{ User, Project *File }

// RequireTrust reports whether the user's file asks for reviewed project hooks
// only (D40), or cannot be understood where it might. Whoever requires trust
// must leave Project nil: nobody has reviewed that file.
func (c Config) RequireTrust() bool { return c.User != nil && c.User.requireTrust }

// Protected reports whether the user's file says that no project may replace
// the user's hook of that name (D6), or cannot be understood where it might.
// name is in NFKC.
func (c Config) Protected(name string) bool {
	if c.User == nil {
		return false
	}
	for _, e := range c.User.protect {
		if e.name == name {
			return true
		}
	}
	return c.User.protectAll
}

// StopLimit returns how many times in a row a hook may keep an agent working
// (D30): what the user's file says, else spec.DefaultStopLimit.
func (c Config) StopLimit() int {
	if c.User == nil || c.User.stopLimit.line == 0 {
		return spec.DefaultStopLimit
	}
	return c.User.stopLimit.value
}

// OnFailure returns the user's policy for failures that no hook's own policy
// covers: [hooks.defaults] on-failure, else allow (D12).
func (c Config) OnFailure() manifest.OnFailure {
	if c.User == nil || c.User.defaults.onFailure.line == 0 {
		return manifest.Allow
	}
	return c.User.defaults.onFailure.value
}

// PolicyOf returns what the files say of the failures of a hook that does not
// say it itself: its own override, else the default, else allow (D12).
func (c Config) PolicyOf(h *discovery.Hook) manifest.OnFailure {
	if s := c.settings(h); s.onFailure.file != nil {
		return s.onFailure.value
	}
	return manifest.Allow
}

// Blank reports whether the file has no settings, and no problems either.
func (f *File) Blank() bool { return f == nil || f.blank && len(f.Diagnostics) == 0 }

// at spells a line of the file, for a message.
func (f *File) at(line int) string { return shown.Path(f.Path) + ":" + strconv.Itoa(line) }
