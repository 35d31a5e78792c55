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

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Parse parses the bytes of a hooks.toml. It reports and ignores invalid parts, and uses the
// rest. It never panics.
func Parse(source []byte, path string, scope discovery.Scope) *File {
	text := bytes.TrimPrefix(source, []byte("\ufeff"))
	r := newReader(path, scope, text)
	switch {
	case len(source) > spec.MaxConfigFile:
		r.unusable(fmt.Sprintf("more than %d bytes", spec.MaxConfigFile))
	case !utf8.Valid(text):
		r.unusable("not valid UTF-8")
	default:
		r.parse(text)
	}
	spec.SortDiagnostics(r.file.Diagnostics)
	return r.file
}

// reader converts the parsed text to a File.
type reader struct {
	file   *File
	root   *tree.Node
	cursor *tree.Cursor
}

func newReader(path string, scope discovery.Scope, text []byte) *reader {
	return &reader{file: &File{Path: path, Scope: scope}, cursor: tree.NewCursor(text)}
}

func (r *reader) parse(text []byte) {
	root, err := tree.ReadTOML(text)
	var bad *tree.TOMLError
	switch {
	case errors.As(err, &bad):
		message := strings.Map(func(c rune) rune {
			if !unicode.IsPrint(c) {
				return '\ufffd'
			}
			return c
		}, bad.Message)
		r.report("config-file", bad.Offset, r.shown(message, "not TOML from here on")+r.beStrict())
		r.refuse()
	case err != nil:
		r.unusable(r.shown(err.Error(), "cannot be parsed"))
	default:
		r.root = root
		r.file.blank = !slices.ContainsFunc(root.Children, func(n *tree.Node) bool { return n.Key != "policy" && n.Key != "install" })
		r.table(root, "the file", readers{"hooks": r.hooks, "log": r.log, "tools": r.tools, "judge": r.judgeProgram, "policy": r.policy, "install": r.install})
	}
}

// unusable reports that no part of the file can be used.
func (r *reader) unusable(message string) {
	r.file.Diagnostics = append(r.file.Diagnostics, r.diagnostic("config-file", message+r.beStrict()))
	r.refuse()
}

// refuse marks the file as not used, and sets the policy for failures of a
// user's file, which may have said deny.
func (r *reader) refuse() {
	r.file.unusable = true
	if r.file.Scope == discovery.UserScope {
		r.file.defaults = entry{values: map[string]assignment{"on-failure": {manifest.Ask, 1}}}
	}
}

// beStrict turns on the restrictions that a user's file may contain, and returns the end of a
// message about this. For a project's file, which cannot contain them, it returns "".
func (r *reader) beStrict() string {
	switch r.file.Scope {
	case discovery.ProjectScope:
		return ""
	case discovery.ManagedScope:
		r.file.onlyManaged = true
		return " (until this is fixed, only managed hooks run)"
	}
	r.file.requireTrust, r.file.protectAll, r.file.quiet = true, true, true
	return " (until this is fixed, project hooks need trust and replace none of yours)"
}

func (r *reader) diagnostic(code, message string) spec.Diagnostic {
	return spec.Diagnostic{Path: r.file.Path, Severity: spec.Error, Code: code, Message: message}
}

// maxProblems is the maximum number of diagnostics per file, because each run prints them.
const maxProblems = 50

// mayQuote reports whether messages may show parts of the file. They must not show a project's
// file, because a repository could make it a link to any file.
func (r *reader) mayQuote() bool { return r.file.Scope != discovery.ProjectScope }

// shown returns a part of the file, or otherwise if it may not be shown.
func (r *reader) shown(part, otherwise string) string {
	if r.mayQuote() {
		return part
	}
	return otherwise
}

func (r *reader) report(code string, offset int, message string) {
	if len(r.file.Diagnostics) == maxProblems {
		return
	}
	d := r.diagnostic(code, message)
	var source string
	d.Line, d.Column, source = r.cursor.Position(offset)
	if r.mayQuote() {
		d.Source = source
	}
	r.file.Diagnostics = append(r.file.Diagnostics, d)
}

