package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Parse parses the bytes of a hooks.toml. It reports and ignores invalid parts, and uses the
// rest. It never panics.
func Parse(source []byte, path string, scope discovery.Scope) *File {
	text := string(bytes.TrimPrefix(source, []byte("\ufeff")))
	r := &reader{file: &File{Path: path, Scope: scope}, outline: scan("")}
	switch {
	case len(source) > spec.MaxConfigFile:
		r.unusable(fmt.Sprintf("more than %d bytes", spec.MaxConfigFile))
	case !utf8.ValidString(text):
		r.unusable("not valid UTF-8")
	default:
		r.parse(text)
	}
	spec.SortDiagnostics(r.file.Diagnostics)
	return r.file
}

// reader converts the parsed text to a File.
type reader struct {
	file    *File
	outline *outline
}

func (r *reader) parse(text string) {
	r.outline = scan(text)
	if r.outline.problem != "" {
		r.syntax(r.outline.problemAt, r.outline.problem)
		return
	}
	document, err := decode(text)
	var bad toml.ParseError
	switch {
	case errors.As(err, &bad):
		r.syntax(bad.Position.Start, strings.TrimSuffix(bad.Message, "."))
	case err != nil:
		r.unusable(r.shown(err.Error(), "cannot be parsed"))
	default:
		r.document(document)
	}
}

// decode parses untrusted text: a panic in the parser must not end the run, and with it every
// guard.
func decode(text string) (document map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot be parsed: %v", p)
		}
	}()
	_, err = toml.Decode(text, &document)
	return document, err
}

// syntax reports why the text cannot be parsed from an offset on.
func (r *reader) syntax(offset int, message string) {
	message = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '\ufffd'
		}
		return c
	}, message)
	r.report("config-file", offset, r.shown(message, "not TOML from here on")+r.beStrict())
}

// unusable reports that no part of the file can be used.
func (r *reader) unusable(message string) {
	r.add(r.diagnostic("config-file", message+r.beStrict()))
}

// beStrict makes a user's file as strict as it might be, and returns the end of a message about
// it. A project's file has no such settings.
func (r *reader) beStrict() string {
	if r.file.Scope != discovery.UserScope {
		return ""
	}
	r.file.requireTrust, r.file.protectAll = true, true
	return " (until this is fixed, project hooks need trust and replace none of yours)"
}

func (r *reader) diagnostic(code, message string) spec.Diagnostic {
	return spec.Diagnostic{Path: r.file.Path, Severity: spec.Error, Code: code, Message: message}
}

// mostProblems is the maximum number of diagnostics per file, because each run prints them.
const mostProblems = 50

func (r *reader) add(d spec.Diagnostic) {
	if len(r.file.Diagnostics) == mostProblems {
		return
	}
	if r.mayQuote() {
		d.Source = r.outline.line(d.Line)
	}
	r.file.Diagnostics = append(r.file.Diagnostics, d)
}

// mayQuote reports whether messages may show parts of the file: only of the user's own. A
// repository could make the project's file a link to any file.
func (r *reader) mayQuote() bool { return r.file.Scope == discovery.UserScope }

// shown returns a part of the file, or otherwise if it may not be shown.
func (r *reader) shown(part, otherwise string) string {
	if r.mayQuote() {
		return part
	}
	return otherwise
}

func (r *reader) report(code string, offset int, message string) {
	if len(r.file.Diagnostics) == mostProblems {
		return // do not compute the position
	}
	d := r.diagnostic(code, message)
	d.Line, d.Column = r.outline.place(offset)
	r.add(d)
}

// bad reports a value of the wrong type or out of range.
func (r *reader) bad(path, key string, value any, want string) {
	r.report("config-value", r.outline.values[path], fmt.Sprintf("%s is %s; %s", key, r.describe(value), want))
}

