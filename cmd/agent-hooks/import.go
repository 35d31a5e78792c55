package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/importer"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type importFlags struct {
	scopeFlag
	dryRun, move, yes, json bool
}

func (f *importFlags) declare(fs *flag.FlagSet) {
	f.scopeFlag.declare(fs, "write `user|project` hooks: yours, after asking about each command that is not in your own settings, or the current project's, from its settings only")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show every file, but write nothing")
	fs.BoolVar(&f.move, "move", false, "remove the imported entries from the settings, with a backup")
	fs.BoolVar(&f.yes, "yes", false, "import without asking; for scripts, if you have read the commands")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

const importAbout = `Each entry becomes a folder: scripts/run contains the unchanged command line, and HOOK.md has metadata.protocol, so that the script gets the agent's input and its answer is interpreted by the agent's rules. The user's settings become user hooks, a project's settings become project hooks, which run --require-trust runs only after agent-hooks trust. FILE is a settings file or a plugin's hooks.json.
Nothing is executed. An entry that asks a model becomes prompt.md and a script that puts it to the program in your hooks.toml (agent-hooks help judge). An entry without a counterpart, or that the agent itself does not read, is listed with the reason. A PicoClaw process becomes one hook for each event that it answers. Importing again replaces a hook if its entry changed and nobody edited the hook; a project's hook then needs a new review. Without --move, the agent still runs the entries itself; agent-hooks doctor reports that.
`

// execute is `agent-hooks import AGENT [FILE ...]` (D62, D63).
func (flags importFlags) execute(env *Env, args []string) (int, error) {
	s := env.importSystem()
	if len(args) == 0 {
		return 0, usagef("agent-hooks import AGENT", "import: no agent given; one of %s", strings.Join(agent.Names(), ", "))
	}
	if flags.chosen != "project" {
		if err := env.ownPlaces(); err != nil {
			return 0, fmt.Errorf("import: %w", err)
		}
	}
	a := agent.Find(args[0])
	if a == nil {
		return 0, unknownAgent("import", args[0], "`agent-hooks import %s`")
	}
	selection := importer.Selection{Agent: a, Scope: flags.chosen}
	for _, file := range args[1:] {
		selection.Files = append(selection.Files, env.absolute(file))
	}
	plan, err := s.Read(selection)
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	if flags.dryRun {
		if flags.json {
			return exitStatus(plan.Unread > 0), env.printJSON(plan)
		}
		env.showImport(plan, true)
		if !flags.move {
			return exitStatus(plan.Unread > 0), nil
		}
		moves, err := plan.Moves()
		if err != nil {
			return 0, fmt.Errorf("import: %w", err)
		}
		in := installation{env: env, dryRun: true}
		for _, c := range moves {
			in.diff(c)
		}
		return exitStatus(plan.Unread > 0), nil
	}
	declined := env.askImport(plan, flags)
	moved, err := s.Apply(plan, flags.move)
	if err != nil {
		return 0, fmt.Errorf("import: nothing was changed: %w", err)
	}
	if flags.json {
		err = env.printJSON(plan)
	} else {
		env.showImport(plan, false)
		for _, c := range moved {
			env.line("removed the imported entries from %s; backup: %s", c.Path, c.Backup)
		}
		env.afterImport(plan, flags)
	}
	return exitStatus(declined+plan.Unread > 0), err
}

func (env *Env) importSystem() importer.System {
	env.warnPlaces()
	s := importer.System{System: env.system()}
	s.UserHooks, _ = env.userHooks()
	s.ProjectHooks = filepath.Join(s.Project, ".agents", "hooks")
	return s
}

// askImport prompts for each command that a repository's settings would add to the user's
// scope, and returns how many are not imported.
func (env *Env) askImport(plan *importer.Plan, flags importFlags) (declined int) {
	terminal := env.interactive()
	for _, h := range plan.Pending() {
		if !h.Confirm || flags.yes {
			continue
		}
		if terminal {
			env.line("%s of %s runs in every project:\n%s", h.Event, h.File, indented(h.Command))
			if env.yes("import this command into your own hooks? [y/N] ") {
				continue
			}
		}
		h.Declined = true
		declined++
	}
	if declined > 0 && !terminal {
		env.warn("%s not imported: a command that is not in your own settings needs your consent, and stdin and stdout are not a terminal (--yes imports without asking)", install.Count(declined, "entry was", "entries were"))
	}
	return declined
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(term.PrintableLines(text), "\n", "\n    ")
}

// line prints one paragraph. Untrusted text is escaped.
func (env *Env) line(format string, args ...any) {
	for part := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		env.out(2, term.Printable(part))
	}
}

// showImport prints the result for each entry, with the files if details is set.
func (env *Env) showImport(plan *importer.Plan, details bool) {
	for _, h := range plan.Hooks {
		state := "imported"
		switch {
		case h.Declined:
			state = "not imported (no consent)"
		case h.Replaces && details:
			state = "to import again"
		case h.Replaces:
			state = "imported again"
		case h.Existing:
			state = "imported before"
		case details && h.Confirm:
			state = "to import, with your consent"
		case details:
			state = "to import"
		}
		env.line("%s: %s: %s: %s", state, h.Name, h.Event, short(h.Command))
		for _, w := range h.Warnings {
			env.line("  warning: %s", w)
		}
		for _, n := range h.Notes {
			env.line("  note: %s", n)
		}
		for _, f := range h.Files() {
			if details && (h.Replaces || !h.Existing) {
				env.line("  %s/%s", h.Folder, f.Path)
				fmt.Fprintln(env.Stdout, indented(strings.TrimSuffix(string(f.Data), "\n")))
			}
		}
	}
	for _, s := range plan.Skipped {
		env.line("not imported: %s: %s: %s", short(s.Event), short(s.Entry), s.Reason)
	}
	env.warnAll(plan.Notes)
	if len(plan.Hooks)+len(plan.Skipped) == 0 {
		env.line("%[1]s: nothing to import in its settings; agent-hooks import %[1]s FILE reads another file", plan.Agent)
	}
}

// short returns a command or an expression on one line, shortened if necessary.
func short(of string) string {
	return term.CutTo(strings.ReplaceAll(strings.TrimSpace(of), "\n", `\n`), 121)
}

// afterImport prints the remaining steps.
func (env *Env) afterImport(plan *importer.Plan, flags importFlags) {
	written, project, prompts, ordered := plan.Pending(), false, 0, false
	if len(written) == 0 {
		return
	}
	var dirs []string
	for _, h := range written {
		if dir := env.short(filepath.Dir(h.Folder)); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		project = project || h.Scope == importer.Project
		ordered = ordered || h.Scope == importer.User && h.Priority < spec.DefaultPriority
		if h.Prompt != "" {
			prompts++
		}
	}
	env.line("%s written to %s", install.Count(len(written), "hook", "hooks"), strings.Join(dirs, " and "))
	if ordered {
		env.line("their order is kept by priority, which comes before scope: a project's hook with a higher one runs before yours")
	}
	if prompts > 0 && !env.namesJudge() {
		env.line("%s until your hooks.toml names a program that answers: agent-hooks help judge", install.Count(prompts, "hook fails", "hooks fail"))
	}
	if project {
		env.line("next: agent-hooks trust (it covers the command lines, not the files of the project that they run)")
	}
	if !flags.move {
		env.line("%s still runs the entries itself; --move removes them from its settings", plan.Agent)
	}
}