// line returns the line of an offset.
func (r *reader) line(offset int) int {
	line, _, _ := r.cursor.Position(offset)
	return line
}

// bad reports a value of the wrong type or out of range.
func (r *reader) bad(n *tree.Node, key, want string) {
	r.report("config-value", n.Start, fmt.Sprintf("%s is %s; %s", key, r.describe(n), want))
}

// unknown reports a member of a table that the table does not have.
func (r *reader) unknown(table, member *tree.Node, known []string) {
	key := member.Key
	hint := shown.Hint("the keys here are "+strings.Join(known, ", "), "%q", key, known)
	strict := ""
	if _, near := shown.Near(key, []string{"protect", "require-trust", "only-managed"}); near || table == r.root {
		// It may be a misspelled key that restricts projects.
		strict = r.beStrict()
	}
	r.report("config-key", member.Begin, fmt.Sprintf("%s; %s%s", r.shown("unknown key "+shown.Quote(key), "unknown key"), hint, strict))
}

// readers read the values of a table's keys.
type readers map[string]func(*tree.Node)

// table reads a table.
func (r *reader) table(n *tree.Node, name string, keys readers) {
	if n.Tag != tree.Mapping {
		r.bad(n, name, "write a table")
		return
	}
	for _, member := range n.Children {
		if read := keys[member.Key]; read != nil {
			read(member)
		} else {
			r.unknown(n, member, slices.Sorted(maps.Keys(keys)))
		}
	}
}

func (r *reader) hooks(n *tree.Node) {
	if n.Tag != tree.Mapping {
		r.bad(n, "hooks", "write a table, as [hooks]"+r.beStrict())
		return
	}
	keys := r.reading(&r.file.hooks, "enabled", "stop-limit", "observe")
	keys["protect"] = r.protect
	keys["only-managed"] = func(n *tree.Node) { // (D82)
		if r.file.Scope == discovery.ManagedScope {
			r.restrict(n, &r.file.onlyManaged)
		} else {
			r.report("config-key", n.Begin, `"only-managed" is ignored here; only the managed file can set it`)
		}
	}
	keys["require-trust"] = func(n *tree.Node) {
		if r.notManaged(n, "require-trust") {
			r.restrict(n, &r.file.requireTrust)
		}
	}
	keys["defaults"] = func(n *tree.Node) {
		r.table(n, "defaults", r.reading(&r.file.defaults, "timeout", "async", "on-failure"))
	}
	keys["debug"] = func(n *tree.Node) { r.boolean("debug", n) } // of the original format; without an effect here
	keys["disable"], keys["override"] = r.disable, r.override
	keys["environment"] = r.environment
	r.table(n, "hooks", keys)
}

// tools reads the tools that the user declares.
func (r *reader) tools(n *tree.Node) {
	if !r.usersOnly(n, "tools") {
		return
	}
	if n.Tag != tree.Mapping {
		r.bad(n, "tools", "write a table, as [tools]")
		return
	}
	r.file.tools = map[string]string{}
	for _, value := range n.Children {
		name, _ := stringOf(value)
		if tool, ok := spec.CanonicalTool(name); ok {
			r.file.tools[value.Key] = tool
			continue
		}
		r.bad(value, shown.Quote(value.Key), "the name of a tool that every agent has, such as \"Shell\" or \"EditFile\"")
	}
}

// reading returns the readers of keys whose valid values are stored in e.
func (r *reader) reading(e *entry, keys ...string) readers {
	e.values = map[string]assignment{}
	all := readers{}
	for _, key := range keys {
		all[key] = func(n *tree.Node) {
			if value := r.value(key, n); value != nil {
				e.values[key] = assignment{value, r.line(n.Begin)}
			}
		}
	}
	return all
}

