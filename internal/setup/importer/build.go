package importer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// builder builds the hook of one entry.
type builder struct {
	*converter
	entry *entry
	row   *agent.NativeEvent
	hook  *Hook

	tool    string      // the expression for tools
	when    [][2]string // fields and expressions
	timeout time.Duration
	words   []word
	reason  string // why the entry cannot be imported
	base    string // the identity of its entry
}

func (b *builder) warnf(format string, args ...any) {
	b.hook.Warnings = append(b.hook.Warnings, fmt.Sprintf(format, args...))
}

func (b *builder) build() {
	b.convertMatcher()
	if b.reason != "" {
		return
	}
	b.timeout = b.duration()
	b.hook.Priority = max(b.first(b.hook.Trigger)-b.order[b.hook.Trigger], 0)
	if b.hook.Prompt != "" {
		b.hook.Script = b.script()
		if model, ok := b.entry.handler["model"].(string); ok && model != "" {
			b.warnf("its model %q is not kept: the one in your hooks.toml answers; judge --model NAME in scripts/run names another", model)
		}
		if b.entry.handler["type"] == "agent" {
			b.warnf("in %s an agent with tools answers; here a model that reads only the event", b.agent.Title)
		}
	} else {
		b.words = wordsOf(b.hook.Command)
		b.hook.Script = b.script()
		b.guardNotes()
	}
	b.others()
}

// usesRow reports whether the hook names its native event in its metadata, because several
// correspond to its trigger.
func (b *builder) usesRow() bool {
	separate := func(row agent.NativeEvent) bool {
		return b.agent.Separate(row.Name) && slices.Contains(row.Spec(), b.hook.Trigger)
	}
	return b.agent.EventFor(b.hook.Trigger) != b.row || slices.ContainsFunc(b.agent.Events(), separate)
}

// duration returns the timeout, converted from the agent's unit.
func (b *builder) duration() time.Duration {
	if b.entry.part != nil {
		return b.wait()
	}
	h := b.entry.handler
	unit, value := b.agent.TimeoutUnit, b.entry.source.common["defaultTimeout"]
	for _, key := range []struct {
		name string
		unit time.Duration
	}{{"timeout", unit}, {"timeoutSec", time.Second}, {"timeout_ms", time.Millisecond}, {"timeoutMs", time.Millisecond}} {
		if v, ok := h[key.name]; ok {
			value, unit = v, key.unit
			break
		}
	}
	n, ok := number(value)
	if value != nil && (!ok || n < 0) {
		b.warnf("its timeout %v is not a number; %s counts", value, b.usualWait())
	}
	if !ok || n <= 0 {
		return min(b.usualWait(), spec.MaxTimeout)
	}
	switch {
	case n < b.agent.Setup.SecondsBelow, unit == 0:
		unit = time.Second
	}
	d := time.Duration(min(n, 1e9) * float64(unit))
	switch {
	case d > spec.MaxTimeout && unit == time.Second && n >= 1000:
		b.warnf("its timeout %v is in seconds (%s); the maximum here is %s. If milliseconds were meant, write timeout: %v", value, d, spec.MaxTimeout, value)
	case d > spec.MaxTimeout:
		b.warnf("its timeout %s is above %s, the maximum here", d, spec.MaxTimeout)
	case d < spec.MinTimeout:
		b.warnf("its timeout %v is in milliseconds; the minimum here is %s. If seconds were meant, write timeout: %v", value, spec.MinTimeout, n*1000)
	case unit == time.Millisecond && n < 1000:
		b.warnf("its timeout %v is in milliseconds. If seconds were meant, write timeout: %v", value, n*1000)
	}
	return min(max(d, spec.MinTimeout), spec.MaxTimeout)
}

// number returns a number of a settings file, which package settings decodes as
// float64 in every format.
func number(v any) (float64, bool) {
	n, ok := v.(float64)
	return n, ok
}

// others warns about settings of the entry that have no counterpart.
func (b *builder) others() {
	h := b.entry.handler
	if b.entry.part != nil {
		b.warnPart()
	}
	if limit, ok := h["loop_limit"]; ok {
		b.warnf("its loop_limit %v is not kept: stop-limit in hooks.toml bounds loops", limit)
	}
	for _, key := range []string{"powershell", "windows", "commandWindows"} {
		if command, ok := h[key]; ok && command != b.hook.Command {
			b.warnf("its command for Windows is not kept: %v", command)
		}
	}
}

