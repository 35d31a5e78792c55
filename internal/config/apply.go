package config

import (
	"fmt"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// Change is one setting in a hooks.toml that applies to a hook.
type Change struct {
	Key, Value string // "timeout", "5000 ms"
	Place      string // path:line
}

// String is "timeout 5000 ms (path:line)".
func (c Change) String() string { return fmt.Sprintf("%s %s (%s)", c.Key, c.Value, c.Place) }

// Apply applies the files' settings to h (D14). The user's file applies to every hook, the
// project's file only to the project's hooks. If both set the same key, the user's file takes
// precedence. An override takes precedence over the hook's HOOK.md; a default does not.
func (c Config) Apply(h *discovery.Hook) {
	if c.User == nil && c.Project == nil {
		return
	}
	if at := c.disabled(h); at != "" {
		h.State, h.Cause = discovery.Disabled, at
		return
	}
	s := c.settings(h)
	if s.timeout.file != nil {
		h.Timeout = s.timeout.value
	}
	if s.async.file != nil {
		h.Async = s.async.value
	}
	if s.priority.file != nil {
		h.Priority = s.priority.value
	}
	if s.onFailure.file != nil {
		h.OnFailure = s.onFailure.value
	}
	h.Observe = s.observe.value
}

// Changes lists the settings of the files for h, even those that do not change it.
func (c Config) Changes(h *discovery.Hook) []Change {
	var changes []Change
	s := c.settings(h)
	if f := s.timeout.file; f != nil {
		changes = append(changes, Change{"timeout", fmt.Sprintf("%d ms", s.timeout.value.Milliseconds()), f.at(s.timeout.line)})
	}
	if f := s.async.file; f != nil {
		changes = append(changes, Change{"async", fmt.Sprint(s.async.value), f.at(s.async.line)})
	}
	if f := s.priority.file; f != nil {
		changes = append(changes, Change{"priority", fmt.Sprint(s.priority.value), f.at(s.priority.line)})
	}
	if f := s.onFailure.file; f != nil {
		changes = append(changes, Change{"on-failure", string(s.onFailure.value), f.at(s.onFailure.line)})
	}
	if f := s.observe.file; f != nil && s.observe.value {
		changes = append(changes, Change{"observe", "true", f.at(s.observe.line)})
	}
	return changes
}

// concerning returns the files that apply to h, in order of precedence.
func (c Config) concerning(h *discovery.Hook) []*File {
	var files []*File
	if c.User != nil {
		files = append(files, c.User)
	}
	if c.Project != nil && h.Scope == discovery.ProjectScope {
		files = append(files, c.Project)
	}
	return files
}

// disabled returns the place where h is disabled, or "".
func (c Config) disabled(h *discovery.Hook) string {
	name := nameOf(h)
	for _, f := range c.concerning(h) {
		if f.enabled.line > 0 && !f.enabled.value {
			return f.at(f.enabled.line)
		}
		if line := f.disabled[name]; line > 0 {
			return f.at(line)
		}
	}
	return ""
}

// nameOf returns the name by which hooks replace each other. It is that of the folder, so that
// a malformed HOOK.md cannot change it (D6).
func nameOf(h *discovery.Hook) string { return norm.NFKC.String(h.Folder) }

// choice is the effective setting and its file; nil: no file has the setting.
type choice[T any] struct {
	setting[T]
	file *File
}

// offer uses a setting if none has been chosen yet.
func (c *choice[T]) offer(f *File, s setting[T]) {
	if c.file == nil && s.line > 0 {
		c.setting, c.file = s, f
	}
}

// settings are the combined settings of all files for one hook.
type settings struct {
	timeout   choice[time.Duration]
	async     choice[bool]
	priority  choice[int]
	onFailure choice[manifest.OnFailure]
	observe   choice[bool]
}

func (c Config) settings(h *discovery.Hook) (s settings) {
	files := c.concerning(h)
	if len(files) == 0 {
		return s
	}
	name := nameOf(h)
	for _, f := range files {
		if i, ok := f.overrides[name]; ok {
			s.override(f, f.override[i], h)
		}
	}
	for _, f := range files {
		if !h.TimeoutSet {
			s.timeout.offer(f, f.defaults.timeout)
		}
		if !h.AsyncSet {
			s.async.offer(f, f.defaults.async)
		}
		s.policy(f, f.defaults, h)
		s.observe.offer(f, f.observe)
	}
	return s
}

func (s *settings) override(f *File, e entry, h *discovery.Hook) {
	s.timeout.offer(f, e.timeout)
	s.async.offer(f, e.async)
	s.priority.offer(f, e.priority)
	s.policy(f, e, h)
	s.observe.offer(f, e.observe)
}

// policy offers an on-failure, which applies only to hooks that do not specify one (D12).
func (s *settings) policy(f *File, e entry, h *discovery.Hook) {
	if !h.OnFailureSet {
		s.onFailure.offer(f, e.onFailure)
	}
}