// value returns the value of a key; nil if it is invalid.
func (r *reader) value(key string, n *tree.Node) any {
	if (key == "stop-limit" || key == "observe" || key == "unless") && !r.usersOnly(n, key) { // observe disables a hook's effects (D76)
		return nil
	}
	switch key {
	case "timeout":
		low, high := spec.MinTimeout.Milliseconds(), spec.MaxTimeout.Milliseconds()
		if ms, ok := r.integer("timeout (milliseconds)", n, int(low), int(high)).(int); ok {
			return time.Duration(ms) * time.Millisecond
		}
		return nil
	case "priority":
		return r.integer(key, n, 0, spec.MaxPriority)
	case "stop-limit":
		return r.integer(key, n, 1, spec.MaxStopLimit)
	case "on-failure":
		return r.onFailure(n)
	case "name":
		return r.name(n)
	case "unless":
		return r.unless(n)
	case "until":
		return r.until(n)
	}
	return r.boolean(key, n)
}

// usersOnly reports whether the file may have a key that only the user's file may have. If not,
// it adds a diagnostic.
func (r *reader) usersOnly(n *tree.Node, key string) bool {
	if r.file.Scope != discovery.ProjectScope {
		return true
	}
	r.report("config-key", n.Begin, fmt.Sprintf("%q is ignored in a project's file; only the user's file can set it", key))
	return false
}

// notManaged reports whether the file is a user's. If not, it adds a diagnostic about a key that
// concerns only the hooks of the user and of projects, or the user's own records.
func (r *reader) notManaged(n *tree.Node, key string) bool {
	if r.file.Scope == discovery.ManagedScope {
		r.report("config-key", n.Begin, fmt.Sprintf("%q is ignored in the managed file; only the user's file can set it", key))
		return false
	}
	return r.usersOnly(n, key)
}

// restrict reads a key that turns a restriction on.
func (r *reader) restrict(n *tree.Node, restriction *bool) {
	on, ok := n.Decode().(bool)
	if !ok {
		r.bad(n, n.Key, "true or false"+r.beStrict())
		return
	}
	*restriction = *restriction || on
}

func (r *reader) protect(n *tree.Node) {
	if !r.notManaged(n, "protect") {
		return
	}
	if n.Tag != tree.List {
		r.bad(n, "protect", "a list of names"+r.beStrict())
		return
	}
	for _, element := range n.Children {
		if name, ok := stringOf(element); ok && name != "" {
			r.file.protect = append(r.file.protect, entry{name: norm.NFKC.String(name), line: r.line(element.Start)})
			continue
		}
		r.bad(element, "a name in protect", "the name of a hook"+r.beStrict())
	}
}

// environment reads the names of variables that hooks inherit untested (D89).
func (r *reader) environment(n *tree.Node) {
	if r.usersOnly(n, "environment") {
		r.file.environment = r.names(n, "environment", "variable", func(name string) bool { return !strings.ContainsAny(name, "=\x00") })
	}
}

// names reads a list of names of something.
func (r *reader) names(n *tree.Node, key, of string, valid func(name string) bool) (names []string) {
	if n.Tag != tree.List {
		r.bad(n, key, fmt.Sprintf("a list of names of %ss", of))
		return nil
	}
	for _, element := range n.Children {
		if name, ok := stringOf(element); ok && name != "" && valid(name) {
			names = append(names, name)
		} else {
			r.bad(element, "a name in "+key, "the name of a "+of)
		}
	}
	return names
}

func (r *reader) disable(n *tree.Node) {
	r.file.disabled = map[string]entry{}
	for _, e := range r.entries(n, "disable") {
		r.file.disable = append(r.file.disable, e)
		if first := r.file.disabled[e.name]; first.line == 0 || r.file.pauses(first) {
			r.file.disabled[e.name] = e
		}
	}
}

func (r *reader) override(n *tree.Node) {
	r.file.overrides = map[string]int{}
	for _, e := range r.entries(n, "override", "timeout", "async", "priority", "on-failure", "observe", "unless") {
		if first, twice := r.file.overrides[e.name]; twice {
			r.report("config-value", e.at, fmt.Sprintf("a second override of %s, which is ignored; merge it with the one on line %d", r.shown(shown.Quote(e.name), "this hook"), r.file.override[first].line))
			continue
		}
		r.file.overrides[e.name] = len(r.file.override)
		r.file.override = append(r.file.override, e)
	}
}