// failsClosed reports whether the entry blocks if it fails.
func (b *builder) failsClosed() bool {
	h := b.entry.handler
	return h["on_error"] == "abort" || h["on_error"] == "stop" || h["failClosed"] == true || h["fail_closed"] == true || h["onFailure"] == "block" || h["on_failure"] == "block" || h["blockOnError"] == true || h["strict"] == true
}

// onFailure returns the metadata.on-failure that corresponds to the settings; ""
// if a failure lets the operation continue.
func (b *builder) onFailure() string {
	if b.failsClosed() {
		return "deny"
	}
	failure, timeout := b.entry.source.common["failureBehavior"], b.entry.source.common["timeoutBehavior"]
	for _, policy := range []string{"deny", "ask"} {
		if failure == policy || timeout == policy {
			if failure != timeout {
				b.warnf("its timeoutBehavior and failureBehavior differ; here %s applies to both", policy)
			}
			return policy
		}
	}
	return ""
}

// script returns the entry point: the command line from the settings, preceded
// by the setup that the agent would do itself.
func (b *builder) script() string {
	var s strings.Builder
	shell, what := "#!/usr/bin/env bash", b.entry.events()
	if b.agent.PlainShell {
		shell = "#!/bin/sh"
	}
	if of := b.entry.part; of != nil {
		what = "the process " + of.process.name // the same script for each event, so that serve starts one process
	}
	fmt.Fprintf(&s, "%s\n# Imported: %s of %s in %s.\n", shell, oneLine(what), b.agent.Title, oneLine(b.entry.source.shown))
	if b.hook.Prompt != "" {
		s.WriteString(b.question())
		return s.String()
	}
	b.setUp(&s)
	s.WriteString(b.commandLine())
	if !strings.HasSuffix(b.hook.Command, "\n") {
		s.WriteByte('\n')
	}
	return s.String()
}

// setUp writes the variables and the directory of the entry.
func (b *builder) setUp(s *strings.Builder) {
	if root := b.entry.source.plugin; root != "" {
		shared, others := agent.PluginRoots()
		for _, name := range slices.Concat(shared, others) {
			if strings.Contains(b.hook.Command, name) || slices.Contains(shared, name) {
				fmt.Fprintf(s, "export %s=%s\n", name, b.place(root))
			}
		}
	}
	if env, ok := b.entry.handler["env"].(map[string]any); ok {
		for _, name := range sorted(env) {
			if name != "" && !unicode.IsDigit(rune(name[0])) && strings.Trim(name, wordChars) == "" {
				fmt.Fprintf(s, "export %s=%s\n", name, b.quote(fmt.Sprint(env[name])))
			} else {
				b.warnf("its variable %q is not kept: no shell can set it", name)
			}
		}
	}
	switch dir := b.hookDir(); {
	case filepath.IsAbs(dir):
		fmt.Fprintf(s, "cd -- %s || exit 1\n", b.place(dir))
	case dir != "":
		fmt.Fprintf(s, `cd -- "$AGENT_HOOKS_PROJECT_DIR"/%s || exit 1`+"\n", quoteWord(dir))
	}
}

// hookDir returns the directory in which the agent runs the entry, absolute or
// relative to the project; "" if it is the directory of all its hooks.
func (b *builder) hookDir() string {
	for _, key := range []string{"cwd", "working_directory"} {
		if dir, ok := b.entry.handler[key].(string); ok && dir != "" {
			return dir
		}
	}
	if runsIn := b.agent.Setup.RunsIn; runsIn != nil {
		return runsIn(b.entry.source.path, b.entry.source.own, b.entry.source.plugin)
	}
	return ""
}

// place returns a path as a shell word. A path in the project is relative to
// the project's location at run time.
func (b *builder) place(path string) string {
	if b.hook.Scope == Project && paths.Contains(b.Project, path) {
		rel, _ := filepath.Rel(b.Project, path)
		return `"$AGENT_HOOKS_PROJECT_DIR"/` + b.quote(filepath.ToSlash(rel))
	}
	return b.quote(path)
}