// unknown reports a key that its table does not have.
func (r *reader) unknown(path, key string, known []string) {
	hint := "the keys here are " + strings.Join(known, ", ")
	if near, ok := near.Word(key, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	strict := ""
	if _, near := near.Word(key, []string{"protect", "require-trust"}); near || !strings.Contains(path, "\x00") {
		// It may be a misspelled key that restricts projects.
		strict = r.beStrict()
	}
	r.report("config-key", r.outline.keys[path], fmt.Sprintf("%s; %s%s", r.shown("unknown key "+shown.Quote(key), "unknown key"), hint, strict))
}

// table reads a table, and calls the reader of each known key with its value.
func (r *reader) table(path, name string, value any, keys map[string]func(path string, value any)) {
	table, ok := value.(map[string]any)
	if !ok {
		r.bad(path, name, value, "write a table")
		return
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := join(path, key)
		if read := keys[key]; read != nil {
			read(at, table[key])
		} else {
			r.unknown(at, key, slices.Sorted(maps.Keys(keys)))
		}
	}
}

func (r *reader) document(document map[string]any) {
	r.file.blank = len(document) == 0
	r.table("", "the file", document, map[string]func(string, any){"hooks": r.hooks, "record": r.record})
}

func (r *reader) hooks(path string, value any) {
	if _, ok := value.(map[string]any); !ok {
		r.bad(path, "hooks", value, "write a table, as [hooks]"+r.beStrict())
		return
	}
	r.table(path, "hooks", value, map[string]func(string, any){
		"enabled":       func(path string, v any) { r.file.enabled = boolean(r, path, "enabled", v) },
		"protect":       r.protect,
		"require-trust": r.trust,
		"stop-limit":    r.stopLimit,
		"observe":       func(path string, v any) { r.file.observe = r.observe(path, v) },
		"defaults":      r.defaults,
		"disable":       r.disable,
		"override":      r.override,
	})
}

// usersOnly reports a key that a project's file must not have.
func (r *reader) usersOnly(path, key string) bool {
	if r.file.Scope == discovery.UserScope {
		return true
	}
	r.report("config-key", r.outline.keys[path], fmt.Sprintf("%q is ignored in a project's file; only the user's file can set it", key))
	return false
}

func (r *reader) protect(path string, value any) {
	if !r.usersOnly(path, "protect") {
		return
	}
	names, ok := value.([]any)
	if !ok {
		r.bad(path, "protect", value, "a list of names"+r.beStrict())
		return
	}
	for i, value := range names {
		at := join(path, strconv.Itoa(i))
		if name, ok := value.(string); ok && name != "" {
			line := r.outline.lineOf(r.outline.values[at])
			r.file.protect = append(r.file.protect, entry{name: norm.NFKC.String(name), line: line})
			continue
		}
		r.bad(at, "a name in protect", value, "the name of a hook"+r.beStrict())
	}
}

func (r *reader) trust(path string, value any) {
	if !r.usersOnly(path, "require-trust") {
		return
	}
	on, ok := value.(bool)
	if !ok {
		r.bad(path, "require-trust", value, "true or false"+r.beStrict())
		return
	}
	r.file.requireTrust = r.file.requireTrust || on
}

func (r *reader) stopLimit(path string, value any) {
	if r.usersOnly(path, "stop-limit") {
		r.file.stopLimit = integer(r, path, "stop-limit", value, 1, spec.MaxStopLimit)
	}
}

// observe reads the setting that disables a hook's effects, which only the user may set (D76).
func (r *reader) observe(path string, value any) setting[bool] {
	if !r.usersOnly(path, "observe") {
		return setting[bool]{}
	}
	return boolean(r, path, "observe", value)
}

func (r *reader) defaults(path string, value any) {
	e := &r.file.defaults
	r.table(path, "defaults", value, map[string]func(string, any){
		"timeout":    func(path string, v any) { e.timeout = timeout(r, path, v) },
		"async":      func(path string, v any) { e.async = boolean(r, path, "async", v) },
		"on-failure": func(path string, v any) { e.onFailure = onFailure(r, path, v) },
	})
}

func (r *reader) disable(path string, value any) {
	r.file.disabled = map[string]int{}
	for i, value := range r.elements(path, "disable", value) {
		e, at := entry{}, join(path, strconv.Itoa(i))
		r.table(at, "disable", value, map[string]func(string, any){"name": r.name(&e)})
		if r.named(at, "disable", value) && e.name != "" {
			r.file.disable = append(r.file.disable, e)
			if r.file.disabled[e.name] == 0 {
				r.file.disabled[e.name] = e.line
			}
		}
	}
}

func (r *reader) override(path string, value any) {
	r.file.overrides = map[string]int{}
	for i, value := range r.elements(path, "override", value) {
		e, at := entry{}, join(path, strconv.Itoa(i))
		r.table(at, "override", value, map[string]func(string, any){
			"name":       r.name(&e),
			"timeout":    func(path string, v any) { e.timeout = timeout(r, path, v) },
			"async":      func(path string, v any) { e.async = boolean(r, path, "async", v) },
			"priority":   func(path string, v any) { e.priority = integer(r, path, "priority", v, 0, spec.MaxPriority) },
			"on-failure": func(path string, v any) { e.onFailure = onFailure(r, path, v) },
			"observe":    func(path string, v any) { e.observe = r.observe(path, v) },
		})
		switch first, twice := r.file.overrides[e.name]; {
		case !r.named(at, "override", value) || e.name == "":
		case twice:
			r.report("config-value", r.outline.keys[at], fmt.Sprintf("a second override of %s, which is ignored; merge it with the one on line %d", r.shown(shown.Quote(e.name), "this hook"), r.file.override[first].line))
		default:
			r.file.overrides[e.name] = len(r.file.override)
			r.file.override = append(r.file.override, e)
		}
	}
}

// elements returns the tables of an array, for which the parser has two types.
func (r *reader) elements(path, key string, value any) []any {
	switch list := value.(type) {
	case []any:
		return list
	case []map[string]any:
		all := make([]any, len(list))
		for i, table := range list {
			all[i] = table
		}
		return all
	}
	r.bad(path, key, value, fmt.Sprintf("write [[hooks.%s]]", key))
	return nil
}

func (r *reader) name(e *entry) func(string, any) {
	return func(path string, value any) {
		name, ok := value.(string)
		if !ok || name == "" {
			r.bad(path, "name", value, "the name of a hook")
			return
		}
		e.name = norm.NFKC.String(name)
		e.line = r.outline.lineOf(r.outline.keys[path])
	}
}

// named reports an element without a name.
func (r *reader) named(path, key string, value any) bool {
	table, ok := value.(map[string]any)
	if _, has := table["name"]; ok && !has {
		r.report("config-key", r.outline.keys[path], fmt.Sprintf("no key \"name\"; which hook does this [[hooks.%s]] concern?", key))
		return false
	}
	return ok
}

func boolean(r *reader, path, key string, value any) setting[bool] {
	on, ok := value.(bool)
	if !ok {
		r.bad(path, key, value, "true or false")
		return setting[bool]{}
	}
	return set(r, path, on)
}

func timeout(r *reader, path string, value any) setting[time.Duration] {
	low, high := spec.MinTimeout.Milliseconds(), spec.MaxTimeout.Milliseconds()
	ms, ok := value.(int64)
	if !ok || ms < low || ms > high {
		r.bad(path, "timeout (milliseconds)", value, fmt.Sprintf("an integer from %d to %d", low, high))
		return setting[time.Duration]{}
	}
	return set(r, path, time.Duration(ms)*time.Millisecond)
}

func integer(r *reader, path, key string, value any, low, high int) setting[int] {
	n, ok := value.(int64)
	if !ok || n < int64(low) || n > int64(high) {
		r.bad(path, key, value, fmt.Sprintf("an integer from %d to %d", low, high))
		return setting[int]{}
	}
	return set(r, path, int(n))
}

// onFailure reads a policy. An invalid value counts as ask, as in a HOOK.md (D12).
func onFailure(r *reader, path string, value any) setting[manifest.OnFailure] {
	text, _ := value.(string)
	switch policy := manifest.OnFailure(text); policy {
	case manifest.Allow, manifest.Deny, manifest.Ask:
		return set(r, path, policy)
	}
	r.bad(path, "on-failure", value, "allow, deny or ask (until then it counts as ask)")
	return set(r, path, manifest.Ask)
}

func set[T any](r *reader, path string, value T) setting[T] {
	return setting[T]{value, r.outline.lineOf(r.outline.keys[path])}
}

// describe describes a value in a message.
func (r *reader) describe(value any) string {
	switch v := value.(type) {
	case string:
		return r.shown("the string "+shown.Quote(v), "a string")
	case bool:
		return r.shown(fmt.Sprintf("the boolean %t", v), "a boolean")
	case int64, float64:
		return r.shown(fmt.Sprintf("the number %v", v), "a number")
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	}
	return "a list"
}
