package config

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// Change is a value in a hooks.toml that applies to a hook.
type Change struct {
	Key, Value string // "timeout", "5000 ms"
	Position   string // path:line
}

// String returns the key, the value and their position, such as "timeout 5000 ms (path:line)".
func (c Change) String() string { return fmt.Sprintf("%s %s (%s)", c.Key, c.Value, c.Position) }

// ApplyManaged applies a managed file, if there is one, to a managed hook (D82): whatever sets no
// policy for failures denies.
func (c Config) ApplyManaged(h *discovery.Hook) {
	c.Apply(h)
	if _, f := effective(c.concerning(h), h, nameOf(h), "on-failure"); f == nil && !h.OnFailureSet {
		h.OnFailure = manifest.Deny
	}
}

// Apply applies the files to h (D14). The user's file applies to every hook, the
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
	files, name := c.concerning(h), nameOf(h)
	for _, key := range hookKeys {
		s, f := effective(files, h, name, key)
		if f == nil {
			continue
		}
		switch key {
		case "timeout":
			h.Timeout = s.value.(time.Duration)
		case "async":
			if h.Answer != nil { // an async hook could not decide (D77)
				continue
			}
			h.Async = s.value.(bool)
		case "priority":
			h.Priority = s.value.(int)
		case "on-failure":
			h.OnFailure = s.value.(manifest.OnFailure)
		case "observe":
			h.Observe = s.value.(bool)
		case "unless":
			h.Unless = slices.Concat(h.Unless, s.value.([]string)) // both apply (D95)
		}
	}
}

// Override returns the position of a hook's override in the user's file, "" if there is none, and
// whether it has exceptions.
func (c Config) Override(h *discovery.Hook) (at string, excepts bool) {
	if i, ok := c.user().overrides[nameOf(h)]; ok {
		e := c.User.override[i]
		_, excepts = e.values["unless"]
		return c.User.at(e.line), excepts
	}
	return "", false
}

// Changes lists the values in the files for h, even those that do not change it.
func (c Config) Changes(h *discovery.Hook) []Change {
	var changes []Change
	files, name := c.concerning(h), nameOf(h)
	for _, key := range hookKeys {
		s, f := effective(files, h, name, key)
		if f == nil || key == "observe" && s.value == false || key == "async" && h.Answer != nil {
			continue
		}
		value := fmt.Sprint(s.value)
		if timeout, ok := s.value.(time.Duration); ok {
			value = fmt.Sprintf("%d ms", timeout.Milliseconds())
		}
		if list, ok := s.value.([]string); ok {
			value = fmt.Sprintf("%q", list)
		}
		if i, ok := f.overrides[name]; ok && s.line == f.override[i].values[key].line {
			value += untilText(f.override[i])
		}
		changes = append(changes, Change{key, value, f.at(s.line)})
	}
	return changes
}

// pauses reports whether an entry of disable is a pause, which concerns only hooks of the user's (20.18).
func (f *File) pauses(e entry) bool {
	_, line := get[time.Time](e, "until")
	return line > 0 && f.Scope == discovery.UserScope
}

// untilText says until when an entry counts, after a space; "" if it has no end.
func untilText(e entry) string {
	until, line := get[time.Time](e, "until")
	if line == 0 {
		return ""
	}
	return " until " + until.Local().Format("2006-01-02 15:04")
}

// Paused lists the hooks that the file disables for a time, such as "no-publish until 2026-11-24 17:00".
func (f *File) Paused() (hooks []string) {
	if f == nil {
		return nil
	}
	for _, e := range f.disable {
		if text := untilText(e); text != "" {
			hooks = append(hooks, shown.Path(e.name)+text)
		}
	}
	return hooks
}

// hookKeys are the keys that configure a hook.
var hookKeys = [...]string{"timeout", "async", "priority", "on-failure", "observe", "unless"}

// effective returns the value that applies to a hook, and its file; nil if there is none. An
// on-failure applies only to hooks that do not specify one (D12).
func effective(files []*File, h *discovery.Hook, name, key string) (assignment, *File) {
	if key == "on-failure" && h.OnFailureSet {
		return assignment{}, nil
	}
	for _, f := range files {
		if i, ok := f.overrides[name]; ok {
			if s, ok := f.override[i].values[key]; ok {
				return s, f
			}
		}
	}
	if key == "timeout" && h.TimeoutSet || key == "async" && h.AsyncSet {
		return assignment{}, nil
	}
	for _, f := range files {
		from := &f.defaults
		if key == "observe" {
			from = &f.hooks
		}
		if s, ok := from.values[key]; ok {
			return s, f
		}
	}
	return assignment{}, nil
}

// concerning returns the files that apply to h, in order of precedence.
func (c Config) concerning(h *discovery.Hook) []*File {
	files := make([]*File, 0, 2)
	if c.User != nil {
		files = append(files, c.User)
	}
	if c.Project != nil && h.Scope == discovery.ProjectScope {
		files = append(files, c.Project)
	}
	return files
}

// disabled returns the position where h is disabled, or "".
func (c Config) disabled(h *discovery.Hook) string {
	name := nameOf(h)
	for _, f := range c.concerning(h) {
		if enabled, line := get[bool](f.hooks, "enabled"); line > 0 && !enabled {
			return f.at(line)
		}
		if e := f.disabled[name]; e.line > 0 && (h.Scope == discovery.UserScope || !f.pauses(e)) {
			return f.at(e.line) + untilText(e)
		}
	}
	return ""
}

// nameOf returns the name by which hooks replace each other: the folder's, so that a malformed
// HOOK.md cannot change it (D6).
func nameOf(h *discovery.Hook) string { return norm.NFKC.String(h.Folder) }