// quote quotes a word as the agent reads it. An agent that starts programs
// itself expands nothing.
func (b *builder) quote(word string) string {
	if b.entry.part != nil {
		return install.Quote(word)
	}
	return quoteWord(word)
}

// manifest returns the HOOK.md, with the digest of what is written.
func (b *builder) manifest(digest string) string {
	var s strings.Builder
	h := b.hook
	fmt.Fprintf(&s, "---\nname: %s\ndescription: %s\ntrigger: %s\n", h.Name, tree.YAML(b.description()), h.Trigger)
	if tool := b.matcher(); tool != "" {
		fmt.Fprintf(&s, "matcher:\n  tool: %s\n", tree.YAML(tool))
	}
	fmt.Fprintf(&s, "timeout: %d\n", b.timeout.Milliseconds())
	if b.entry.handler["async"] == true {
		s.WriteString("async: true\n")
	}
	if h.Priority != spec.DefaultPriority {
		fmt.Fprintf(&s, "priority: %d\n", h.Priority)
	}
	fmt.Fprintf(&s, "metadata:\n  protocol: %s\n", b.agent.Name)
	of := b.entry.part
	if b.usesRow() || of != nil && len(of.events) == 1 && of.events[0] == beforeTool { // or calls without their approvals
		fmt.Fprintf(&s, "  native-event: %s\n", b.row.Name)
	}
	if of != nil {
		fmt.Fprintf(&s, "  process: %s\n", tree.YAML(of.process.name))
	}
	if len(b.when) > 0 {
		s.WriteString("  when:\n")
		for _, w := range b.when {
			fmt.Fprintf(&s, "    %s: %s\n", w[0], tree.YAML(w[1]))
		}
	}
	if policy := b.onFailure(); policy != "" {
		fmt.Fprintf(&s, "  on-failure: %s\n", policy)
	}
	if n := b.retries(); n > 0 {
		fmt.Fprintf(&s, "  retry: %d\n", n)
	}
	fmt.Fprintf(&s, "  %s: %s\n---\n\n", importedKey, tree.YAML(h.id+" "+digest+" "+b.entry.source.shown))
	what := "The command line is in `scripts/run`, unchanged."
	if h.Prompt != "" {
		what = "The question is in `" + PromptFile + "`, unchanged. `scripts/run` puts it to the program in your\nhooks.toml (`agent-hooks help judge`). The answer can only restrict."
	}
	fmt.Fprintf(&s, "# %s\n\nImported from `%s`: %s of %s.\n"+what+"\n",
		h.Name, strings.ReplaceAll(oneLine(b.entry.source.shown), "`", "'"), b.entry.events(), b.agent.Title)
	return s.String()
}

// matcher returns the expression for tools.
func (b *builder) matcher() string { return cmp.Or(b.tool, b.impliedTool()) }

// impliedTool returns the matcher of an event for a single tool.
func (b *builder) impliedTool() string {
	switch {
	case b.row.Tool != "":
		for _, t := range b.agent.Tools {
			if t.Native == b.row.Tool {
				if t.Canonical == "EditFile" {
					return "^(EditFile|WriteFile)$"
				}
				return "^" + t.Canonical + "$"
			}
		}
	case strings.Contains(strings.ToLower(b.row.Name), "mcp"):
		return "^mcp__"
	}
	return ""
}

// description describes what the hook runs.
func (b *builder) description() string {
	const most = 300
	does, what := "Runs ", b.hook.Command
	if b.hook.Prompt != "" {
		does, what = "Asks a model: ", b.hook.Prompt
	}
	for _, key := range []string{"statusMessage", "name", "description"} { // the last one counts
		if text, ok := b.entry.handler[key].(string); ok && strings.TrimSpace(text) != "" {
			does, what = "", text
		}
	}
	runes := []rune(oneLine(what))
	if len(runes) > most {
		runes = append(runes[:most], '…')
	}
	return does + string(runes) + " (imported from " + b.agent.Title + ")"
}

// oneLine makes text fit on one line of a comment or a HOOK.md.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