// entries returns the elements of [[hooks.KEY]] that have a name and have not ended.
func (r *reader) entries(n *tree.Node, key string, keys ...string) (entries []entry) {
	if n.Tag != tree.List {
		r.bad(n, key, fmt.Sprintf("write [[hooks.%s]]", key))
		return nil
	}
	for _, element := range n.Children {
		e := entry{at: element.Begin}
		r.table(element, key, r.reading(&e, append(keys, "name", "until")...))
		if element.Tag == tree.Mapping && element.Member("name") == nil {
			r.report("config-key", element.Begin, fmt.Sprintf("no key \"name\"; which hook does this [[hooks.%s]] concern?", key))
		}
		e.name, e.line = get[string](e, "name")
		if e.name != "" && !r.ended(element, e) {
			entries = append(entries, e)
		}
	}
	return entries
}

// ended reports whether an entry does not count any more, or its until cannot be read (20.18).
func (r *reader) ended(n *tree.Node, e entry) bool {
	if n.Tag != tree.Mapping || n.Member("until") == nil {
		return false
	}
	until, _ := get[time.Time](e, "until")
	if !time.Now().Before(until) {
		return true
	}
	if first := r.file.expires; first.IsZero() || until.Before(first) {
		r.file.expires = until
	}
	return false
}

// until reads a time with an offset, or a day, which begins in UTC.
func (r *reader) until(n *tree.Node) any {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", time.DateOnly} {
		if at, err := time.Parse(layout, n.Text); err == nil && n.Tag == tree.Time {
			return at
		}
	}
	r.bad(n, "until", "a time with its offset or a day, such as 2026-12-01T09:00:00Z or 2026-12-01 (this entry does not count)")
	return nil
}

// stringOf returns the characters of a string.
func stringOf(n *tree.Node) (s string, ok bool) { return n.Text, n.Tag == tree.String }

func (r *reader) name(n *tree.Node) any {
	if name, ok := stringOf(n); ok && name != "" {
		return norm.NFKC.String(name)
	}
	r.bad(n, "name", "the name of a hook")
	return nil
}

func (r *reader) boolean(key string, n *tree.Node) any {
	on, ok := n.Decode().(bool)
	if !ok {
		r.bad(n, key, "true or false")
		return nil
	}
	return on
}

func (r *reader) integer(key string, n *tree.Node, low, high int) any {
	i, err := strconv.ParseInt(n.Text, 0, 64)
	if n.Tag != tree.Int || err != nil || i < int64(low) || i > int64(high) {
		r.bad(n, key, fmt.Sprintf("an integer from %d to %d", low, high))
		return nil
	}
	return int(i)
}

// onFailure reads a policy. An invalid value counts as ask, as in a HOOK.md (D12).
func (r *reader) onFailure(n *tree.Node) any {
	text, _ := stringOf(n)
	switch policy := manifest.OnFailure(text); policy {
	case manifest.Allow, manifest.Deny, manifest.Ask:
		return policy
	}
	r.bad(n, "on-failure", "allow, deny or ask (until then it counts as ask)")
	return manifest.Ask
}

// unless reads the exceptions from a hook's pattern (D78). Those that do not compile
// are left out, so that they except nothing.
func (r *reader) unless(n *tree.Node) any {
	if n.Tag != tree.List {
		r.bad(n, "unless", "a list of regular expressions")
		return nil
	}
	var all []string
	for _, element := range n.Children {
		text, ok := stringOf(element)
		if !ok || text == "" {
			r.bad(element, "an expression in unless", "a regular expression in quotes")
			continue
		}
		if _, err := matcher.Compile("", text); err != nil {
			r.bad(element, "an expression in unless", fmt.Sprintf("it does not compile: %v", errors.Unwrap(err)))
			continue
		}
		all = append(all, text)
	}
	return all
}

// describe describes a value in a message.
func (r *reader) describe(n *tree.Node) string {
	switch n.Tag {
	case tree.String:
		return r.shown("the string "+shown.Quote(n.Text), "a string")
	case tree.Bool:
		return r.shown("the boolean "+n.Text, "a boolean")
	case tree.Int, tree.Float:
		return r.shown("the number "+n.Text, "a number")
	case tree.Time:
		return "a date or time"
	case tree.List:
		return "a list"
	}
	return "a table"
}
