package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// newResult is the result of new, as JSON.
type newResult struct {
	Name     string   `json:"name"`
	Scope    string   `json:"scope"`
	Dir      string   `json:"dir"`
	Files    []string `json:"files"`
	Written  bool     `json:"written"`
	Replaces string   `json:"replaces,omitempty"`    // the folder of the user's hook that it replaces
	By       string   `json:"replaced_by,omitempty"` // the folder of the project's hook that replaces it
	Trust    bool     `json:"needs_trust"`           // it does not run until agent-hooks trust has been run
}

func (n *newHook) result() newResult {
	r := newResult{Name: n.name, Scope: string(n.place.Scope), Dir: n.place.Folder(n.name), Written: !n.dryRun, Trust: n.place.Scope == discovery.ProjectScope}
	for _, f := range n.files {
		r.Files = append(r.Files, n.place.File(n.name, f))
	}
	r.Replaces, r.By = n.place.Replaced(n.name)
	return r
}

// printResult prints what was written, what may prevent it from running, and what to do next.
func (all newHooks) printResult() error {
	first := all[0]
	env := first.env
	first.printPlace()
	loaded := env.load(nil).Table
	for _, n := range all {
		wrote := []string{fmt.Sprintf("%s: %s", env.short(n.place.Folder(n.name)), term.Plural(len(n.files), "file"))}
		if n.from == "" { // somebody has to fill them in
			wrote = nil
			for _, file := range n.result().Files {
				wrote = append(wrote, env.short(file))
			}
		}
		for _, text := range wrote {
			fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, "wrote "+text))
		}
		n.printReplaced()
		n.place.Table = loaded
		h := n.place.Find(n.name, n.place.Scope)
		if h == nil {
			env.warn("%s is not among the hooks that run here: agent-hooks list", n.place.Folder(n.name))
			continue
		}
		for _, d := range h.Validate(env.Getenv("PATH")) {
			env.warn("%s", d)
		}
		if h.State == discovery.Disabled {
			env.warn("hook %s does not run: disabled by %s", n.name, h.Cause)
		}
	}
	if first.json {
		return all.printJSON()
	}
	if err := env.print("\nNext:\n"); err != nil {
		return err
	}
	return env.printTable(term.Table{Rows: all.next(), Style: firstBold})
}

// printJSON prints one object, or a list of them for several hooks.
func (all newHooks) printJSON() error {
	if len(all) == 1 {
		return all[0].env.printJSON(all[0].result())
	}
	var results []newResult
	for _, n := range all {
		results = append(results, n.result())
	}
	return all[0].env.printJSON(results)
}

// next returns the next steps.
func (all newHooks) next() [][]string {
	n, where, names := all[0], "", ""
	r := n.result()
	for _, n := range all {
		names += " " + n.name
	}
	if len(all) > 3 {
		names = "" // all hooks
	}
	if n.env.project != "" {
		where = " --project " + shellWord(n.env.project)
	}
	// The entry point is the first file in scripts.
	file, about := r.Files[0], "its pattern, its reason, and what it cannot do"
	if i := slices.IndexFunc(n.files, func(f state.File) bool { return strings.HasPrefix(f.Path, "scripts/") }); i >= 0 {
		file, about = r.Files[i], "what it does; HOOK.md says when it runs"
	}
	if n.judge {
		file, about = r.Files[1], "the question; HOOK.md says when it is asked"
	}
	steps := [][]string{{"agent-hooks test" + names + where, "run their test cases"}}
	if len(all) == 1 {
		steps = [][]string{
			{"edit " + n.env.short(file), about},
			{"agent-hooks test" + names + where, "run its test cases"},
			{"agent-hooks watch" + where, "check each hook when it is saved"},
		}
	}
	if n.decision != "" && cmp.Or(n.trigger, string(spec.PreToolCall)) == string(spec.PreToolCall) {
		tried := "--hook " + n.name
		if r.Trust { // it is not reviewed yet
			tried = "--with " + n.env.short(r.Dir)
		}
		steps = append(steps, []string{"agent-hooks replay --all " + tried, "what it would have done in your agents' past sessions"})
	}
	if n.judge && !n.env.namesJudge() {
		steps = append(steps, []string{"agent-hooks help judge", "name the program that answers, in your hooks.toml"})
	}
	if r.Trust {
		steps = append(steps, []string{"agent-hooks trust" + where, "review it: agents run a project's hook only after that"})
	}
	if !n.env.called() {
		steps = append(steps, []string{"agent-hooks doctor", "let an agent call it: none does yet"})
	}
	for _, s := range steps {
		s[0] = "  " + s[0]
	}
	return steps
}
