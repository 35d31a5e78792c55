package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/importer"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// line prints one paragraph. Untrusted text is escaped.
func (env *Env) line(format string, args ...any) {
	for part := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		env.out(2, term.Printable(part))
	}
}

// showImport prints the result for each entry, with the files if details is set.
func (env *Env) showImport(plan *importer.Plan, details bool) {
	for _, h := range plan.Hooks {
		env.showImported(h, details)
	}
	for _, s := range plan.Skipped {
		env.line("not imported: %s: %s: %s", short(s.Event), short(s.Entry), s.Reason)
	}
	env.warnAll(plan.Notes)
	if len(plan.Hooks)+len(plan.Skipped) == 0 {
		env.line("%s: nothing to import", plan.Agent)
	}
}

func (env *Env) showImported(h *importer.Hook, details bool) {
	state := "imported"
	switch {
	case h.Declined:
		state = "not imported (no consent)"
	case h.Existing:
		state = "imported before"
	case details:
		state = "to import"
		if h.Confirm {
			state = "to import, with your consent"
		}
	}
	env.line("%s: %s: %s: %s", state, h.Name, h.Event, short(h.Command))
	for _, w := range h.Warnings {
		env.line("  warning: %s", w)
	}
	for _, n := range h.Notes {
		env.line("  note: %s", n)
	}
	if details && !h.Existing {
		env.line("  %s/HOOK.md", h.Folder)
		fmt.Fprintln(env.Stdout, indented(strings.TrimSuffix(h.Manifest, "\n")))
		env.line("  %s/scripts/run", h.Folder)
		fmt.Fprintln(env.Stdout, indented(strings.TrimSuffix(h.Script, "\n")))
		if h.Case != "" {
			env.line("  %s/%s", h.Folder, importer.CaseFile)
			fmt.Fprintln(env.Stdout, indented(strings.TrimSuffix(h.Case, "\n")))
		}
	}
}

// short returns a command on one line, shortened if necessary.
func short(command string) string {
	text := strings.Join(strings.Split(strings.TrimSpace(command), "\n"), `\n`)
	if runes := []rune(text); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return text
}

// afterImport prints the remaining steps.
func (env *Env) afterImport(plan *importer.Plan, flags importFlags) {
	written, project, cases := plan.Pending(), 0, 0
	for _, h := range written {
		if h.Case != "" {
			cases++
		}
		if h.Scope == importer.Project {
			project++
		}
	}
	if len(written) == 0 {
		return
	}
	env.line("%s written; agent-hooks import --undo reverts this", install.Count(len(written), "hook", "hooks"))
	if cases > 0 {
		env.line("%s: agent-hooks test runs the scripts", install.Count(cases, "test case", "test cases"))
	}
	if project > 0 {
		env.line("next: agent-hooks trust (it covers the command lines, not the files of the project that they run)")
	}
	if !flags.move {
		env.line("%s still runs the entries itself; --move removes them from its settings", plan.Agent)
	}
}
